/** What became of a job, as all nodes see it: one alone may be on a fork, may have lost its history, or may lie. */
import * as Effect from "effect/Effect"
import type { Hex } from "viem"
import { ChainUnavailable, type Job, type Outcome } from "../../Chains.js"
import type * as Config from "../../Config.js"
import type { Attempt } from "../../SwapRecord.js"
import * as Look from "./look.js"
import type { Origins } from "./origins.js"
import type { Testimony, Witnesses } from "./witnesses.js"

/** A node that is so many blocks behind another is not on its way: somebody has to look after it. */
const mostBehind = 64n

const isFinal = ({ _tag }: Outcome): boolean => _tag === "Done" || _tag === "Dead"

/** What has to be the same for everybody. */
const gistOf = (outcome: Outcome): string =>
  outcome._tag === "Done" ? `Done by ${outcome.hash} in block ${outcome.block}` : outcome._tag

const wordsOf = (views: ReadonlyArray<Testimony<Look.View>>): string =>
  views.map(({ answer, host }) => `${host} says ${gistOf(answer.outcome)} at block ${answer.latest}`).join(", ")

/** What all nodes say, or what those say that are not as far yet; `undefined` where they contradict each other. */
const agree = (views: ReadonlyArray<Testimony<Look.View>>): Outcome | undefined => {
  const answers = views.map(({ answer }) => answer)
  const final = answers.filter(({ outcome }) => isFinal(outcome))
  if (new Set(final.map(({ outcome }) => gistOf(outcome))).size > 1) return undefined
  const open = answers.filter(({ outcome }) => !isFinal(outcome))
  const isOnItsWay = ({ latest }: Look.View) =>
    final.every((other) => latest < other.latest && other.latest - latest <= mostBehind)
  if (!open.every(isOnItsWay)) return undefined
  return (open[0] ?? final[0])?.outcome
}

export const make = (
  { count, first, hear }: Witnesses,
  config: Config.EvmChain,
  relayer: Hex,
  { foreign }: Origins
) => {
  const look = Look.make(config, relayer)
  const unavailable = (message: string) => new ChainUnavailable({ chainId: config.id, message, timeout: false })

  return Effect.fnUntraced(function* (
    job: Job,
    attempts: ReadonlyArray<Attempt>
  ): Effect.fn.Return<Outcome, ChainUnavailable> {
    const stranger = yield* foreign(attempts)
    if (stranger !== undefined) return yield* unavailable(stranger)
    const { outcome } = yield* look(first, job, attempts)
    if (count === 1 || !isFinal(outcome)) return outcome
    const views = yield* hear((reads) => look(reads, job, attempts))
    const agreed = agree(views)
    if (agreed !== undefined) return agreed
    const problem = `The nodes disagree about the ${job.kind}: ${wordsOf(views)}.`
    return yield* unavailable(`${problem} Remove from rpcUrls what is wrong or does not follow.`)
  })
}
