/** What became of a job: receipts and logs of our vault, at the depth that counts. */
import { GeoVault } from "@geoswap/contracts"
import * as Effect from "effect/Effect"
import type { Hash, Hex } from "viem"
import { ChainUnavailable, type Job, type Outcome, type SendJob } from "../../Chains.js"
import type * as Config from "../../Config.js"
import type { Attempt } from "../../SwapRecord.js"
import { addressOf, eventOf, isEvent } from "./jobs.js"
import type { Reads, Receipt } from "./reads.js"

/** How many blocks one request for logs covers, as nodes allow few at a time, and how many all of them. */
const usualRange = { step: 2_000n, farthest: 100_000n }
/** By how much the clocks of chain and service may differ, in milliseconds. */
const skew = 60_000

const together = { concurrency: "unbounded" } as const

/** A receipt, and how it stands: still able to vanish, for good, or of a block that is no more. */
interface Sighting extends Receipt {
  readonly stands: "included" | "final" | "stale"
  readonly succeeded: boolean
}

export const make = (reads: Reads, config: Config.EvmChain, relayer: Hex, { farthest, step } = usualRange) => {
  const vault = addressOf(config.vault)
  const unavailable = (message: string) => new ChainUnavailable({ chainId: config.id, message, timeout: false })

  /** The height of the newest final block under a newest one. */
  const finalOf = (latest: bigint): bigint => {
    const height = latest - BigInt(config.confirmations) + 1n
    return height > 0n ? height : 0n
  }

  const sight = Effect.fnUntraced(function* (job: Job, attempts: ReadonlyArray<Attempt>, latest: bigint) {
    const event = eventOf(vault, job)
    const receipts = yield* Effect.forEach(attempts, ({ hash }) => reads.receiptOf(hash), together)
    const found = receipts.filter((receipt) => receipt !== undefined)
    return yield* Effect.forEach(
      found,
      Effect.fnUntraced(function* (receipt): Effect.fn.Return<Sighting, ChainUnavailable> {
        // Whether the transaction succeeded says nothing: only the event does.
        const succeeded = receipt.logs.some((log) => isEvent(event, log))
        if (receipt.blockNumber > finalOf(latest)) return { ...receipt, succeeded, stands: "included" }
        const { hash } = yield* reads.blockAt(receipt.blockNumber)
        return { ...receipt, succeeded, stands: hash === receipt.blockHash ? "final" : "stale" }
      }),
      together
    )
  })

  /** What the receipts alone say: done, or under way. */
  const judge = (sightings: ReadonlyArray<Sighting>): Outcome | undefined => {
    const done = sightings.find(({ stands, succeeded }) => stands === "final" && succeeded)
    if (done !== undefined) return { _tag: "Done", hash: done.hash }
    const included = sightings.filter(({ stands }) => stands === "included")
    const best = included.find(({ succeeded }) => succeeded) ?? included[0]
    return best && { _tag: "Included", hash: best.hash, succeeded: best.succeeded }
  }

  /** The log of a job, walking back from a block to a time. */
  const search = Effect.fnUntraced(function* (job: Job, latest: bigint, since: number) {
    const event = eventOf(vault, job)
    let to = latest
    while (to >= 0n && latest - to < farthest) {
      const from = to >= step ? to - step + 1n : 0n
      // The end of the range is asked for as well: a node that is behind would show no logs there.
      const [logs, { timestamp }] = yield* Effect.all(
        [reads.logsOf(event, { from, to }), reads.blockAt(from), reads.blockAt(to)],
        together
      )
      const found = logs.find((log) => isEvent(event, log))
      if (found !== undefined || timestamp * 1000 < since) return found
      to = from - 1n
    }
    return undefined
  })

  const observe = Effect.fnUntraced(function* (
    job: Job,
    attempts: ReadonlyArray<Attempt>
  ): Effect.fn.Return<Outcome, ChainUnavailable> {
    // The height comes first: what is read after it can only be newer, and then counts as less deep than it is.
    const latest = yield* reads.height
    const [seen, used] = yield* Effect.all(
      [sight(job, attempts, latest), reads.nonceOf(relayer, finalOf(latest))],
      together
    )
    const outcome = judge(seen)
    if (outcome !== undefined) return outcome
    const ableStill = attempts.length === 0 || attempts.some(({ nonce = Infinity }) => nonce >= used)
    if (ableStill) return { _tag: "Waiting" }

    // Every nonce is used for good. Receipts may have come since they were asked for, and the event may be elsewhere.
    const since = Math.min(...attempts.map(({ createdAt }) => createdAt)) - skew
    const [again, event] = yield* Effect.all([sight(job, attempts, latest), search(job, latest, since)], together)
    const settled = judge(again)
    if (settled !== undefined) return settled
    if (again.some(({ stands }) => stands === "stale")) {
      return yield* unavailable("The node shows receipts of blocks that it does not have.")
    }
    if (event !== undefined) {
      if (again.some(({ hash }) => hash === event.hash)) {
        return yield* unavailable("The node shows an event that is not in its transaction's receipt.")
      }
      return event.blockNumber > finalOf(latest)
        ? { _tag: "Included", hash: event.hash, succeeded: true }
        : { _tag: "Done", hash: event.hash }
    }
    const cancels = new Set(attempts.filter((attempt) => attempt.cancels).map(({ hash }) => hash.toLowerCase()))
    const reverted = again.find(({ hash }) => !cancels.has(hash))
    return reverted === undefined
      ? { _tag: "Dead", why: "replaced", message: "The nonce is used by another transaction, and nothing moved." }
      : { _tag: "Dead", why: "reverted", hash: reverted.hash, message: `The ${job.kind} is final, and nothing moved.` }
  })

  const doneElsewhere = Effect.fnUntraced(function* (
    job: SendJob
  ): Effect.fn.Return<Hash | undefined, ChainUnavailable> {
    const latest = yield* reads.height
    const final = finalOf(latest)
    const isUsed = { abi: GeoVault.abi, address: vault, functionName: "isUsed", args: [job.orderId as Hex] } as const
    if (!(yield* reads.read(isUsed, final))) return undefined
    return (yield* search(job, final, -Infinity))?.hash
  })

  return {
    doneElsewhere,
    observe,
    /** The time of the newest final block. */
    finalTime: Effect.map(
      Effect.flatMap(reads.height, (latest) => reads.blockAt(finalOf(latest))),
      ({ timestamp }) => timestamp
    )
  }
}
