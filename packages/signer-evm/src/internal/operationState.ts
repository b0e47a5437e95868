/** What became of a signed operation, at a block that cannot be replaced any more. */
import type { ChainReader } from "@geoswap/core"
import * as Effect from "effect/Effect"
import { keccak256 } from "viem/utils"
import { describeKind } from "./describeValue.js"
import { isObject, type Properties } from "./properties.js"
import { type RpcCall, NodeError } from "./jsonRpc.js"

type State = ChainReader.SignedState

/** ERC-7201 of `geoswap.account`, where every version of the account has `mapping(uint256 word => uint256 bits)`. */
const base = "863feabba2f4e71e97c54598384547439817eda7710e9823b37b132c9aca7000"

const slotOf = (nonce: bigint) => keccak256(`0x${(nonce >> 8n).toString(16).padStart(64, "0")}${base}`)

/** A parseQuantity or a word. `BigInt` alone would make 0 of an empty string. */
export const parseQuantity = (method: string, answer: unknown): Effect.Effect<bigint, NodeError> =>
  typeof answer === "string" && /^0x[0-9a-f]{1,64}$/i.test(answer)
    ? Effect.succeed(BigInt(answer))
    : Effect.fail(new NodeError(`answered ${method} with ${describeKind(answer)} that is not a number`))

const finalizedBlock = Effect.fnUntraced(function* (call: RpcCall) {
  const method = "eth_getBlockByNumber"
  // Never another tag: at a block that can still be replaced, an unused nonce proves nothing.
  const block = yield* Effect.mapError(call(method, ["finalized", false]), (error) =>
    error.code === undefined ? error : new NodeError(`${error.message}: it does not give finalized blocks`)
  )
  if (!isObject(block)) return yield* Effect.fail(new NodeError("has no finalized block"))
  const { hash, timestamp } = block as Properties<"hash" | "timestamp">
  if (typeof hash !== "string" || !/^0x[0-9a-f]{64}$/i.test(hash)) {
    return yield* Effect.fail(new NodeError(`answered ${method} with a block without a hash`))
  }
  return { hash, timestamp: yield* parseQuantity(method, timestamp) }
})

/**
 * The state of an operation as one node has it. The nonce is read from the wallet's storage, which outlives its
 * delegation, in the very block whose time is compared: the account refuses an operation in any block after its deadline.
 */
export const readOperationState = Effect.fnUntraced(function* (
  call: RpcCall,
  { deadline, nonce, wallet }: ChainReader.OperationQuery
): Effect.fn.Return<State, NodeError> {
  const { hash, timestamp } = yield* finalizedBlock(call)
  const block = { blockHash: hash, requireCanonical: true }
  const method = "eth_getStorageAt"
  const bits = yield* parseQuantity(method, yield* call(method, [wallet, slotOf(nonce), block]))
  if (((bits >> (nonce & 255n)) & 1n) === 1n) return "used"
  return timestamp > deadline ? "expired" : "open"
})

/** What several nodes know together: one may be behind another, but they cannot both be right about the end. */
export const combineStates = (states: ReadonlyArray<State>): State | undefined => {
  const [first] = states
  if (states.every((state) => state === first)) return first
  return states.includes("used") && states.includes("expired") ? undefined : "open"
}
