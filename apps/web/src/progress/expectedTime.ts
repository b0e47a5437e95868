/** How long a swap is expected to take: as long as the last ones between the same chains, or as their blocks need. */
import { typicalDuration } from "@geoswap/core/promise"
import type { Entry } from "../activity/activityStore.js"
import { chainOf, type Config } from "../config.js"

/** Seconds between the blocks of well-known chains, by chain id. */
const blockSeconds: Readonly<Record<number, number>> = {
  1: 12,
  10: 2,
  56: 1,
  100: 5,
  137: 2,
  8453: 2,
  42161: 0.25,
  43114: 2,
  59144: 2,
  534352: 3
}

/** Solana finalizes a block after 32 others of 0.4 s. */
const solanaSeconds = 13
/** For signing, submitting and reading the chains. */
const overheadSeconds = 5

/** The fewest swaps in this browser that are more reliable than the block times. */
const fewest = 2

type Chain = Config["chains"][number]

const paymentSeconds = ({ finality, id, family }: Chain) => {
  if (family === "solana") return solanaSeconds
  const block = blockSeconds[id]
  // The time until a node reports a block as safe or finalized is not known.
  if (block === undefined || finality === undefined || typeof finality === "string") return undefined
  return "seconds" in finality ? block + finality.seconds : block * (finality.blocks + 1)
}

const deliverySeconds = ({ id, family }: Chain) => (family === "solana" ? 2 : blockSeconds[id])

/** Returns the expected number of seconds, or `undefined` if nothing is known about the chains and the page has made no swap between them. */
export const expectedSeconds = (
  config: Pick<Config, "chains">,
  from: number,
  to: number,
  past: ReadonlyArray<Pick<Entry, "beganAt" | "endedAt" | "status" | "trip">>
) => {
  const durations = past
    .filter(({ status, trip }) => status === "settled" && trip.from.chainId === from && trip.to.chainId === to)
    .map(({ beganAt, endedAt }) => (endedAt - beganAt) / 1_000)
  const typical = typicalDuration(durations)
  if (durations.length >= fewest) return typical
  const [origin, destination] = [from, to].map((id) => chainOf(config, id))
  const payment = origin && paymentSeconds(origin)
  const delivery = destination && deliverySeconds(destination)
  // One swap is better than no estimate.
  return payment === undefined || delivery === undefined ? typical : payment + delivery + overheadSeconds
}
