/** The SVM as a chain, with slots, expiring blockhashes, commitments and landed transactions. */
import { createRequire } from "node:module"
import {
  type Address,
  getCompiledTransactionMessageDecoder,
  getCompiledTransactionMessageEncoder,
  lamports as toLamports,
  type TransactionMessageBytes
} from "@solana/kit"
import { Clock, FailedTransactionMetadata, LiteSVM } from "litesvm"
import { blockhashes, type Block } from "./blocks.js"
import { feeOf } from "./fees.js"
import * as Nonce from "./nonce.js"
import { noMetadata, type Outcome, read, type TokenBalance } from "./outcome.js"
import * as LookupTable from "./lookupTable.js"
import * as Token from "./token.js"
import { isMalformed, toJson, type TransactionErrorJson } from "./transactionError.js"
import * as AccountHistory from "./accountHistory.js"
import { type DecodedTransaction, type Key, loadedAddresses, type Message, staticKeys } from "./decodeTransaction.js"

/** The commitment level of a request. */
export type Commitment = "processed" | "confirmed" | "finalized"

/** How far commitment levels lag behind the last slot. */
export interface CommitmentSlots {
  /** The number of slots until a transaction is confirmed. */
  readonly confirmationSlots: number
  /** The number of slots until a transaction is final. */
  readonly finalitySlots: number
}

/** A transaction in a block. */
export interface Landed extends Outcome {
  readonly decoded: DecodedTransaction
  readonly slot: number
  readonly blockTime: number
}

/** An event for subscribers. */
export type Event =
  | { readonly type: "slot"; readonly block: Block }
  | { readonly type: "transaction"; readonly landed: Landed }

/** The chain. Functions take effect before they return, because LiteSVM runs in this thread. */
export interface Ledger {
  readonly version: string
  readonly svm: LiteSVM
  readonly head: () => Block
  /** The last block at a commitment level. */
  readonly blockAt: (commitment: Commitment) => Block
  readonly blockOf: (slot: number) => Block | undefined
  /** The stored blocks from a slot onward, newest last. */
  readonly blocksFrom: (slot: number) => ReadonlyArray<Block>
  /** The last blocks, newest last. */
  readonly recent: (count: number) => ReadonlyArray<Block>
  readonly commitmentOf: (slot: number) => Commitment
  readonly account: (address: Address, block: Block) => AccountHistory.State
  readonly programAccounts: (program: Address, block: Block) => ReadonlyArray<NonNullable<AccountHistory.State>>
  readonly isBlockhashValid: (blockhash: string, block: Block) => boolean
  readonly simulate: (decoded: DecodedTransaction, block: Block, options: SimulateOptions) => Outcome
  /** Runs a transaction now, or queues it for the next slot while the chain is held. */
  readonly submit: (decoded: DecodedTransaction) => void
  readonly landed: (signature: string) => Landed | undefined
  readonly history: () => ReadonlyArray<Landed>
  readonly transactionCount: () => number
  readonly listen: (listener: (event: Event) => void) => () => void

  readonly advance: () => void
  readonly isHeld: () => boolean
  readonly hold: (held: boolean) => void
  /** Drops a waiting transaction. Returns whether the transaction was waiting. */
  readonly drop: (signature: string) => boolean
  /** Abandons the last blocks in favor of another fork. Returns false if one of these blocks is final. */
  readonly reorg: (depth: number) => boolean
  readonly setTime: (seconds: number) => void
  readonly setAccount: (account: NonNullable<AccountHistory.State>) => void
}

/** How a simulation differs from a real run. */
interface SimulateOptions {
  readonly verify: boolean
  /**
   * Whether to check that the blockhash is recent and the transaction is new, as a node does before it adds the
   * transaction to a block.
   */
  readonly fresh: boolean
}

const packageVersion = (): string => {
  const manifest = createRequire(import.meta.url)("litesvm/package.json") as { readonly version: string }
  return manifest.version
}

