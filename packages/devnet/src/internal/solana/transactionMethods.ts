/** RPC methods that send, simulate and find transactions. */
import type { Address } from "@solana/kit"
import { type Encoding, show, viewOf } from "./accountView.js"
import { mintsAt } from "./accountMethods.js"
import { type Block, maxAge } from "./blocks.js"
import { inContext } from "./clusterMethods.js"
import type { Faucet } from "./faucet.js"
import { type Landed, type Ledger, withBlockhash } from "./ledger.js"
import type { Outcome } from "./outcome.js"
import {
  atLeastConfirmed,
  blockOf,
  commitmentOf,
  type Config,
  config,
  flag,
  integer,
  type Method,
  oneOf,
  pubkey,
  text,
  texts
} from "./params.js"
import { invalidParams } from "../rpcError.js"
import { blockNotAvailable, preflightFailure, signatureFailure, slotSkipped } from "./solanaError.js"
import { isMalformed, transactionErrorMessage } from "./transactionError.js"
import { landedView, memosOf, parsedInner } from "./transactionView.js"
import { type DecodedTransaction, decodeText, decodeTransaction } from "./decodeTransaction.js"

const maxStatuses = 256
/** The number of slots for which a node can return statuses without searching its history. */
const statusSlots = 300
const maxSignatures = 1_000

const arrivedOf = (wire: unknown, { encoding }: Config): DecodedTransaction =>
  decodeTransaction(decodeText(text(wire), oneOf(encoding, ["base58", "base64"], "base58")))

const signatureOf = (value: unknown): string => {
  const given = text(value)
  if (!/^[1-9A-HJ-NP-Za-km-z]{64,88}$/.test(given)) throw invalidParams("Invalid param: WrongSize")
  return given
}

/** The highest version that the client supports; only legacy transactions if it does not say. */
const versionOf = (value: unknown): number | undefined =>
  value === undefined || value === null ? undefined : integer(value)

const forms = ["json", "jsonParsed", "base58", "base64"] as const

/** A block with its transactions, as far as it is at the commitment level. */
const blockWith = (ledger: Ledger, slot: number, given: Config) => {
  const form = oneOf(given["encoding"], forms, "json")
  const details = oneOf(given["transactionDetails"], ["full", "signatures", "none"], "full")
  const maxVersion = versionOf(given["maxSupportedTransactionVersion"])
  const block = ledger.blockOf(slot)
  if (slot > ledger.blockAt(atLeastConfirmed(given["commitment"])).slot) throw blockNotAvailable(slot)
  if (block === undefined) throw slotSkipped(slot)
  const landed = ledger.history().filter((one) => one.slot === slot)
  return {
    blockHeight: block.height,
    blockTime: block.time,
    blockhash: block.blockhash,
    parentSlot: block.parent,
    previousBlockhash: ledger.blockOf(block.parent)?.blockhash ?? block.blockhash,
    ...(details === "full" && { transactions: landed.map((one) => landedView(one, form, maxVersion)) }),
    ...(details === "signatures" && { signatures: landed.map(({ decoded }) => decoded.signature) }),
    ...(given["rewards"] !== false && { rewards: [] })
  }
}

/** The simulation result in a preflight error's data. It has fewer fields than a simulation response. */
const preflightOf = (outcome: Outcome) => ({
  err: outcome.err,
  logs: outcome.logs,
  accounts: null as unknown,
  unitsConsumed: outcome.units,
  loadedAccountsDataSize: outcome.executed ? outcome.pre.reduce((sum, state) => sum + (state?.data.length ?? 0), 0) : 0,
  returnData:
    outcome.returnData === undefined
      ? null
      : {
          programId: outcome.returnData.programId,
          data: [Buffer.from(outcome.returnData.data).toString("base64"), "base64"]
        },
  innerInstructions: null as unknown,
  replacementBlockhash: null as unknown,
  fee: null as unknown,
  preBalances: null as unknown,
  postBalances: null as unknown,
  preTokenBalances: null as unknown,
  postTokenBalances: null as unknown,
  loadedAddresses: null as unknown
})

/** The response to a simulation. */
const resultOf = (outcome: Outcome, inner: boolean) => ({
  ...preflightOf(outcome),
  ...(inner && { innerInstructions: outcome.inner.map((group) => parsedInner(group, outcome)) }),
  ...(outcome.executed && {
    fee: outcome.fee,
    preBalances: outcome.pre.map((state) => state?.lamports ?? 0n),
    postBalances: outcome.post.map((state) => state?.lamports ?? 0n),
    preTokenBalances: outcome.preTokens,
    postTokenBalances: outcome.postTokens,
    loadedAddresses: outcome.loaded
  })
})

const malformed = ({ err }: Outcome): void => {
  if (err !== null && isMalformed(err)) throw invalidParams(`invalid transaction: ${transactionErrorMessage(err)}`)
}

