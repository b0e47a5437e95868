/** The calls of the conformance suite, each made through kit. */
import { getCreateAccountInstruction, getTransferSolInstruction } from "@solana-program/system"
import { getTransferCheckedInstruction } from "@solana-program/token"
import {
  address,
  type Base64EncodedWireTransaction,
  blockhash,
  fetchAddressesForLookupTables,
  generateKeyPairSigner,
  getBase64Decoder,
  getBase64EncodedWireTransaction,
  getSignatureFromTransaction,
  isSolanaError,
  type KeyPairSigner,
  lamports,
  type Signature,
  type Transaction
} from "@solana/kit"
import {
  type Clients,
  lifetime,
  lookupTable,
  memoProgram,
  person,
  relayer,
  signed,
  swap,
  tokenAccountOf,
  usdc,
  vault
} from "./svm.js"

type Probe = (clients: Clients) => Promise<unknown>

const emptyWallet = address("7dHbWXmci3dT8UFYWYZweBLXgycu7Y3iL6trKn1Y7ARj")
const oldHash = { blockhash: blockhash("EkSnNWid2cvwEVnVx9aBqawnmiCNiDgp3gUdkDPTKN1N"), lastValidBlockHeight: 1000n }
const confirmed = { commitment: "confirmed" } as const

const wireOf = (transaction: Transaction): Base64EncodedWireTransaction => getBase64EncodedWireTransaction(transaction)

const send = ({ rpc }: Clients, wire: Base64EncodedWireTransaction, skipPreflight = false) =>
  rpc.sendTransaction(wire, { encoding: "base64", preflightCommitment: "confirmed", skipPreflight }).send()

