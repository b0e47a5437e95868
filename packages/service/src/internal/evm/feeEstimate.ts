/** What gas costs, computed from the fee histories of a chain's nodes and from the estimate before. */

/** What one node reports of the newest blocks. */
export interface FeeHistory {
  readonly newest: bigint
  /** The base fee of the block after the newest. */
  readonly baseFee: bigint
  /** For each block, the share of its gas that was used, and a low percentile of the tips that were paid in it. */
  readonly blocks: ReadonlyArray<{ readonly used: number; readonly reward: bigint }>
}

/** Wei per gas, at a block. */
export interface FeeEstimate {
  readonly newest: bigint
  /** When it was made, in Unix milliseconds. */
  readonly at: number
  readonly baseFee: bigint
  /** The base fee as the nodes report it, without bounds. */
  readonly reportedBaseFee: bigint
  readonly tip: bigint
}

/** How many blocks are asked for. */
export const historyBlocks = 10
/** Which of the tips in a block, ordered and weighted by gas, says what was enough to be in it. */
export const rewardPercentile = 25

/** The smallest tip: what geth's block builder asks for unless it is configured otherwise. */
export const leastTip = 1_000_000n
/** The largest tip that is offered where nothing shows that a tip is needed. */
export const usualTip = 1_000_000_000n
/** Fewer blocks than that show nothing by themselves. */
const fewestBlocks = 5
/** An older estimate is no bound for the next one. */
const recentMillis = 600_000
/** How many blocks between two estimates allow the base fee to rise. */
const mostRises = 8n
/** After that many falls of an eighth, nothing is left to bound. */
const mostFalls = 256n

const least = (a: bigint, b: bigint) => (a < b ? a : b)
const most = (a: bigint, b: bigint) => (a > b ? a : b)

/** Of an even number the lower one, so that one of two nodes cannot make gas dearer. */
const median = (values: ReadonlyArray<bigint>): bigint =>
  values.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0))[(values.length - 1) >> 1] ?? 0n

/** The tip where blocks are empty: nobody competes, so that the base fee is the only measure. */
const tipOfEmpty = (baseFee: bigint): bigint => most(leastTip, least(baseFee, usualTip))

/** The median tip of the blocks. A node reports 0 for an empty block, which is not what somebody paid. */
const tipOf = ({ blocks }: FeeHistory, baseFee: bigint): bigint => {
  const empty = tipOfEmpty(baseFee)
  const missing = Array.from({ length: Math.max(0, fewestBlocks - blocks.length) }, () => empty)
  return most(leastTip, median([...blocks.map(({ reward, used }) => (used > 0 ? reward : empty)), ...missing]))
}

/** Without a recent estimate, a tip may at most double the price of gas. */
const firstTip = (tip: bigint, baseFee: bigint): bigint =>
  least(tip, baseFee === 0n ? usualTip : most(leastTip, baseFee))

/** The fall that EIP-1559 allows a base fee in so many blocks. */
const fallen = (fee: bigint, blocks: bigint): bigint => {
  const falls = least(blocks, mostFalls)
  return (fee * 7n ** falls) / 8n ** falls
}

/** The rise that EIP-1559 allows a base fee in so many blocks, and a little, as a base fee of 0 could not rise at all. */
const risen = (baseFee: bigint, blocks: bigint): bigint => {
  const rises = least(blocks, mostRises)
  return (baseFee * 9n ** rises) / 8n ** rises + leastTip / 20n
}

/**
 * The median over the nodes, within bounds of the estimate before: for each block since then the base fee moves by an
 * eighth at most, and the tip falls by an eighth at most. An estimate raises the tip by a twentieth of the price at most.
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
