/** Searches a node's logs for a job's event. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { Address } from "viem"
import { together } from "../../../concurrency/together.js"
import type { Job } from "../../../domain/Job.js"
import { eventOf, proves } from "../transactions/vaultCalls.js"
import type { Reads } from "./reads.js"

/**
 * The number of blocks to search per request (nodes limit this number), and the maximum number of blocks to search in
 * total. Tests provide a shorter range.
 */
export const SearchRange = Context.Reference("@geoswap/service/SearchRange", {
  defaultValue: () => ({ step: 2_000n, farthest: 100_000n })
})

/**
 * Returns the first block after a given time, in Unix seconds. `newest` must be after that time. Block timestamps never
 * decrease.
 */
export const firstAfter = Effect.fnUntraced(function* (reads: Reads, time: number, newest: bigint) {
  let [low, high] = [0n, newest]
  // Start near the newest block, because most operations are only minutes old, and old blocks may be slow to read.
  for (let stride = 64n; high > 0n; stride *= 4n) {
    const probe = newest > stride ? newest - stride : 0n
    if ((yield* reads.blockAt(probe)).timestamp <= time) {
      low = probe + 1n
      break
    }
    high = probe
  }
  while (low < high) {
    const middle = (low + high) / 2n
    if ((yield* reads.blockAt(middle)).timestamp > time) high = middle
    else low = middle + 1n
  }
  return high
})

/** The latest block that can contain the event. The account rejects an operation after its deadline. */
const newestFor = Effect.fnUntraced(function* (reads: Reads, job: Job, latest: bigint) {
  const deadline = job.kind === "collect" && job.operation._tag === "evm" ? job.operation.deadline : Infinity
  if (deadline === Infinity) return latest
  const { timestamp } = yield* reads.blockAt(latest)
  return timestamp > deadline ? yield* firstAfter(reads, deadline, latest) : latest
})

/** Searches backwards from a block until the search finds the event or passes a given time, in Unix milliseconds. */
export const search = Effect.fnUntraced(function* (
  reads: Reads,
  vault: Address,
  job: Job,
  latest: bigint,
  since: number
) {
  const { farthest, step } = yield* SearchRange
  const newest = yield* newestFor(reads, job, latest)
  const event = eventOf(vault, job)
  let to = newest
  while (to >= 0n && newest - to < farthest) {
    const from = to >= step ? to - step + 1n : 0n
    // Also read the last block of the range. This read fails on a node that is behind. Without it, such a node would
    // return no logs for the blocks that it does not have.
    const [logs, { timestamp }] = yield* together([
      reads.logsOf(event, from, to),
      reads.blockAt(from),
      reads.blockAt(to)
    ])
    const found = logs.find((log) => proves(vault, job, log))
    if (found !== undefined || timestamp * 1000 < since) return { event: found, complete: true }
    to = from - 1n
  }
  // The search is complete only if it reached the first block. Otherwise, the search stopped too early, and the
  // result is unknown.
  return { event: undefined, complete: to < 0n }
})
