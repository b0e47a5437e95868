/** One swap from quote to its end, with the recovery for everything that has one. */
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Random from "effect/Random"
import type { Authorization } from "../Delegation.js"
import { type Flow, Journal, type Signed } from "../Journal.js"
import type { Agreement } from "../Operation.js"
import { Policy } from "../Policy.js"
import type { Signers } from "../Signer.js"
import { isTerminal, type Swap } from "../Swap.js"
import {
  Expired,
  type InvalidAuthorization,
  InvalidInput,
  JournalError,
  type NeedsDelegation,
  OutcomeUnknown,
  type SubmitError,
  type SwapError,
  WaitTimeout
} from "../SwapError.js"
import { type Emit, previewOf } from "../SwapEvent.js"
import type { Transport } from "../Transport.js"
import { authorize, ensureDelegable } from "./authorize.js"
import { compact } from "./compact.js"
import { patient } from "./patience.js"
import { poll, type WaitOptions } from "./poll.js"
import { type ExecuteInput, prepare } from "./prepare.js"
import { first, isStale, type QuoteOptions, renew } from "./renew.js"
import { forget, submitFlow } from "./submitFlow.js"
import { build, type Built, type Submission } from "./verbs.js"
import { sign, verify } from "./verify.js"

/** What a caller may say about one swap. */
export interface ExecuteOptions extends QuoteOptions, WaitOptions {}

/** What waiting for an accepted swap can fail with. */
type FinishError = WaitTimeout | OutcomeUnknown

/** What resuming can fail with. */
export type ResumeError = SubmitError | InvalidInput | FinishError | JournalError

/** A flow that the service has accepted. */
interface Accepted {
  readonly flowId: string
  readonly swap: Swap
}

const maxReauthorizations = 2

/** Watches an accepted flow to its end, and closes it in the journal. Its errors say what to resume. */
const finish = Effect.fnUntraced(function* (
  flowId: string,
  accepted: Swap,
  emit: Emit,
  options: WaitOptions
): Effect.fn.Return<Swap, FinishError, Transport | Journal> {
  const { swapId } = accepted
  yield* emit({ type: "submitted", flowId, swap: accepted })
  const swap = isTerminal(accepted)
    ? accepted
    : yield* Effect.mapError(
        poll(swapId, (seen) => emit({ type: "status", swap: seen }), options),
        (cause): FinishError => {
          const message = `Swap ${swapId} was accepted: resume flow ${flowId}. ${cause.message}`
          return cause._tag === "WaitTimeout"
            ? new WaitTimeout({ swapId, status: cause.status, flowId, message })
            : new OutcomeUnknown({ swapId, flowId, message, cause })
        }
      )
  yield* forget(flowId)
  yield* emit({ type: "done", swap })
  return swap
})

const newFlow = Effect.fnUntraced(function* (
  { request, quote: { output } }: Agreement,
  submission: Submission
): Effect.fn.Return<Flow & Signed> {
  const createdAt = yield* Clock.currentTimeMillis
  const chance = yield* Random.next
  return { id: `${createdAt}-${Math.floor(chance * 1e12)}`, createdAt, request, output, submission }
})

/**
 * Signs, writes the flow down and submits it. An abort before the first request leaves forgets the flow and gives the
 * budget back; from then on the journal keeps it until its outcome is known, and the budget is spent.
 */
const signAndSubmit = Effect.fnUntraced(function* (
  operation: Built,
  agreement: Agreement,
  emit: Emit
): Effect.fn.Return<Accepted, SwapError, Transport | Signers | Policy | Journal> {
  const journal = yield* Journal
  const policy = yield* Policy
  const giveBack = yield* policy.reserve(agreement.request)
  let left = false
  const attempt = Effect.gen(function* () {
    const submission = yield* sign(operation, agreement)
    yield* emit({ type: "signed" })
    const flow = yield* newFlow(agreement, submission)
    const swap = yield* Effect.uninterruptibleMask((restore) =>
      Effect.gen(function* () {
        // In a fiber of its own, so that a journal that hangs can be left. What it wrote, or still writes, is taken back
        // unless the first request left: a flow that was given up must not be there to resume.
        const writing = yield* Effect.forkDetach(journal.put(flow))
        const undo = () =>
          left ? Effect.void : Effect.forkDetach(Effect.ensuring(Fiber.await(writing), forget(flow.id)))
        const submitting = Effect.suspend(() => {
          left = true
          return submitFlow(flow, emit, false)
        })
        return yield* restore(Effect.andThen(Fiber.join(writing), submitting)).pipe(Effect.onError(undo))
      })
    )
    return { flowId: flow.id, swap }
  })
  return yield* Effect.onExit(attempt, () => (left ? Effect.void : giveBack))
})

