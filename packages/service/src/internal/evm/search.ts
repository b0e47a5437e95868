/** Finds the event of a job in a node's logs. */
import * as Effect from "effect/Effect"
import type { Job } from "../../Chains.js"
import type * as Config from "../../Config.js"
import { addressOf, eventOf, isEvent } from "./jobs.js"
import type { Reads } from "./reads.js"

/** How many blocks one request for logs covers, as nodes allow few at a time, and how many all of them. */
export const usualRange = { step: 2_000n, farthest: 100_000n }

/** The log of a job, walking back from a block to a time. */
export const make = (config: Config.EvmChain, { farthest, step } = usualRange) =>
  Effect.fnUntraced(function* (reads: Reads, job: Job, latest: bigint, since: number) {
    const event = eventOf(addressOf(config.vault), job)
    let to = latest
    while (to >= 0n && latest - to < farthest) {
      const from = to >= step ? to - step + 1n : 0n
      // The end of the range is asked for as well: a node that is behind would show no logs there.
      const [logs, { timestamp }] = yield* Effect.all(
        [reads.logsOf(event, { from, to }), reads.blockAt(from), reads.blockAt(to)],
        { concurrency: "unbounded" }
      )
      const found = logs.find((log) => isEvent(event, log))
      if (found !== undefined || timestamp * 1000 < since) return found
      to = from - 1n
    }
    return undefined
  })