export const make = ({ confirmationSlots, finalitySlots }: CommitmentSlots): Ledger => {
  // Recent blockhashes and duplicates are checked below, because LiteSVM recognizes only the last blockhash.
  const svm = new LiteSVM().withNativeMints().withBlockhashCheck(false).withTransactionHistory(0n)
  const versions = AccountHistory.make()
  const listeners = new Set<(event: Event) => void>()
  const records = new Map<string, Landed>()
  /** The messages that blocks already include, kept so that no message runs twice. */
  const processed = new Map<string, string>()
  let waiting: ReadonlyArray<DecodedTransaction> = []
  let held = false
  let clockOffset = 0
  let count = 0

  const now = () => Math.floor(Date.now() / 1000) + clockOffset
  const chain = blockhashes({ slot: Number(svm.getClock().slot), blockhash: svm.latestBlockhash(), time: now() })
  const { head } = chain
  const slotsPerEpoch = svm.getEpochSchedule().slotsPerEpoch
  const startedAt = BigInt(now())

  const emit = (event: Event) => {
    for (const listener of listeners) listener(event)
  }

  let fed: Block | undefined
  /** The SVM with the sysvars of the last block. Setting them takes time, and nothing runs in most slots. */
  const withSysvars = (): LiteSVM => {
    const block = head()
    if (fed !== block) {
      const epoch = BigInt(block.slot) / slotsPerEpoch
      svm.setClock(new Clock(BigInt(block.slot), startedAt, epoch, epoch + 1n, BigInt(block.time)))
      svm.setSlotHashes(chain.slotHashes())
      fed = block
    }
    return svm
  }

  const present = (address: Address) =>
    AccountHistory.stateOf((address.startsWith("Sysvar") ? withSysvars() : svm).getAccount(address))
  const account: Ledger["account"] = (address, block) => {
    const version = versions.at(block.slot, address)
    return version === undefined ? present(address) : version.state
  }
  const put = (address: Address, state: AccountHistory.State) => {
    const none = { address, data: new Uint8Array(), executable: false, lamports: toLamports(0n), space: 0n }
    svm.setAccount(state ?? { ...none, programAddress: "11111111111111111111111111111111" as Address })
  }

  const keysOf = (message: Message, block: Block) => {
    const loaded = loadedAddresses(message, (table) => LookupTable.read(account(table, block))?.addresses ?? [])
    const fromTable = (address: Address, writable: boolean): Key => ({
      address,
      signer: false,
      writable,
      source: "lookupTable"
    })
    const keys = [
      ...staticKeys(message),
      ...loaded.writable.map((address) => fromTable(address, true)),
      ...loaded.readonly.map((address) => fromTable(address, false))
    ]
    return { loaded, keys }
  }

  const tokensOf = (keys: ReadonlyArray<Key>, states: ReadonlyArray<AccountHistory.State>, block: Block) =>
    keys.flatMap((_, accountIndex): ReadonlyArray<TokenBalance> => {
      const state = states[accountIndex]
      const held = Token.readAccount(state)
      const mint = held === undefined ? undefined : Token.readMint(account(held.mint, block))
      if (state === undefined || held === undefined || mint === undefined) return []
      const uiTokenAmount = Token.uiAmount(held.amount, mint.decimals)
      return [{ accountIndex, mint: held.mint, owner: held.owner, programId: state.programAddress, uiTokenAmount }]
    })

  /** The error that keeps a transaction out of a block before it even runs, or null if there is no such error. */
  const refusal = ({ message, transaction }: DecodedTransaction, block: Block): TransactionErrorJson | null => {
    const nonceAccount = Nonce.accountOf(message)
    const fresh =
      chain.isValid(message.lifetimeToken, block) ||
      (nonceAccount !== undefined && Nonce.isUsable(message, account(nonceAccount, block), block.blockhash))
    if (!fresh) return "BlockhashNotFound"
    return processed.has(Buffer.from(transaction.messageBytes).toString("base64")) ? "AlreadyProcessed" : null
  }

  const outcomeOf = (
    { message }: DecodedTransaction,
    block: Block,
    run: () => Pick<Outcome, "err" | "executed" | "inner" | "logs" | "returnData" | "units">,
    after: (address: Address) => AccountHistory.State
  ): Outcome => {
    const { keys, loaded } = keysOf(message, block)
    const pre = keys.map(({ address }) => account(address, block))
    const ran = run()
    const post = keys.map(({ address }, index) => (keys[index]?.writable === true ? after(address) : pre[index]))
    return {
      ...ran,
      keys,
      loaded,
      fee: feeOf(message),
      pre,
      post,
      preTokens: tokensOf(keys, pre, block),
      postTokens: tokensOf(keys, post, block)
    }
  }

  /** Runs a task with the given accounts restored to their state as of a block. */
  const atBlock = <A>(addresses: ReadonlyArray<Address>, block: Block, task: () => A): A => {
    const moved = addresses.flatMap((address) => {
      const version = versions.at(block.slot, address)
      return version === undefined ? [] : [{ address, past: version.state, today: present(address) }]
    })
    for (const { address, past } of moved) put(address, past)
    try {
      return task()
    } finally {
      for (const { address, today } of moved) put(address, today)
    }
  }

  const simulate: Ledger["simulate"] = (decoded, block, { fresh, verify }) => {
    const refused = fresh ? refusal(decoded, block) : null
    const posts = new Map<Address, AccountHistory.State>()
    const { keys } = keysOf(decoded.message, block)
    const tables = (decoded.message.addressTableLookups ?? []).map(({ lookupTableAddress }) => lookupTableAddress)
    return outcomeOf(
      decoded,
      block,
      () => {
        if (refused !== null && !verify) return { err: refused, ...noMetadata }
        svm.withSigverify(verify)
        try {
          return atBlock([...keys.map(({ address }) => address), ...tables], block, () => {
            const result = withSysvars().simulateTransaction(decoded.transaction)
            if (result instanceof FailedTransactionMetadata) {
              const err = toJson(result.err())
              // Malformed messages are reported first, then signature errors, then lifetime errors.
              const first = err === "SignatureFailure" || isMalformed(err) ? err : (refused ?? err)
              return first === err ? { err, ...read(result.meta()) } : { err: first, ...noMetadata }
            }
            if (refused !== null) return { err: refused, ...noMetadata }
            for (const post of result.postAccounts()) {
              posts.set(post.address, post.lamports > 0n ? post : undefined)
            }
            return { err: null, ...read(result.meta()) }
          })
        } finally {
          svm.withSigverify(true)
        }
      },
      (address) => (posts.has(address) ? posts.get(address) : account(address, block))
    )
  }

  /** Runs a transaction in the current block. A transaction that cannot be included in a block is silently dropped. */
  const execute = (decoded: DecodedTransaction) => {
    const block = head()
    const { message, signature, transaction } = decoded
    if (refusal(decoded, block) !== null) return
    const nonceAccount = chain.isValid(message.lifetimeToken, block) ? undefined : Nonce.accountOf(message)
    const outcome = outcomeOf(
      decoded,
      block,
      () => {
        const result = withSysvars().sendTransaction(transaction)
        if (!(result instanceof FailedTransactionMetadata)) return { err: null, ...read(result) }
        const failed = { err: toJson(result.err()), ...read(result.meta()) }
        const nonce = failed.executed && nonceAccount !== undefined ? present(nonceAccount) : undefined
        if (nonce !== undefined) svm.setAccount(Nonce.advanced(nonce, block.blockhash))
        return failed
      },
      present
    )
    if (!outcome.executed) return
    count += 1
    for (const [index, { address }] of outcome.keys.entries()) {
      versions.record(block.slot, address, outcome.pre[index], outcome.post[index])
    }
    const landed = { ...outcome, decoded, slot: block.slot, blockTime: block.time }
    records.set(signature, landed)
    processed.set(Buffer.from(transaction.messageBytes).toString("base64"), signature)
    emit({ type: "transaction", landed })
  }

  /** The latest block that was reported as final. It stays final, even if later blocks are abandoned. */
  let root = chain.back(finalitySlots)
  const blockAt: Ledger["blockAt"] = (commitment) => {
    if (commitment === "processed") return head()
    const block = chain.back(commitment === "confirmed" ? confirmationSlots : finalitySlots)
    if (commitment === "finalized" && block.slot > root.slot) root = block
    return block.slot < root.slot ? root : block
  }

  return {
    version: packageVersion(),
    svm,
    head,
    blockAt,
    blockOf: chain.blockOf,
    blocksFrom: chain.from,
    recent: chain.recent,
    commitmentOf: (slot) =>
      slot <= blockAt("finalized").slot ? "finalized" : slot <= blockAt("confirmed").slot ? "confirmed" : "processed",
    account,
    programAccounts: (program, block) => {
      const addresses = new Set([
        ...svm.getProgramAccounts(program).map(({ address }) => address),
        ...versions.addresses()
      ])
      return [...addresses].flatMap((address) => {
        const state = account(address, block)
        return state?.programAddress === program ? [state] : []
      })
    },
    isBlockhashValid: chain.isValid,
    simulate,
    submit: (decoded) => {
      // The transaction is queued behind those that are already waiting, even right after a release.
      if (held || waiting.length > 0) waiting = [...waiting, decoded]
      else execute(decoded)
    },
    landed: (signature) => records.get(signature),
    history: () => [...records.values()],
    transactionCount: () => count,
    listen: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    advance: () => {
      svm.expireBlockhash()
      chain.push(svm.latestBlockhash(), now())
      const decoded = waiting
      waiting = []
      for (const one of decoded) execute(one)
      versions.prune(blockAt("finalized").slot)
      emit({ type: "slot", block: head() })
    },
    isHeld: () => held,
    hold: (next) => void (held = next),
    drop: (signature) => {
      const left = waiting.filter((one) => one.signature !== signature)
      const found = left.length < waiting.length
      waiting = left
      return found
    },
    reorg: (depth) => {
      const fork = chain.back(depth)
      if (depth < 1 || fork.slot < blockAt("finalized").slot || fork.slot === head().slot) return false
      for (const { address, state } of versions.since(fork.slot)) put(address, state)
      versions.rewind(fork.slot)
      for (const [signature, { decoded, slot }] of records) {
        if (slot <= fork.slot) continue
        records.delete(signature)
        processed.delete(Buffer.from(decoded.transaction.messageBytes).toString("base64"))
        count -= 1
      }
      svm.expireBlockhash()
      chain.fork(depth, svm.latestBlockhash(), now())
      emit({ type: "slot", block: head() })
      return true
    },
    setTime: (seconds) => void (clockOffset = seconds - Math.floor(Date.now() / 1000)),
    setAccount: (state) => svm.setAccount(state)
  }
}

/** The same transaction with a different blockhash, which invalidates its signatures. */
export const withBlockhash = (decoded: DecodedTransaction, blockhash: string): DecodedTransaction => {
  const compiled = getCompiledTransactionMessageDecoder().decode(decoded.transaction.messageBytes)
  const messageBytes = getCompiledTransactionMessageEncoder().encode({
    ...compiled,
    lifetimeToken: blockhash
  }) as TransactionMessageBytes
  const message = { ...decoded.message, lifetimeToken: blockhash }
  return { ...decoded, message, transaction: { ...decoded.transaction, messageBytes } }
}
