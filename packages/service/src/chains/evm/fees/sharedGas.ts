/**
 * How much of a transaction's fixed gas a swap pays, judging by the recent transactions of this process. Swaps that share
 * a transaction share its fixed gas. They also share some reads and writes, which quotes do not count on.
 */
import type { CostQuery } from "../../Draft.js"
import { transactionGas } from "../transactions/transactions.js"

/** How many recent swaps are counted, for how long, and how many are needed before a quote becomes cheaper. */
const longest = 100
const recentMillis = 600_000
const fewest = 20
/** The smallest part of the gas that a quote charges for, in percent. */
const smallestPercent = 60n

interface Settled {
  readonly orderId: string
  readonly hash: string
  readonly at: number
}

export const make = () => {
  const recent: Record<CostQuery["kind"], ReadonlyArray<Settled>> = { collect: [], deliver: [] }
  return {
    /** Records the final transaction of an order. An order that was recorded before is ignored. */
    record: (kind: CostQuery["kind"], order: Settled) => {
      if (recent[kind].some(({ orderId }) => orderId === order.orderId)) return
      recent[kind] = [...recent[kind], order].slice(-longest)
    },
    /** Returns the gas that a quote charges for a transaction that would use `gas` alone. */
    charged: (kind: CostQuery["kind"], gas: bigint, now: number) => {
      const settled = recent[kind].filter(({ at }) => now - at < recentMillis)
      if (settled.length < fewest) return gas
      const transactions = new Set(settled.map(({ hash }) => hash)).size
      const swaps = settled.length
      const saved = (transactionGas * BigInt(swaps - transactions)) / BigInt(swaps)
      const least = (gas * smallestPercent) / 100n
      return gas - saved > least ? gas - saved : least
    }
  }
}

export type SharedGas = ReturnType<typeof make>