/** The RPC methods for transactions. */
export const transactionMethods = (ledger: Ledger, faucet: Faucet): Readonly<Record<string, Method>> => {
  const statusOf = ({ err, slot }: Landed) => {
    const confirmationStatus = ledger.commitmentOf(slot)
    return {
      slot,
      confirmations:
        confirmationStatus === "finalized" ? null : ledger.head().height - (ledger.blockOf(slot)?.height ?? 0),
      err,
      status: err === null ? { Ok: null } : { Err: err },
      confirmationStatus
    }
  }

  const sendTransaction: Method = ([wire, options]) => {
    const given = config(options)
    const decoded = arrivedOf(wire, given)
    if (flag(given["skipPreflight"])) {
      malformed(ledger.simulate(decoded, ledger.head(), { verify: false, fresh: false }))
    } else {
      const block = blockOf(ledger, { ...given, commitment: given["preflightCommitment"] })
      const outcome = ledger.simulate(decoded, block, { verify: true, fresh: true })
      malformed(outcome)
      if (outcome.err === "SignatureFailure") throw signatureFailure()
      if (outcome.err !== null) throw preflightFailure(transactionErrorMessage(outcome.err), preflightOf(outcome))
    }
    ledger.submit(decoded)
    return decoded.signature
  }

  const simulateTransaction: Method = ([wire, options]) => {
    const given = config(options)
    const verify = flag(given["sigVerify"])
    const replace = flag(given["replaceRecentBlockhash"])
    const sent = arrivedOf(wire, given)
    if (verify && replace) throw invalidParams("sigVerify may not be used with replaceRecentBlockhash")
    const block = blockOf(ledger, given)
    const decoded = replace ? withBlockhash(sent, block.blockhash) : sent
    const outcome = ledger.simulate(decoded, block, { verify, fresh: true })
    malformed(outcome)
    if (outcome.err === "SignatureFailure") throw signatureFailure()
    return inContext(ledger, block, {
      ...resultOf(outcome, flag(given["innerInstructions"])),
      accounts: accountsOf(given["accounts"], outcome, block),
      replacementBlockhash: replace ? { blockhash: block.blockhash, lastValidBlockHeight: block.height + maxAge } : null
    })
  }

  /** The requested accounts after the simulation. */
  const accountsOf = (wanted: unknown, { err, keys, post }: Outcome, block: Block): unknown => {
    if (wanted === undefined || wanted === null) return null
    const { addresses, ...options } = config(wanted)
    const requested = texts(addresses).map(pubkey)
    if (requested.length > keys.length) throw invalidParams(`Too many accounts provided; max ${keys.length}`)
    const view = viewOf(options, "base64" satisfies Encoding)
    if (view.encoding === "base58" || view.encoding === "binary") throw invalidParams("base58 encoding not supported")
    if (err !== null) return requested.map(() => null)
    const after = new Map(keys.map(({ address }, index) => [address, post[index]]))
    const mintOf = mintsAt(ledger, block)
    const stateOf = (address: Address) => (after.has(address) ? after.get(address) : ledger.account(address, block))
    return requested.map((address) => show(stateOf(address), view, mintOf))
  }

  return {
    sendTransaction,
    simulateTransaction,
    requestAirdrop: ([to, lamports, options]) => {
      const address = pubkey(to)
      const amount = integer(lamports)
      const { commitment } = config(options)
      const { blockhash } = ledger.blockAt(commitmentOf(commitment, "processed"))
      const decoded = faucet(address, BigInt(amount), blockhash)
      ledger.submit(decoded)
      return decoded.signature
    },
    getSignatureStatuses: ([signatures, options]) => {
      const all = flag(config(options)["searchTransactionHistory"])
      const oldest = ledger.head().slot - statusSlots
      const wanted = texts(signatures).map(signatureOf)
      if (wanted.length > maxStatuses) throw invalidParams(`Too many inputs provided; max ${maxStatuses}`)
      const values = wanted.map((signature) => {
        const landed = ledger.landed(signature)
        return landed === undefined || (!all && landed.slot < oldest) ? null : statusOf(landed)
      })
      return inContext(ledger, ledger.head(), values)
    },
    getTransaction: ([signature, options]) => {
      const landed = ledger.landed(signatureOf(signature))
      const { commitment, encoding, maxSupportedTransactionVersion } = config(options)
      const seen = ledger.blockAt(atLeastConfirmed(commitment)).slot
      const form = oneOf(encoding, forms, "json")
      if (landed === undefined || landed.slot > seen) return null
      const view = landedView(landed, form, versionOf(maxSupportedTransactionVersion))
      return { slot: landed.slot, blockTime: landed.blockTime, ...view }
    },
    getBlock: ([slot, options]) => blockWith(ledger, integer(slot), config(options)),
    getSignaturesForAddress: ([of, options]) => {
      const address = pubkey(of)
      const { before, commitment, limit = maxSignatures, until } = config(options)
      const seen = ledger.blockAt(atLeastConfirmed(commitment)).slot
      const most = integer(limit)
      if (most < 1 || most > maxSignatures) throw invalidParams(`Invalid limit; max ${maxSignatures}`)
      const newestFirst = ledger.history().toReversed()
      /** The index of a signature in the history, or an index past the end if the signature is unknown. */
      const placeOf = (signature: string) => {
        const place = newestFirst.findIndex(({ decoded }) => decoded.signature === signature)
        return place === -1 ? newestFirst.length : place
      }
      const start = before === undefined || before === null ? 0 : placeOf(signatureOf(before)) + 1
      const end = until === undefined || until === null ? undefined : placeOf(signatureOf(until))
      return newestFirst
        .slice(start, end)
        .filter(({ keys, slot }) => slot <= seen && keys.some((key) => key.address === address))
        .slice(0, most)
        .map((landed) => ({
          signature: landed.decoded.signature,
          slot: landed.slot,
          err: landed.err,
          memo: memosOf(landed),
          blockTime: landed.blockTime,
          confirmationStatus: ledger.commitmentOf(landed.slot)
        }))
    }
  }
}
