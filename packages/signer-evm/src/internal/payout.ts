/** Reads what a transaction paid for an order, from the events of a vault. */
import type { ChainReader } from "@geoswap/core"
import { NodeError, type RpcCall } from "@geoswap/core/adapters"
import * as Effect from "effect/Effect"
import { parseQuantity } from "./operationState.js"
import { isObject, type Properties } from "./properties.js"

/** The topics of `Delivered(bytes32,address,address,uint256)` and `Refunded(bytes32,address,address,uint256)`. */
const topics = {
  delivery: "0x493fd86bfdc38595c4b9f7af340dae302be50330698d3b08965fac9860bc8fb1",
  refund: "0x2e0668a62a5f556368dca9c7113e20f2852c05155548243804bf714ce72b25a6"
} as const

const word = (value: string): string => `0x${value.slice(2).toLowerCase().padStart(64, "0")}`

/** The amount in an event, if it is the payment that the query asks for. */
const amountIn = (log: unknown, { kind, orderId, recipient, token, vaults }: ChainReader.PayoutQuery): bigint => {
  if (!isObject(log)) return 0n
  const { address, data, removed, topics: found } = log as Properties<"address" | "data" | "removed" | "topics">
  const expected = [topics[kind], ...[orderId, recipient, token].map(word)]
  const isPayment =
    removed !== true &&
    typeof address === "string" &&
    vaults.some((vault) => vault.toLowerCase() === address.toLowerCase()) &&
    Array.isArray(found) &&
    found.length === expected.length &&
    found.every((topic, index) => typeof topic === "string" && topic.toLowerCase() === expected[index])
  return isPayment && typeof data === "string" && /^0x[0-9a-f]{64}$/i.test(data) ? BigInt(data) : 0n
}

interface Block {
  readonly hash: unknown
  readonly number: bigint
  /** In Unix seconds. */
  readonly timestamp: bigint
}

const blockOf = Effect.fnUntraced(function* (call: RpcCall, at: string): Effect.fn.Return<Block, NodeError> {
  const method = "eth_getBlockByNumber"
  const block = yield* call(method, [at, false])
  if (!isObject(block)) return yield* Effect.fail(new NodeError(`returned no block for ${method}`))
  const { hash, number, timestamp } = block as Properties<"hash" | "number" | "timestamp">
  return { hash, number: yield* parseQuantity(method, number), timestamp: yield* parseQuantity(method, timestamp) }
})

/**
 * Reads from one node what the transaction paid for the order. The vault pays each order at most once, and a payment from
 * before the signature belongs to another swap with the same order id.
 */
export const readPayout = Effect.fnUntraced(function* (
  call: RpcCall,
  query: ChainReader.PayoutQuery
): Effect.fn.Return<bigint, NodeError> {
  const method = "eth_getTransactionReceipt"
  const receipt = yield* call(method, [query.txHash])
  if (receipt === null) return 0n
  if (!isObject(receipt)) return yield* Effect.fail(new NodeError(`returned no receipt for ${method}`))
  const { blockHash, blockNumber, logs } = receipt as Properties<"blockHash" | "blockNumber" | "logs">
  const number = yield* parseQuantity(method, blockNumber)
  if (number > (yield* blockOf(call, "finalized")).number) return 0n
  // A node may still have the receipt of a block that was reorged out.
  const block = yield* blockOf(call, `0x${number.toString(16)}`)
  if (typeof blockHash !== "string" || block.hash !== blockHash || !Array.isArray(logs)) return 0n
  if (Number(block.timestamp) * 1000 < query.since) return 0n
  return logs.map((log) => amountIn(log, query)).find((amount) => amount > 0n) ?? 0n
})