/** The loop from a quote to a submitted swap. */
const submitted = Effect.fnUntraced(function* (
  input: ExecuteInput,
  options: ExecuteOptions,
  emit: Emit
): Effect.fn.Return<Accepted, SwapError, Transport | Signers | Policy | Journal> {
  const { family, request, deployment } = yield* prepare(input)
  if (family === "evm") yield* ensureDelegable(request)

  let held = yield* first(request, options, emit)
  let delegationAsked = 0
  let reauthorizations = 0
  let authorization: Authorization | undefined

  const renewed = (error: Expired) => renew(request, held, options, emit, error)
  const reauthorized = Effect.fnUntraced(function* (error: NeedsDelegation | InvalidAuthorization) {
    const bound = error._tag === "NeedsDelegation" ? delegationAsked++ >= 1 : reauthorizations++ >= maxReauthorizations
    return yield* bound || family !== "evm" ? Effect.fail(error) : authorize(request, deployment, emit)
  })

  while (true) {
    if (yield* isStale(held)) {
      held = yield* renewed(
        new Expired({
          what: "quote",
          message: "The quote ran out."
        })
      )
      continue
    }
    const { geoQuoteToken } = held.quote
    const built = yield* Effect.result(
      patient(build(compact({ originChain: request.originChain, geoQuoteToken, authorization })))
    )
    if (built._tag === "Failure") {
      const error = built.failure
      if (error._tag === "Expired") held = yield* renewed(error)
      else if (error._tag === "NeedsDelegation" || error._tag === "InvalidAuthorization") {
        authorization = yield* reauthorized(error)
      } else return yield* Effect.fail(error)
      continue
    }
    const operation = built.success
    const deadline = operation.kind === "evm" ? operation.geoOp?.deadline : undefined
    yield* emit(compact({ type: "built", family, deadline } as const))

    const agreement: Agreement = compact({ request, quote: previewOf(held.quote), deployment })
    const checked = yield* verify(operation, agreement)
    yield* emit({ type: "verified", checked })

    const answer = yield* Effect.result(signAndSubmit(operation, agreement, emit))
    if (answer._tag === "Success") return answer.success
    const error = answer.failure
    if (error._tag === "Expired") held = yield* renewed(error)
    else if (error._tag === "InvalidAuthorization") authorization = yield* reauthorized(error)
    else return yield* Effect.fail(error)
  }
})

/** Runs a swap, telling every step. */
export const run = Effect.fn("geoswap.execute")(function* (
  input: ExecuteInput,
  options: ExecuteOptions,
  emit: Emit
): Effect.fn.Return<Swap, SwapError, Transport | Signers | Policy | Journal> {
  // Read before anything is sent: what is no duration must not come to light once a swap is under way.
  Duration.fromInputUnsafe(options.timeout ?? 0)
  const { flowId, swap } = yield* submitted(input, options, emit)
  return yield* finish(flowId, swap, emit, options)
})

/** Takes up a flow of the journal where it was left: the very same bytes, never a second swap. */
export const resume = Effect.fn("geoswap.resume")(function* (
  flowId: string,
  options: WaitOptions,
  emit: Emit
): Effect.fn.Return<Swap, ResumeError, Transport | Journal> {
  const journal = yield* Journal
  const flow = yield* journal.get(flowId)
  if (!flow) {
    return yield* new InvalidInput({ field: "flowId", message: `flowId: the journal holds no flow ${flowId}.` })
  }
  const { swapId, submission } = flow
  if (swapId === undefined && submission === undefined) {
    return yield* new JournalError({ message: `The journal's flow ${flowId} has neither a swap nor a submission.` })
  }
  const swap: Swap =
    swapId === undefined
      ? yield* submitFlow({ ...flow, submission: submission as Submission }, emit, true)
      : { swapId, status: "pending" }
  return yield* finish(flowId, swap, emit, options)
})
