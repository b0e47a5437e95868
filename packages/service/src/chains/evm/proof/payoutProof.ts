/**
 * Reads what one transaction paid for an order, according to a quorum of nodes. Only the vaults' events are accepted as
 * proof.
 */
import { GeoVault } from "@geoswap/contracts"
import * as Effect from "effect/Effect"
import { type Address, decodeEventLog, type Hex } from "viem"
import type { ChainUnavailable } from "../../ChainError.js"
import type { Payment } from "../../Outcome.js"
import { askQuorum, quorumOf } from "../../quorum.js"
import type { EvmContext } from "../context.js"
import type { Node } from "../nodes/nodeQuorum.js"
import type { Event } from "../transactions/vaultCalls.js"
import { depthFor, finalHeight } from "./finality.js"

type Paid = Omit<Extract<Payment, { readonly _tag: "Paid" }>, "_tag" | "nodes">

/**
 * Decodes a payment for the order from a log. Returns `undefined` if the log is not a payment event from one of the
 * vaults.
 */
const paidBy = (vaults: ReadonlyArray<Address>, orderId: string, { address, data, topics }: Event) => {
  if (!vaults.includes(address.toLowerCase() as Address)) return undefined
  try {
    const log = decodeEventLog({ abi: GeoVault.abi, data, topics: topics as [Hex, ...Array<Hex>] })
    if (log.eventName !== "Delivered" && log.eventName !== "Refunded") return undefined
    const { amount, swapId, to, token } = log.args
    if (swapId !== orderId.toLowerCase()) return undefined
    return { kind: log.eventName === "Delivered" ? ("deliver" as const) : ("refund" as const), amount, to, token }
  } catch {
    return undefined
  }
}

const describePayment = ({ amount, block, kind, to, token }: Paid) =>
  `${kind} payment of ${amount} units of ${token} to ${to} in block ${block}`

export const make = ({ config, quorum: { nodes }, vaults }: EvmContext) => {
  const readNode = Effect.fnUntraced(function* (
    node: Node,
    orderId: string,
    hash: string
  ): Effect.fn.Return<Paid | string, ChainUnavailable> {
    const receipt = yield* node.receiptOf(hash)
    if (receipt === undefined) return "does not have this transaction"
    const final = yield* finalHeight(node, depthFor(config), yield* node.blockAt("latest"))
    if (receipt.blockNumber > final)
      return `has the transaction in block ${receipt.blockNumber}, which is not final yet`
    const block = yield* node.blockAt(receipt.blockNumber)
    if (block.hash !== receipt.blockHash) return "has the transaction in a block that is not part of the chain"
    const [paid] = receipt.logs.flatMap((log) => paidBy(vaults.all, orderId, log) ?? [])
    return paid === undefined
      ? "shows no payment from a configured vault for this order"
      : { ...paid, hash: receipt.hash, block: receipt.blockNumber }
  })

  return Effect.fnUntraced(function* (orderId: string, hash: string): Effect.fn.Return<Payment, ChainUnavailable> {
    const answers = yield* askQuorum(config, nodes, (node) => readNode(node, orderId, hash))
    const paid = answers.flatMap(({ host, value }) => (typeof value === "string" ? [] : [{ host, value }]))
    const [first] = paid
    // The other nodes may be behind, but none may show a different payment.
    if (
      first !== undefined &&
      paid.length >= quorumOf(config) &&
      new Set(paid.map(({ value }) => describePayment(value))).size === 1
    ) {
      return { _tag: "Paid", ...first.value, nodes: paid.map(({ host }) => host) }
    }
    const reports = answers.map(({ host, value }) =>
      typeof value === "string" ? `${host} ${value}` : `${host} shows a ${describePayment(value)}`
    )
    return { _tag: "Unproven", message: `${reports.join(", ")}.` }
  })
}
