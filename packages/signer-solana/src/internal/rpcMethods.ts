/** Reading a Solana node's answers. Anything of another form is a fault of the node. */
import * as Effect from "effect/Effect"
import { NodeError, type RpcCall } from "./jsonRpc.js"
import { readProperty } from "./properties.js"

/** A finalized block. */
export interface FinalizedBlock {
  readonly slot: number
  readonly height: number
}

/** A transaction as a node lists it. */
export interface ListedTransaction {
  readonly signature: string
  /** Unix milliseconds, if the node knows. */
  readonly time: number | undefined
  readonly memo: string | undefined
  readonly failed: boolean
}

/** A transaction as a node shows it. */
export interface LandedTransaction {
  /** Base64. */
  readonly text: string
  readonly failed: boolean
}

const isWhole = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0

/** What a node answers, read by `form`, which gives nothing for another form. */
const callAndParse = <A>(
  call: RpcCall,
  method: string,
  params: ReadonlyArray<unknown>,
  parse: (answer: unknown) => A | undefined
): Effect.Effect<A, NodeError> =>
  Effect.flatMap(call(method, params), (answer) => {
    const value = parse(answer)
    return value === undefined
      ? Effect.fail(new NodeError(`answered ${method} in another form than Solana nodes do`))
      : Effect.succeed(value)
  })

const commitment = "finalized"

/** The newest finalized block. */
export const getFinalizedBlock = (call: RpcCall): Effect.Effect<FinalizedBlock, NodeError> =>
  callAndParse(call, "getEpochInfo", [{ commitment }], (answer) => {
    const [slot, height] = [readProperty(answer, "absoluteSlot"), readProperty(answer, "blockHeight")]
    return isWhole(slot) && isWhole(height) ? { slot, height } : undefined
  })

/** The time of a block in Unix milliseconds. */
export const getBlockTime = (call: RpcCall, slot: number): Effect.Effect<number, NodeError> =>
  callAndParse(call, "getBlockTime", [slot], (answer) => (isWhole(answer) ? answer * 1000 : undefined))

/** Whether a transaction with this blockhash could land, at `final` or later. */
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
  // A URL may lead to several nodes.
  if (answer.found < slot) return yield* Effect.fail(new NodeError(`answered ${method} from before slot ${slot}`))
  return answer.value
})

const parseListed = (entry: unknown): ListedTransaction | undefined => {
  const [blockTime, err, memo, signature] = ["blockTime", "err", "memo", "signature"].map((name) =>
    readProperty(entry, name)
  )
  const hasForm =
    typeof signature === "string" &&
    /^[1-9A-HJ-NP-Za-km-z]{64,88}$/.test(signature) &&
    err !== undefined &&
    (blockTime === undefined || blockTime === null || isWhole(blockTime)) &&
    (memo === undefined || memo === null || typeof memo === "string")
  return hasForm
    ? {
        signature,
        time: isWhole(blockTime) ? blockTime * 1000 : undefined,
        memo: typeof memo === "string" ? memo : undefined,
        failed: err !== null
      }
    : undefined
}

/** The finalized transactions that name an address, the newest first, up to a thousand. */
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

/** A finalized transaction that the node listed. */
export const getTransaction = (call: RpcCall, signature: string): Effect.Effect<LandedTransaction, NodeError> => {
  const options = { commitment, encoding: "base64", maxSupportedTransactionVersion: 0 }
  return callAndParse(call, "getTransaction", [signature, options], (answer) => {
    const [text, encoding] = Array.from((readProperty(answer, "transaction") ?? []) as ArrayLike<unknown>)
    const err = readProperty(readProperty(answer, "meta"), "err")
    return typeof text === "string" && encoding === "base64" && err !== undefined
      ? { text, failed: err !== null }
      : undefined
  })
}

/** The first block after the genesis that a node has, if it has one. */
export const getFirstSlot = Effect.fnUntraced(function* (
  call: RpcCall
): Effect.fn.Return<number | undefined, NodeError> {
  const first = yield* callAndParse(call, "getFirstAvailableBlock", [], (answer) =>
    isWhole(answer) ? answer : undefined
  )
  if (first > 0) return first
  // A node that started from a snapshot a moment ago answers 0 too, and has the genesis alone or no block at all.
  const [, second] = yield* callAndParse(call, "getBlocksWithLimit", [0, 2, { commitment }], (answer) =>
    Array.isArray(answer) && answer.every(isWhole) ? answer : undefined
  )
  return second
})

/** An account's owner and data; `null` if there is none. */
export const getAccount = (call: RpcCall, address: string) =>
  callAndParse(call, "getAccountInfo", [address, { commitment, encoding: "base64" }], (answer) => {
    const value = readProperty(answer, "value")
    if (value === null) return null
    const owner = readProperty(value, "owner")
    const [text, encoding] = Array.from((readProperty(value, "data") ?? []) as ArrayLike<unknown>)
    return typeof owner === "string" && typeof text === "string" && encoding === "base64" ? { owner, text } : undefined
  })

/** The network that a node is of. */
export const getGenesisHash = (call: RpcCall): Effect.Effect<string, NodeError> =>
  callAndParse(call, "getGenesisHash", [], (answer) =>
    typeof answer === "string" && /^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(answer) ? answer : undefined
  )
