/** Reads blocks, and the numbers in a node's responses. */
import { NodeError, type RpcCall } from "@geoswap/core/adapters"
import * as Effect from "effect/Effect"
import { describeKind } from "./describeValue.js"
import { isObject, type Properties } from "./properties.js"

/** A block of the chain. */
export interface Block {
  readonly hash: string
  readonly number: bigint
  /** In Unix seconds. */
  readonly timestamp: number
}

/** Parses a quantity or a 32-byte word. `BigInt` alone would parse an empty string as 0. */
export const parseQuantity = (method: string, answer: unknown): Effect.Effect<bigint, NodeError> =>
  typeof answer === "string" && /^0x[0-9a-f]{1,64}$/i.test(answer)
    ? Effect.succeed(BigInt(answer))
    : Effect.fail(new NodeError(`returned ${describeKind(answer)} instead of a number for ${method}`))

/** Whether a value is a 32-byte hash. */
export const isHash = (value: unknown): value is string => typeof value === "string" && /^0x[0-9a-f]{64}$/i.test(value)

const method = "eth_getBlockByNumber"

const parseBlock = Effect.fnUntraced(function* (block: object): Effect.fn.Return<Block, NodeError> {
  const { hash, number, timestamp } = block as Properties<"hash" | "number" | "timestamp">
  if (!isHash(hash)) return yield* Effect.fail(new NodeError(`returned a block without a hash for ${method}`))
  const seconds = Number(yield* parseQuantity(method, timestamp))
  if (!Number.isSafeInteger(seconds * 1000)) {
    return yield* Effect.fail(new NodeError(`returned a block with an invalid time for ${method}`))
  }
  return { hash: hash.toLowerCase(), number: yield* parseQuantity(method, number), timestamp: seconds }
})

/** Reads the newest finalized block. Any other block can still be reorged out, so what it contains proves nothing. */
export const finalizedBlock = Effect.fnUntraced(function* (call: RpcCall): Effect.fn.Return<Block, NodeError> {
  const block = yield* Effect.mapError(call(method, ["finalized", false]), (error) =>
    error.code === undefined ? error : new NodeError(`${error.message}: it does not support finalized blocks`)
  )
  return isObject(block) ? yield* parseBlock(block) : yield* Effect.fail(new NodeError("returned no finalized block"))
})

/** Reads the block of the canonical chain with this number. */
export const blockAt = Effect.fnUntraced(function* (call: RpcCall, number: bigint): Effect.fn.Return<Block, NodeError> {
  const found = yield* call(method, [`0x${number.toString(16)}`, false])
  const block = isObject(found) ? yield* parseBlock(found) : undefined
  return block?.number === number
    ? block
    : yield* Effect.fail(new NodeError(`returned no block ${number}, or another one, for ${method}`))
})
