/** A Solana node's RPC methods. A response with an unexpected shape is treated as a node error. */
import { NodeError, type RpcCall } from "@geoswap/core/adapters"
import * as Effect from "effect/Effect"
import { readProperty } from "./properties.js"

/** A finalized block. */
export interface FinalizedBlock {
  readonly slot: number
  readonly height: number
}

/** A transaction as listed by a node. */
export interface ListedTransaction {
  readonly signature: string
  /** The transaction's time in Unix milliseconds, if known to the node. */
  readonly time: number | undefined
  readonly memo: string | undefined
  readonly failed: boolean
}

/** A transaction that landed. */
export interface LandedTransaction {
  /** The transaction, in base64. */
  readonly text: string
  readonly failed: boolean
  /** The transaction's time in Unix milliseconds, if known to the node. */
  readonly time: number | undefined
}

const isWhole = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0

/** Sends a request and parses the response. `parse` returns `undefined` for an unexpected shape. */
const callAndParse = <A>(
  call: RpcCall,
  method: string,
  params: ReadonlyArray<unknown>,
  parse: (answer: unknown) => A | undefined
): Effect.Effect<A, NodeError> =>
  Effect.flatMap(call(method, params), (answer) => {
    const value = parse(answer)
    return value === undefined
      ? Effect.fail(new NodeError(`returned an unexpected response for ${method}`))
      : Effect.succeed(value)
  })

const commitment = "finalized"

/** Returns the base64 text in `[text, "base64"]`, the form in which nodes return transactions and data. */
const base64In = (value: unknown): string | undefined => {
  const [text, encoding] = Array.isArray(value) ? (value as ReadonlyArray<unknown>) : []
  return typeof text === "string" && encoding === "base64" ? text : undefined
}

/** Returns the latest finalized block. */
export const getFinalizedBlock = (call: RpcCall): Effect.Effect<FinalizedBlock, NodeError> =>
  callAndParse(call, "getEpochInfo", [{ commitment }], (answer) => {
    const [slot, height] = [readProperty(answer, "absoluteSlot"), readProperty(answer, "blockHeight")]
    return isWhole(slot) && isWhole(height) ? { slot, height } : undefined
  })

/** Returns a block's time in Unix milliseconds. */
export const getBlockTime = (call: RpcCall, slot: number): Effect.Effect<number, NodeError> =>
  callAndParse(call, "getBlockTime", [slot], (answer) => (isWhole(answer) ? answer * 1000 : undefined))

/** Returns whether a transaction with this blockhash can still land, as of the specified block or a later one. */
export const isBlockhashValid = Effect.fnUntraced(function* (
  call: RpcCall,
  blockhash: string,
  at: "processed" | "finalized",
  { slot }: FinalizedBlock
): Effect.fn.Return<boolean, NodeError> {
  const method = "isBlockhashValid"
  const answer = yield* callAndParse(call, method, [blockhash, { commitment: at, minContextSlot: slot }], (given) => {
    const [found, value] = [readProperty(readProperty(given, "context"), "slot"), readProperty(given, "value")]
    return isWhole(found) && typeof value === "boolean" ? { found, value } : undefined
  })
  // Several nodes may share one URL, so the response may come from a node that lags behind.
  if (answer.found < slot)
    return yield* Effect.fail(new NodeError(`returned a response for ${method} from before slot ${slot}`))
  return answer.value
})

const parseListed = (entry: unknown): ListedTransaction | undefined => {
  const [blockTime, err, memo, signature] = ["blockTime", "err", "memo", "signature"].map((name) =>
    readProperty(entry, name)
  )
  const isListed =
    typeof signature === "string" &&
    /^[1-9A-HJ-NP-Za-km-z]{64,88}$/.test(signature) &&
    err !== undefined &&
    (blockTime === undefined || blockTime === null || isWhole(blockTime)) &&
    (memo === undefined || memo === null || typeof memo === "string")
  return isListed
    ? {
        signature,
        time: isWhole(blockTime) ? blockTime * 1000 : undefined,
        memo: typeof memo === "string" ? memo : undefined,
        failed: err !== null
      }
    : undefined
}

/** Lists up to 1,000 finalized transactions that contain an address, newest first. */
export const getSignaturesForAddress = (
  call: RpcCall,
  address: string,
  slot: number,
  before: string | undefined
): Effect.Effect<ReadonlyArray<ListedTransaction>, NodeError> => {
  const options = { commitment, minContextSlot: slot, limit: 1000, ...(before !== undefined && { before }) }
  return callAndParse(call, "getSignaturesForAddress", [address, options], (answer) => {
    const entries = Array.isArray(answer) ? answer.map(parseListed) : [undefined]
    return entries.every((entry) => entry !== undefined) ? entries : undefined
  })
}

