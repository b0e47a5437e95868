/** What became of a signed operation, at a block that cannot be replaced any more. */
import type { ChainReader } from "@geoswap/core"
import * as Effect from "effect/Effect"
import { keccak256 } from "viem/utils"
import { hasMembers, kindOf, type Members } from "./given.js"
import { type Ask, Fault } from "./jsonRpc.js"

type State = ChainReader.SignedState

/** ERC-7201 of `geoswap.account`, where every version of the account has `mapping(uint256 word => uint256 bits)`. */
const base = "863feabba2f4e71e97c54598384547439817eda7710e9823b37b132c9aca7000"

const slotOf = (nonce: bigint) => keccak256(`0x${(nonce >> 8n).toString(16).padStart(64, "0")}${base}`)

/** A quantity or a word. `BigInt` alone would make 0 of an empty string. */
export const quantity = (method: string, given: unknown): Effect.Effect<bigint, Fault> =>
  typeof given === "string" && /^0x[0-9a-f]{1,64}$/i.test(given)
    ? Effect.succeed(BigInt(given))
    : Effect.fail(new Fault(`answered ${method} with ${kindOf(given)} that is not a number`))

const finalizedBlock = Effect.fnUntraced(function* (ask: Ask) {
  const method = "eth_getBlockByNumber"
  // Never another tag: at a block that can still be replaced, an unused nonce proves nothing.
  const block = yield* Effect.mapError(ask(method, ["finalized", false]), (fault) =>
    fault.code === undefined ? fault : new Fault(`${fault.message}: it does not give finalized blocks`)
  )
  if (!hasMembers(block)) return yield* Effect.fail(new Fault("has no finalized block"))
  const { hash, timestamp } = block as Members<"hash" | "timestamp">
  if (typeof hash !== "string" || !/^0x[0-9a-f]{64}$/i.test(hash)) {
    return yield* Effect.fail(new Fault(`answered ${method} with a block without a hash`))
  }
  return { hash, timestamp: yield* quantity(method, timestamp) }
})

/**
 * The state of an operation as one node has it. The nonce is read from the wallet's storage, which outlives its
 * delegation, in the very block whose time is compared: the account refuses an operation in any block after its deadline.
 */
export const operationStateAt = Effect.fnUntraced(function* (
  ask: Ask,
  { deadline, nonce, wallet }: ChainReader.OperationQuery
): Effect.fn.Return<State, Fault> {
  const { hash, timestamp } = yield* finalizedBlock(ask)
  const block = { blockHash: hash, requireCanonical: true }
  const method = "eth_getStorageAt"
  const bits = yield* quantity(method, yield* ask(method, [wallet, slotOf(nonce), block]))
  if (((bits >> (nonce & 255n)) & 1n) === 1n) return "used"
  return timestamp > deadline ? "expired" : "open"
})

/** What several nodes know together: one may be behind another, but they cannot both be right about the end. */
export const combineStates = (states: ReadonlyArray<State>): State | undefined => {
  const [first] = states
  if (states.every((state) => state === first)) return first
  return states.includes("used") && states.includes("expired") ? undefined : "open"
}
