/** The gas price, the fees offered for a transaction, and the fees for replacing a pending transaction. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type * as Config from "../../../config/Config.js"
import type { ChainUnavailable } from "../../ChainError.js"
import type { NodeQuorum } from "../nodes/nodeQuorum.js"
import { estimate, type FeeEstimate, least, median, most } from "./feeEstimate.js"

/** Returns the current fee estimate. */
export type Market = Effect.Effect<FeeEstimate, ChainUnavailable>

/** The fees that a transaction offers, in wei per gas. */
export interface Fees {
  readonly maxFeePerGas: bigint
  readonly maxPriorityFeePerGas: bigint
}

/** How long to wait for the other nodes after half of them have responded. */
const graceMillis = 200

/** The highest tip that nodes can demand. */
const highestDemand = 100_000_000_000n

/**
 * The tip that a chain requires. Nodes of `polygon` refuse tips below a minimum, which is at most the tip that they
 * suggest. `arbitrum` ignores tips.
 */
const requiredTip = (
  { askWithin }: NodeQuorum,
  feeModel: Config.EvmChain["feeModel"]
): ((tip: bigint) => Effect.Effect<bigint>) => {
  if (feeModel === "arbitrum") return () => Effect.succeed(0n)
  if (feeModel !== "polygon") return Effect.succeed
  const suggested = askWithin(graceMillis, ({ suggestedTip }) => suggestedTip).pipe(
    Effect.map((answers) => median(answers.map(({ value }) => value))),
    Effect.orElseSucceed(() => 0n)
  )
  return (tip) => Effect.map(suggested, (demanded) => most(tip, least(demanded, highestDemand)))
}

/** Estimates fees from the fee histories of all nodes, once per block. Concurrent callers share one estimate. */
export const make = (quorum: NodeQuorum, { feeModel }: Pick<Config.EvmChain, "feeModel">): Market => {
  const { askWithin, recent } = quorum
  const require = requiredTip(quorum, feeModel)
  let previous: FeeEstimate | undefined
  const histories = Effect.catch(
    askWithin(graceMillis, ({ feeHistory }) => feeHistory),
    // Some nodes do not support eth_feeHistory. A block header has the base fee, but no tips.
    (error) =>
      error.timeout
        ? Effect.fail(error)
        : askWithin(graceMillis, ({ blockAt }) =>
            Effect.map(blockAt("latest"), ({ baseFeePerGas, number }) => ({
              newest: number,
              baseFee: baseFeePerGas,
              blocks: []
            }))
          )
  )
  const read = Effect.gen(function* () {
    const answers = yield* histories
    previous = estimate(
      answers.map(({ value }) => value),
      previous,
      yield* Clock.currentTimeMillis
    )
    return { ...previous, tip: yield* require(previous.tip) }
  })
  return Effect.flatMap(recent, ([{ feed }]) => feed.perHead("fees", read))
}

/** Returns the current price per unit of gas, capped at `limit`. */
export const price = (market: Market, limit: bigint) =>
  Effect.map(market, ({ baseFee, tip }) => least(baseFee + tip, limit))

/** By how many percent fees may rise between a quote and its transactions without exceeding what the quote charges. */
const risePercent = 25n

/** Returns what a quote charges for a fee: what it may rise to. */
export const withRise = (fee: bigint): bigint => (fee * (100n + risePercent) + 99n) / 100n

/** Returns the price per unit of gas that a quote charges, capped at `limit`. */
export const quotedPrice = (market: Market, limit: bigint) =>
  Effect.map(market, ({ baseFee, tip }) => least(withRise(baseFee + tip), limit))

/**
 * Returns fees that remain sufficient even if the base fee doubles, unless that would exceed `limit`. The chain charges
 * its actual base fee plus the tip, so overestimating the base fee costs nothing.
 */
export const offer = (market: Market, limit: bigint): Effect.Effect<Fees, ChainUnavailable> =>
  Effect.map(market, ({ baseFee, reportedBaseFee, tip }) => {
    const maxFeePerGas = least(2n * most(baseFee, reportedBaseFee) + tip, limit)
    return { maxFeePerGas, maxPriorityFeePerGas: least(tip, maxFeePerGas) }
  })

/** Raises a fee by 12.5% (an increase that every node accepts), rounded up, plus 1 wei. */
const raised = (fee: bigint): bigint => (fee * 1125n + 999n) / 1000n + 1n

/**
 * Returns fees that are high enough to replace the last offer and are not below the current market fees. Returns
 * `undefined` if these fees would exceed the limit.
 */
export const replacement = (last: Fees, current: Fees, limit: bigint): Fees | undefined => {
  const maxFeePerGas = most(raised(last.maxFeePerGas), current.maxFeePerGas)
  if (maxFeePerGas > limit) return undefined
  const maxPriorityFeePerGas = most(raised(last.maxPriorityFeePerGas), current.maxPriorityFeePerGas)
  return { maxFeePerGas, maxPriorityFeePerGas }
}