/** The highest version of the transactions that are read. Other people send every version. */
const maxVersion = 1

/**
 * Whether a node refuses to return a transaction because of a version that did not exist when this was written. The
 * message must name the version: a node that ignores `maxSupportedTransactionVersion` refuses version 0 with the same
 * code.
 */
const isNewer = ({ code, details }: NodeError): boolean =>
  code === -32015 && Number(/^Transaction version \((\d{1,3})\) is not supported/.exec(details)?.[1]) > maxVersion

/**
 * Returns a finalized transaction, or `null` if the node has none with this signature. `"newer"` if its version is higher
 * than 1, so that it is neither a transaction that a wallet signed here nor a payment, which have version 0.
 */
export const findTransaction = (
  call: RpcCall,
  signature: string
): Effect.Effect<LandedTransaction | "newer" | null, NodeError> => {
  const options = { commitment, encoding: "base64", maxSupportedTransactionVersion: maxVersion }
  return callAndParse(call, "getTransaction", [signature, options], (answer) => {
    if (answer === null) return null
    const text = base64In(readProperty(answer, "transaction"))
    const err = readProperty(readProperty(answer, "meta"), "err")
    const time = readProperty(answer, "blockTime")
    return text !== undefined && err !== undefined
      ? { text, failed: err !== null, time: isWhole(time) ? time * 1000 : undefined }
      : undefined
  }).pipe(
    Effect.catch((error): Effect.Effect<"newer", NodeError> =>
      isNewer(error) ? Effect.succeed("newer") : Effect.fail(error)
    )
  )
}

/** Returns a finalized transaction that the node has listed. */
export const getTransaction = (
  call: RpcCall,
  signature: string
): Effect.Effect<LandedTransaction | "newer", NodeError> =>
  Effect.flatMap(findTransaction(call, signature), (found) =>
    found === null ? Effect.fail(new NodeError("does not have a transaction that it lists")) : Effect.succeed(found)
  )

/** Returns the slot of the first block after genesis that a node has, or `undefined` if it has none. */
export const getFirstSlot = Effect.fnUntraced(function* (
  call: RpcCall
): Effect.fn.Return<number | undefined, NodeError> {
  const first = yield* callAndParse(call, "getFirstAvailableBlock", [], (answer) =>
    isWhole(answer) ? answer : undefined
  )
  if (first > 0) return first
  // A node that has just started from a snapshot also returns 0, and has only the genesis block or no blocks.
  const [, second] = yield* callAndParse(call, "getBlocksWithLimit", [0, 2, { commitment }], (answer) =>
    Array.isArray(answer) && answer.every(isWhole) ? answer : undefined
  )
  return second
})

/** Returns the owner and data of an account, or `null` if the account does not exist. */
export const getAccount = (call: RpcCall, address: string) =>
  callAndParse(call, "getAccountInfo", [address, { commitment, encoding: "base64" }], (answer) => {
    const value = readProperty(answer, "value")
    if (value === null) return null
    const owner = readProperty(value, "owner")
    const text = base64In(readProperty(value, "data"))
    return typeof owner === "string" && text !== undefined ? { owner, text } : undefined
  })

/** Returns the balance of an account in lamports. */
export const getLamports = (call: RpcCall, address: string): Effect.Effect<bigint, NodeError> =>
  callAndParse(call, "getBalance", [address, { commitment: "confirmed" }], (answer) => {
    const value = readProperty(answer, "value")
    return isWhole(value) ? BigInt(value) : undefined
  })

/** Returns the data of a wallet's accounts for a token, in base64. */
export const getTokenAccounts = (
  call: RpcCall,
  owner: string,
  mint: string
): Effect.Effect<ReadonlyArray<string>, NodeError> => {
  const options = { commitment: "confirmed", encoding: "base64" }
  return callAndParse(call, "getTokenAccountsByOwner", [owner, { mint }, options], (answer) => {
    const entries = readProperty(answer, "value")
    if (!Array.isArray(entries)) return undefined
    const texts = entries.map((entry) => base64In(readProperty(readProperty(entry, "account"), "data")))
    return texts.every((text) => text !== undefined) ? texts : undefined
  })
}

/** Returns the genesis hash, which identifies a node's network. */
export const getGenesisHash = (call: RpcCall): Effect.Effect<string, NodeError> =>
  callAndParse(call, "getGenesisHash", [], (answer) =>
    typeof answer === "string" && /^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(answer) ? answer : undefined
  )
