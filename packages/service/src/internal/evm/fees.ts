/** What gas costs, and by how much an offer has to rise to replace another. */
import * as Effect from "effect/Effect"
import type { ChainUnavailable } from "../../Chains.js"
import type { Reads } from "./reads.js"

/** An offer per gas, in wei. */
export interface Fees {
  readonly maxFeePerGas: bigint
  readonly maxPriorityFeePerGas: bigint
}

/** For nodes that suggest none. */
const usualTip = 1_000_000_000n

const least = (a: bigint, b: bigint) => (a < b ? a : b)
const most = (a: bigint, b: bigint) => (a > b ? a : b)

/** The base fee of the newest block, and what the node suggests to pay beside it. */
export const market = ({ blockAt, tip }: Reads) =>
  Effect.all(
    {
      baseFee: Effect.map(blockAt("latest"), ({ baseFeePerGas }) => baseFeePerGas),
      tip: Effect.orElseSucceed(tip, () => usualTip)
    },
    { concurrency: "unbounded" }
  )

/** An offer that stays good while the base fee doubles, and never above the limit. */
export const offer = (reads: Reads, limit: bigint): Effect.Effect<Fees, ChainUnavailable> =>
  Effect.map(market(reads), ({ baseFee, tip }) => {
    const maxFeePerGas = least(2n * baseFee + tip, limit)
    return { maxFeePerGas, maxPriorityFeePerGas: least(tip, maxFeePerGas) }
  })

/** By 12.5 %, which every node takes for a replacement, rounded up, and one wei. */
const raised = (fee: bigint): bigint => (fee * 1125n + 999n) / 1000n + 1n

/** An offer that replaces another and is not below the market's; `undefined` where the limit does not allow it. */
export const replacement = (last: Fees, current: Fees, limit: bigint): Fees | undefined => {
  const maxFeePerGas = most(raised(last.maxFeePerGas), current.maxFeePerGas)
  if (maxFeePerGas > limit) return undefined
  const maxPriorityFeePerGas = most(raised(last.maxPriorityFeePerGas), current.maxPriorityFeePerGas)
  return { maxFeePerGas, maxPriorityFeePerGas }
}