/** Polls until there is a result. `ask` has the timeout. */
const until = async <A>(attempt: () => Promise<A | undefined>): Promise<A> => {
  while (true) {
    const found = await attempt()
    if (found !== undefined) return found
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

/** Waits until a signature is confirmed; returns its status. */
const settled = ({ rpc }: Clients, signature: Signature) =>
  until(async () => {
    const [status] = (await rpc.getSignatureStatuses([signature]).send()).value
    return status && ["confirmed", "finalized"].includes(status.confirmationStatus ?? "") ? status : undefined
  })

/**
 * Waits until a node has confirmed two blocks. Before its first block, Surfpool has no blocks, no transaction count and a
 * different height, so results would depend on timing.
 */
export const underWay = ({ rpc }: Clients): Promise<true> =>
  until(async () => (await rpc.getBlocksWithLimit(0n, 2, confirmed).send()).length === 2 || undefined)

const swapOf = async (clients: Clients, who: number, amount: bigint, memo: string) => {
  const wallet = await person(who)
  return signed(await relayer(), await lifetime(clients), await swap(wallet, amount, memo))
}

/** Sends a swap and waits until it is confirmed. */
const settledSwap = async (clients: Clients, who: number, memo: string): Promise<Signature> => {
  const transaction = await swapOf(clients, who, 1_000_000n, memo)
  const signature = getSignatureFromTransaction(transaction)
  await send(clients, wireOf(transaction))
  await settled(clients, signature)
  return signature
}

/** A transaction whose second signature is wrong. */
const forged = async (clients: Clients) => {
  const transaction = await swapOf(clients, 0, 1n, "forged")
  const { address: wallet } = await person(0)
  return {
    ...transaction,
    signatures: { ...transaction.signatures, [wallet]: new Uint8Array(64).fill(7) }
  } as Transaction
}

const overdraft = async (clients: Clients) => swapOf(clients, 1, 10n ** 15n, "too much")

/** A payment from an empty wallet. */
const penniless = async (clients: Clients) => {
  const payer = await generateKeyPairSigner()
  return signed(payer, await lifetime(clients), [
    getTransferSolInstruction({ source: payer, destination: emptyWallet, amount: lamports(1n) })
  ])
}

/** The first matching notification of a subscription. Subscribe before anything happens. */
const firstOf = async <A>(told: AsyncIterable<A>, isMeant: (notification: A) => boolean = () => true): Promise<A> => {
  for await (const notification of told) if (isMeant(notification)) return notification
  throw new Error("The subscription ended.")
}

const base64 = { encoding: "base64" } as const

const withTable = async (clients: Clients, owner: KeyPairSigner) => {
  const recentSlot = await clients.rpc.getSlot({ commitment: "finalized" }).send()
  const wallet = await person(2)
  const account = await tokenAccountOf(vault)
  const { instructions, table } = await lookupTable(owner, recentSlot, [account, memoProgram, usdc])
  const made = await signed(owner, await lifetime(clients), instructions)
  await send(clients, wireOf(made))
  const { slot } = await settled(clients, getSignatureFromTransaction(made))
  // The addresses of a table are usable from the next slot on.
  await until(async () => (await clients.rpc.getSlot(confirmed).send()) > slot || undefined)
  return { table, wallet }
}

export const probes: Readonly<Record<string, Probe>> = {
  "the node is well": ({ rpc }) => rpc.getHealth().send(),
  "slots and heights": async ({ rpc }) => {
    // In the order of their values, which grow between the calls.
    const finalized = await rpc.getSlot({ commitment: "finalized" }).send()
    const info = await rpc.getEpochInfo(confirmed).send()
    const processed = await rpc.getSlot({ commitment: "processed" }).send()
    return { info, ordered: finalized <= info.absoluteSlot && info.absoluteSlot <= processed }
  },
  "the first block is there, and no newer than the last": async ({ rpc }) => {
    const first = await rpc.getFirstAvailableBlock().send()
    const last = await rpc.getSlot({ commitment: "processed" }).send()
    return { time: typeof (await rpc.getBlockTime(first).send()), ordered: 0n < first && first <= last }
  },
  "the first blocks": async ({ rpc }) => {
    const first = await rpc.getFirstAvailableBlock().send()
    const slots = await rpc.getBlocksWithLimit(0n, 2, confirmed).send()
    return slots.map((slot) => slot - first)
  },
  "no blocks of the future": async ({ rpc }) =>
    rpc.getBlocksWithLimit((await rpc.getSlot(confirmed).send()) + 1_000n, 2, confirmed).send(),
  "too many blocks": ({ rpc }) => rpc.getBlocksWithLimit(0n, 500_001, confirmed).send(),
  "a blockhash is good for 150 blocks": async ({ rpc }) => {
    // Both in the same block: no block may come in between.
    return until(async () => {
      const height = await rpc.getBlockHeight(confirmed).send()
      const { value } = await rpc.getLatestBlockhash(confirmed).send()
      if (height !== (await rpc.getBlockHeight(confirmed).send())) return undefined
      return { keys: Object.keys(value).toSorted(), left: value.lastValidBlockHeight - height }
    })
  },
  "a fresh blockhash is valid": async ({ rpc }) => {
    const { value } = await rpc.getLatestBlockhash(confirmed).send()
    return rpc.isBlockhashValid(value.blockhash, confirmed).send()
  },
  "an unknown blockhash is not valid": ({ rpc }) => rpc.isBlockhashValid(oldHash.blockhash, confirmed).send(),
  "the balance of an empty wallet": ({ rpc }) => rpc.getBalance(emptyWallet, confirmed).send(),
  "the balance of a wallet without gas": async ({ rpc }) => rpc.getBalance((await person(3)).address, confirmed).send(),
  "rent of no data": ({ rpc }) => rpc.getMinimumBalanceForRentExemption(0n).send(),
  "rent of a token account": ({ rpc }) => rpc.getMinimumBalanceForRentExemption(165n).send(),
  "an account that is not there": ({ rpc }) => rpc.getAccountInfo(emptyWallet, { ...confirmed, ...base64 }).send(),
  "a token account in base64": async ({ rpc }) =>
    rpc.getAccountInfo(await tokenAccountOf((await person(3)).address), { ...confirmed, ...base64 }).send(),
  "a token account in zstd": async ({ rpc }) => {
    const account = await tokenAccountOf((await person(3)).address)
    const { value } = await rpc.getAccountInfo(account, { ...confirmed, encoding: "base64+zstd" }).send()
    const { zstdDecompressSync } = await import("node:zlib")
    const [data = "", encoding] = value?.data ?? []
    return { encoding, data: zstdDecompressSync(Buffer.from(data, "base64")).toString("base64") }
  },
  "a token account, parsed": async ({ rpc }) =>
    rpc
      .getAccountInfo(await tokenAccountOf((await person(3)).address), { ...confirmed, encoding: "jsonParsed" })
      .send(),
  "a mint, parsed": ({ rpc }) => rpc.getAccountInfo(usdc, { ...confirmed, encoding: "jsonParsed" }).send(),
  "a mint in base58": ({ rpc }) => rpc.getAccountInfo(usdc, { ...confirmed, encoding: "base58" }).send(),
  "too much data for base58": async ({ rpc }) =>
    rpc.getAccountInfo(await tokenAccountOf((await person(3)).address), { ...confirmed, encoding: "base58" }).send(),
  "a slice of the data": ({ rpc }) =>
    rpc.getAccountInfo(usdc, { ...confirmed, ...base64, dataSlice: { offset: 36, length: 8 } }).send(),
  "a slice past the data": ({ rpc }) =>
    rpc.getAccountInfo(usdc, { ...confirmed, ...base64, dataSlice: { offset: 500, length: 8 } }).send(),
  "an invalid address": ({ rpc }) => rpc.getBalance("not-an-address" as typeof emptyWallet, confirmed).send(),
  "an address that is too short": ({ rpc }) => rpc.getBalance("abc" as typeof emptyWallet, confirmed).send(),
  "several accounts": ({ rpc }) => rpc.getMultipleAccounts([usdc, emptyWallet], { ...confirmed, ...base64 }).send(),
  "a token balance": async ({ rpc }) =>
    rpc.getTokenAccountBalance(await tokenAccountOf((await person(3)).address), confirmed).send(),
  "the token balance of no account": ({ rpc }) => rpc.getTokenAccountBalance(emptyWallet, confirmed).send(),
  "the token balance of a mint": ({ rpc }) => rpc.getTokenAccountBalance(usdc, confirmed).send(),
  "the supply of a token": ({ rpc }) => rpc.getTokenSupply(usdc, confirmed).send(),
  "the supply of no token": ({ rpc }) => rpc.getTokenSupply(emptyWallet, confirmed).send(),
  "the token accounts of an owner by mint": async ({ rpc }) =>
    rpc
      .getTokenAccountsByOwner((await person(3)).address, { mint: usdc }, { ...confirmed, encoding: "jsonParsed" })
      .send(),
  "the token accounts of emptyWallet": ({ rpc }) =>
    rpc.getTokenAccountsByOwner(emptyWallet, { mint: usdc }, { ...confirmed, ...base64 }).send(),
  "the token accounts of an unknown mint": async ({ rpc }) =>
    rpc.getTokenAccountsByOwner((await person(3)).address, { mint: emptyWallet }, { ...confirmed, ...base64 }).send(),
  "the fee of a message": async (clients) => {
    const { messageBytes } = await swapOf(clients, 0, 1n, "fee")
    const message = getBase64Decoder().decode(messageBytes) as Parameters<typeof clients.rpc.getFeeForMessage>[0]
    return clients.rpc.getFeeForMessage(message, confirmed).send()
  },
  "the fee of a message that is too old": async ({ rpc }) => {
    const { messageBytes } = await signed(await relayer(), oldHash, await swap(await person(0), 1n))
    const message = getBase64Decoder().decode(messageBytes) as Parameters<typeof rpc.getFeeForMessage>[0]
    return rpc.getFeeForMessage(message, confirmed).send()
  },
  "a swap by kit's own sendAndConfirm": async (clients) => {
    const transaction = await swapOf(clients, 0, 5_000_000n, "conformance")
    await clients.sendAndConfirm(transaction, confirmed)
    const account = await tokenAccountOf((await person(0)).address)
    return clients.rpc.getTokenAccountBalance(account, confirmed).send()
  },
  "the status of a swap": async (clients) => {
    const signature = await settledSwap(clients, 0, "status")
    const status = await settled(clients, signature)
    return { keys: Object.keys(status).toSorted(), err: status.err }
  },
  "the status of nothing": async ({ rpc }) => {
    const transaction = await signed(await relayer(), oldHash, await swap(await person(0), 1n))
    return rpc.getSignatureStatuses([getSignatureFromTransaction(transaction)]).send()
  },
  "a swap as json": async (clients) => {
    const signature = await settledSwap(clients, 0, "json")
    return clients.rpc
      .getTransaction(signature, { ...confirmed, encoding: "json", maxSupportedTransactionVersion: 0 })
      .send()
  },
  "a swap as base64": async (clients) => {
    const signature = await settledSwap(clients, 0, "base64")
    const found = await clients.rpc
      .getTransaction(signature, { ...confirmed, ...base64, maxSupportedTransactionVersion: 0 })
      .send()
    return { keys: Object.keys(found ?? {}).toSorted(), encoding: found?.transaction[1] }
  },
  "a swap without the requested version": async (clients) => {
    const signature = await settledSwap(clients, 0, "version")
    return clients.rpc.getTransaction(signature, { ...confirmed, encoding: "json" }).send()
  },
  "the signatures of a wallet": async (clients) => {
    await settledSwap(clients, 2, "listed")
    return clients.rpc.getSignaturesForAddress((await person(2)).address, { ...confirmed, limit: 1 }).send()
  },
  "a transfer of more than there is": async (clients) => send(clients, wireOf(await overdraft(clients))),
  "a transfer of more than there is, without preflight": async (clients) => {
    const transaction = await overdraft(clients)
    await send(clients, wireOf(transaction), true)
    const { err } = await settled(clients, getSignatureFromTransaction(transaction))
    return { err }
  },
  "a payer without money": async (clients) => send(clients, wireOf(await penniless(clients))),
  "a wrong signature": async (clients) => send(clients, wireOf(await forged(clients))),
  "a blockhash that is too old": async (clients) =>
    send(clients, wireOf(await signed(await relayer(), oldHash, await swap(await person(0), 1n)))),
  "the same transaction twice": async (clients) => {
    const transaction = await swapOf(clients, 0, 1_000_000n, "twice")
    await send(clients, wireOf(transaction))
    await settled(clients, getSignatureFromTransaction(transaction))
    return send(clients, wireOf(transaction))
  },
  "text that is not a transaction": (clients) => send(clients, "AAAA" as Base64EncodedWireTransaction),
  "text that is not base64": (clients) => send(clients, "%%%" as Base64EncodedWireTransaction),
  "a simulation": async (clients) =>
    clients.rpc
      .simulateTransaction(wireOf(await swapOf(clients, 0, 1n, "simulated")), { ...confirmed, ...base64 })
      .send(),
  "a simulation with accounts": async (clients) => {
    const account = await tokenAccountOf((await person(1)).address)
    const { value } = await clients.rpc
      .simulateTransaction(wireOf(await swapOf(clients, 1, 1_000_000n, "accounts")), {
        ...confirmed,
        ...base64,
        accounts: { addresses: [account], encoding: "jsonParsed" }
      })
      .send()
    return { accounts: value.accounts }
  },
  "a simulation that fails": async (clients) =>
    clients.rpc.simulateTransaction(wireOf(await overdraft(clients)), { ...confirmed, ...base64 }).send(),
  "a simulation with an old blockhash": async ({ rpc }) => {
    const transaction = await signed(await relayer(), oldHash, await swap(await person(0), 1n))
    return rpc.simulateTransaction(wireOf(transaction), { ...confirmed, ...base64 }).send()
  },
  "a simulation with the blockhash replaced": async ({ rpc }) => {
    const transaction = await signed(await relayer(), oldHash, await swap(await person(0), 1n))
    const { value } = await rpc
      .simulateTransaction(wireOf(transaction), { ...confirmed, ...base64, replaceRecentBlockhash: true })
      .send()
    return { err: value.err, replacement: Object.keys(value.replacementBlockhash ?? {}).toSorted() }
  },
  "a simulation that checks a wrong signature": async (clients) =>
    clients.rpc.simulateTransaction(wireOf(await forged(clients)), { ...confirmed, ...base64, sigVerify: true }).send(),
  "an account that would not pay its rent": async (clients) => {
    const payer = await relayer()
    const fresh = await generateKeyPairSigner()
    const transaction = await signed(payer, await lifetime(clients), [
      getCreateAccountInstruction({
        payer,
        newAccount: fresh,
        lamports: lamports(1n),
        space: 100,
        programAddress: memoProgram
      })
    ])
    return send(clients, wireOf(transaction))
  },
  "a lookup table made, read and used": async (clients) => {
    const owner = await relayer()
    const { table, wallet } = await withTable(clients, owner)
    const addresses = await fetchAddressesForLookupTables([table], clients.rpc, confirmed)
    const lifetimeNow = await lifetime(clients)
    const instructions = await swap(wallet, 1_000_000n, "by table")
    const transaction = await signed(owner, lifetimeNow, instructions, addresses)
    await clients.sendAndConfirm(transaction, confirmed)
    const found = (await clients.rpc
      .getTransaction(getSignatureFromTransaction(transaction), {
        ...confirmed,
        encoding: "json",
        maxSupportedTransactionVersion: 0
      })
      .send()) as Found | null
    const { value } = await clients.rpc.getAccountInfo(table, { ...confirmed, encoding: "jsonParsed" }).send()
    const data = value?.data
    return {
      addresses: addresses[table],
      loaded: found?.meta?.loadedAddresses,
      lookups: found?.transaction.message.addressTableLookups?.map(({ readonlyIndexes, writableIndexes }) => ({
        readonlyIndexes,
        writableIndexes
      })),
      data: data !== undefined && "parsed" in data ? { ...data, parsed: { type: data.parsed.type } } : data
    }
  },
  "a lookup table that is not there": async (clients) => {
    const owner = await relayer()
    const wallet = await person(0)
    const lifetimeNow = await lifetime(clients)
    const account = await tokenAccountOf(vault)
    const transfer = getTransferCheckedInstruction({
      source: await tokenAccountOf(wallet.address),
      mint: usdc,
      destination: account,
      authority: wallet,
      amount: 1n,
      decimals: 6
    })
    const transaction = await signed(owner, lifetimeNow, [transfer], { [emptyWallet]: [account] })
    return send(clients, wireOf(transaction))
  },
  "a subscription to a signature": async (clients) => {
    const transaction = await swapOf(clients, 0, 1n, "subscribed")
    const abort = new AbortController()
    const told = await clients.rpcSubscriptions
      .signatureNotifications(getSignatureFromTransaction(transaction), confirmed)
      .subscribe({ abortSignal: abort.signal })
    const heard = firstOf(told)
    await send(clients, wireOf(transaction))
    return heard.finally(() => abort.abort())
  },
  "a subscription to an account": async (clients) => {
    const account = await tokenAccountOf((await person(3)).address)
    const abort = new AbortController()
    const told = await clients.rpcSubscriptions
      .accountNotifications(account, { ...confirmed, encoding: "jsonParsed" })
      .subscribe({ abortSignal: abort.signal })
    const heard = firstOf(told)
    await send(clients, wireOf(await swapOf(clients, 3, 7n, "watched")))
    return heard.finally(() => abort.abort())
  },
  "a subscription to slots": async ({ rpcSubscriptions }) => {
    const abort = new AbortController()
    const told = await rpcSubscriptions.slotNotifications().subscribe({ abortSignal: abort.signal })
    const notification = await firstOf(told).finally(() => abort.abort())
    return { keys: Object.keys(notification).toSorted(), ordered: notification.parent < notification.slot }
  },
  "a subscription to logs": async (clients) => {
    const abort = new AbortController()
    const told = await clients.rpcSubscriptions
      .logsNotifications({ mentions: [memoProgram] }, confirmed)
      .subscribe({ abortSignal: abort.signal })
    const transaction = await swapOf(clients, 0, 1n, "logged")
    const heard = firstOf(told, ({ value }) => value.signature === getSignatureFromTransaction(transaction))
    await send(clients, wireOf(transaction))
    return heard.finally(() => abort.abort())
  }
}

/** The compared part of a transaction with lookups. */
interface Found {
  readonly meta: { readonly loadedAddresses: unknown } | null
  readonly transaction: {
    readonly message: {
      readonly addressTableLookups?: ReadonlyArray<{
        readonly readonlyIndexes: ReadonlyArray<number>
        readonly writableIndexes: ReadonlyArray<number>
      }>
    }
  }
}

/** Values that differ between runs: only their types are compared. */
const volatile = new Set([
  "slot",
  "absoluteSlot",
  "blockHeight",
  "slotIndex",
  "epoch",
  "transactionCount",
  "blockTime",
  "confirmations",
  "confirmationStatus",
  "blockhash",
  "recentBlockhash",
  "lastValidBlockHeight",
  "signature",
  "signatures",
  "root",
  "parent"
])

const normalize = (value: unknown): unknown => {
  if (typeof value === "bigint") return `${value}n`
  if (Array.isArray(value)) return value.map(normalize)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      // Real nodes include their version in responses but not in notifications; Surfpool includes it in both.
      .filter(([key]) => key !== "apiVersion")
      .toSorted(([a], [b]) => a.localeCompare(b))
      .map(([key, inner]: [string, unknown]) => [key, volatile.has(key) ? `a ${typeof inner}` : normalize(inner)])
  )
}

const timeoutMillis = 60_000

/** Runs a probe; returns its result or error in a comparable form. */
export const ask = async (probe: Probe, clients: Clients): Promise<unknown> => {
  const late = new Promise((_, reject) =>
    setTimeout(reject, timeoutMillis, new Error(`no answer in ${timeoutMillis} ms`)).unref()
  )
  try {
    return normalize(await Promise.race([probe(clients), late]))
  } catch (error) {
    if (!isSolanaError(error)) return { thrown: String(error) }
    const { __code, ...context } = error.context
    const cause = isSolanaError(error.cause) ? { code: error.cause.context.__code } : undefined
    return normalize({ refused: { code: __code, context, cause } })
  }
}
