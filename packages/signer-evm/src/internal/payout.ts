/** Reads what a transaction paid for an order, from the events of a vault. */
import type { ChainReader } from "@geoswap/core"
import { NodeError, type RpcCall } from "@geoswap/core/adapters"
import * as Effect from "effect/Effect"
import { blockAt, finalizedBlock, isHash, parseQuantity } from "./block.js"
import { isObject, type Properties } from "./properties.js"

/** The topics of `Delivered(bytes32,address,address,uint256)` and `Refunded(bytes32,address,address,uint256)`. */
const topics = {
  delivery: "0x493fd86bfdc38595c4b9f7af340dae302be50330698d3b08965fac9860bc8fb1",
  refund: "0x2e0668a62a5f556368dca9c7113e20f2852c05155548243804bf714ce72b25a6"
} as const

const word = (value: string): string => `0x${value.slice(2).toLowerCase().padStart(64, "0")}`

const equals = (found: unknown, expected: string | undefined): boolean =>
  typeof found === "string" && found.toLowerCase() === expected?.toLowerCase()

/** The amount in an event, if it is the payment that the query asks for, in this transaction and block. */
const amountIn = (
  log: unknown,
  { kind, orderId, recipient, token, txHash, vaults }: ChainReader.PayoutQuery,
  hash: string
): bigint => {
  if (!isObject(log)) return 0n
  const {
    address,
    blockHash,
    data,
    removed,
    topics: found,
    transactionHash
  } = log as Properties<"address" | "blockHash" | "data" | "removed" | "topics" | "transactionHash">
  const expected = [topics[kind], ...[orderId, recipient, token].map(word)]
  const isPayment =
    removed !== true &&
    equals(transactionHash, txHash) &&
    equals(blockHash, hash) &&
    vaults.some((vault) => equals(address, vault)) &&
    Array.isArray(found) &&
    found.length === expected.length &&
    found.every((topic, index) => equals(topic, expected[index]))
  return isPayment && isHash(data) ? BigInt(data) : 0n
}

/**
 * Reads from one node what the transaction paid for the order. The vault pays each order at most once, so amounts are not
 * added. A payment from before the signature belongs to another swap with the same order id.
 */
export const readPayout = Effect.fnUntraced(function* (
  call: RpcCall,
  query: ChainReader.PayoutQuery
): Effect.fn.Return<bigint, NodeError> {
  const method = "eth_getTransactionReceipt"
  const receipt = yield* call(method, [query.txHash])
  if (receipt === null) return 0n
  if (!isObject(receipt)) return yield* Effect.fail(new NodeError(`returned no receipt for ${method}`))
  const { blockHash, blockNumber, logs, status, transactionHash } = receipt as Properties<
    "blockHash" | "blockNumber" | "logs" | "status" | "transactionHash"
  >
  // Some nodes return a receipt for a pending transaction.
  if (blockNumber === null) return 0n
  if (!equals(transactionHash, query.txHash) || !isHash(blockHash) || !Array.isArray(logs)) {
    return yield* Effect.fail(new NodeError(`returned something other than the transaction's receipt for ${method}`))
  }
  const number = yield* parseQuantity(method, blockNumber)
  if ((yield* parseQuantity(method, status)) !== 1n) return 0n
  if (number > (yield* finalizedBlock(call)).number) return 0n
  // A node may still have the receipt of a block that was reorged out.
  const { hash, timestamp } = yield* blockAt(call, number)
  if (!equals(blockHash, hash) || timestamp * 1000 < query.since) return 0n
  return logs.reduce<bigint>((most, log) => {
    const amount = amountIn(log, query, hash)
    return amount > most ? amount : most
  }, 0n)
})
