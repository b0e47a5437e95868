/** Estimates the gas price from the fee histories of a chain's nodes and the previous estimate. */

/** What one node reports about the latest blocks. */
export interface FeeHistory {
  readonly newest: bigint
  /** The base fee of the block after the latest block. */
  readonly baseFee: bigint
  /** For each block, the share of its gas limit that was used, and the `rewardPercentile` of the tips paid in it. */
  readonly blocks: ReadonlyArray<{ readonly used: number; readonly reward: bigint }>
}

/** An estimate at a block, in wei per gas. */
export interface FeeEstimate {
  readonly newest: bigint
  /** When the estimate was made, in Unix milliseconds. */
  readonly at: number
  readonly baseFee: bigint
  /** The median of the base fees that the nodes report, before bounds are applied. */
  readonly reportedBaseFee: bigint
  readonly tip: bigint
}

/** How many blocks to request. */
export const historyBlocks = 10
/** The percentile of a block's tips, weighted by gas used, that is considered sufficient for inclusion. */
export const rewardPercentile = 25

/** The minimum tip: the default minimum in geth's block builder. */
export const leastTip = 1_000_000n
/**
 * The maximum tip that is assumed for empty blocks. On a chain without a base fee, this is also the maximum tip as long
 * as there is no recent estimate.
 */
export const usualTip = 1_000_000_000n
/** The minimum number of blocks in a history. A shorter history is padded with empty blocks. */
const fewestBlocks = 5
/** The maximum age of the previous estimate. If it is older, it does not bound the next estimate. */
const recentMillis = 600_000
/**
 * The maximum number of times that the base fee can rise by 1/8 between two estimates, no matter how many blocks were
 * produced.
 */
const mostRises = 8n
/**
 * The maximum number of times that a fee can fall by 1/8 between two estimates. The limit keeps the exponent small.
 * After this many steps, the lower bound is practically 0.
 */
const mostFalls = 256n

export const least = (a: bigint, b: bigint) => (a < b ? a : b)
export const most = (a: bigint, b: bigint) => (a > b ? a : b)

/**
 * The median. If the number of values is even, this is the lower of the two middle values, so that one of two nodes
 * cannot raise the price.
 */
export const median = (values: ReadonlyArray<bigint>): bigint =>
  values.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0))[(values.length - 1) >> 1] ?? 0n

/**
 * The tip to assume for empty blocks. These blocks have no competing transactions, so the tip is based only on the base
 * fee.
 */
const tipOfEmpty = (baseFee: bigint): bigint => most(leastTip, least(baseFee, usualTip))

/**
 * The median tip over the blocks. Nodes report a tip of 0 for empty blocks, in which no tips were paid, so an assumed
 * tip is used for those blocks instead.
 */
const tipOf = ({ blocks }: FeeHistory, baseFee: bigint): bigint => {
  const empty = tipOfEmpty(baseFee)
  const missing = Array.from({ length: Math.max(0, fewestBlocks - blocks.length) }, () => empty)
  return most(leastTip, median([...blocks.map(({ reward, used }) => (used > 0 ? reward : empty)), ...missing]))
}

/** If there is no recent estimate, limits the tip to an amount that at most doubles the gas price. */
const firstTip = (tip: bigint, baseFee: bigint): bigint =>
  least(tip, baseFee === 0n ? usualTip : most(leastTip, baseFee))

/** The lowest base fee that EIP-1559 allows after a number of blocks. */
const fallen = (fee: bigint, blocks: bigint): bigint => {
  const falls = least(blocks, mostFalls)
  return (fee * 7n ** falls) / 8n ** falls
}

/**
 * The highest base fee that EIP-1559 allows after a number of blocks, plus an amount that lets a zero base fee rise.
 */
const risen = (baseFee: bigint, blocks: bigint): bigint => {
  const rises = least(blocks, mostRises)
  return (baseFee * 9n ** rises) / 8n ** rises + leastTip / 20n
}

/**
 * The median of the nodes' values, bounded by the previous estimate. For each block between the two estimates, the base
 * fee moves by at most 1/8, and the tip falls by at most 1/8. One estimate raises the tip by at most 1/20 of the price
 * (base fee plus tip).
 */
export const estimate = (
  histories: ReadonlyArray<FeeHistory>,
  previous: FeeEstimate | undefined,
  now: number
): FeeEstimate => {
  const newest = median(histories.map((history) => history.newest))
  const baseFee = median(histories.map((history) => history.baseFee))
  const tipAt = (base: bigint) => median(histories.map((history) => tipOf(history, base)))
  if (previous === undefined || now - previous.at > recentMillis) {
    return { newest, at: now, baseFee, reportedBaseFee: baseFee, tip: firstTip(tipAt(baseFee), baseFee) }
  }
  if (newest === previous.newest) return previous
  const blocks = most(1n, newest - previous.newest)
  const bounded = most(fallen(previous.baseFee, blocks), least(baseFee, risen(previous.baseFee, blocks)))
  const highest = previous.tip + (previous.baseFee + previous.tip) / 20n
  const tip = most(leastTip, most(fallen(previous.tip, blocks), least(tipAt(bounded), highest)))
  return { newest, at: now, baseFee: bounded, reportedBaseFee: baseFee, tip }
}
