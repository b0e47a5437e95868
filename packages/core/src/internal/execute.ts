/** One swap from quote to its end, with the recovery for everything that has one. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Random from "effect/Random"
import type { Authorization } from "../Delegation.js"
import { type Flow, Journal } from "../Journal.js"
import type { Agreement } from "../Operation.js"
import { Policy } from "../Policy.js"
import type { Signers } from "../Signer.js"
import type { Swap } from "../Swap.js"
import {
  Expired,
  type InvalidAuthorization,
  InvalidInput,
  type JournalError,
  type NeedsDelegation,
  type OutcomeUnknown,
  type SubmitError,
  type SwapError
} from "../SwapError.js"
import type { Transport } from "../Transport.js"
import { authorize, ensureDelegable } from "./authorize.js"
import { compact } from "./compact.js"
import { patient } from "./patience.js"
import { poll, type WaitError, type WaitOptions } from "./poll.js"
import { type ExecuteInput, prepare } from "./prepare.js"
import { first, isStale, type QuoteOptions, renew } from "./renew.js"
import { type Emit, forget, submitFlow } from "./submitFlow.js"
import { build, type Submission } from "./verbs.js"
import { sign, verify } from "./verify.js"

/** What a caller may say about one swap. */
export interface ExecuteOptions extends QuoteOptions, WaitOptions {}

/** What resuming can fail with. */
export type ResumeError = SubmitError | WaitError | OutcomeUnknown | JournalError

const maxReauthorizations = 2

/** Watches a submitted flow to its end, and closes it in the journal. */
const finish = Effect.fnUntraced(function* (
  flowId: string,
  submitted: Swap,
  emit: Emit,
  options: WaitOptions
): Effect.fn.Return<Swap, WaitError, Transport | Journal> {
  yield* emit({ type: "submitted", flowId, swap: submitted })
  const swap =
    submitted.status === "pending"
      ? yield* poll(submitted.swapId, (seen) => emit({ type: "status", swap: seen }), options)
      : submitted
  yield* forget(flowId)
  yield* emit({ type: "done", swap })
  return swap
})

const newFlow = Effect.fnUntraced(function* (agreement: Agreement, submission: Submission) {
  const createdAt = yield* Clock.currentTimeMillis
  const chance = Math.floor((yield* Random.next) * 2 ** 48).toString(36)
  const { request, quote } = agreement
  return {
    id: `${createdAt.toString(36)}-${chance}`,
    createdAt,
    request,
    output: quote.output,
    submission
  } satisfies Flow
})

/** What a swap has set aside in the budget, and whether a submission that may be accepted holds on to it. */
interface Stake {
  release: Effect.Effect<void>
  atRisk: boolean
}

/**
 * Writes the flow down and submits it. A flow that was aborted before its first request left is forgotten; from then
 * on the journal keeps it until its outcome is known.
 */
const submitJournaled = (flow: Flow, emit: Emit, stake: Stake) =>
  Effect.uninterruptibleMask((restore) =>
    Effect.gen(function* () {
      const journal = yield* Journal
      yield* journal.put(flow)
      const attempt = Effect.suspend(() => {
        stake.atRisk = true
        return submitFlow(flow, emit, { unknown: false })
      })
      return yield* restore(attempt).pipe(
        Effect.onInterrupt(() => (stake.atRisk ? Effect.void : forget(flow.id))),
        Effect.tapError((error) =>
          Effect.sync(() => {
            if (error._tag !== "OutcomeUnknown") stake.atRisk = false
          })
        )
      )
    })
  )

/** The loop from a quote to a submitted swap. */
const submitted = Effect.fnUntraced(function* (
  input: ExecuteInput,
  options: ExecuteOptions,
  emit: Emit,
  stake: Stake
): Effect.fn.Return<
  { readonly flowId: string; readonly swap: Swap },
  SwapError,
  Transport | Signers | Policy | Journal
> {
  const policy = yield* Policy
  const { family, request, deployment } = yield* prepare(input)
  if (family === "evm") yield* ensureDelegable(request)

  let held = yield* first(request, options, emit)
  let reserved = false
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
          message: "The quote ran out before it was built."
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

    const agreement: Agreement = compact({ request, quote: held.quote, deployment })
    const checked = yield* verify(operation, agreement)
    yield* emit({ type: "verified", checked })
    if (!reserved) stake.release = (yield* policy.reserve(request)).release
    reserved = true
    const submission = yield* sign(operation, agreement)
    yield* emit({ type: "signed" })

    const flow = yield* newFlow(agreement, submission)
    const answer = yield* Effect.result(submitJournaled(flow, emit, stake))
    if (answer._tag === "Success") return { flowId: flow.id, swap: answer.success }
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
  const stake: Stake = { release: Effect.void, atRisk: false }
  const { flowId, swap } = yield* Effect.onExit(submitted(input, options, emit, stake), (exit) =>
    exit._tag === "Success" || stake.atRisk ? Effect.void : stake.release
  )
  const end = yield* finish(flowId, swap, emit, options)
  if (end.status !== "settled") yield* stake.release
  return end
})

/** Takes up a flow of the journal where it was left: the very same bytes, never a second swap. */
export const resume = Effect.fn("geoswap.resume")(function* (
  flowId: string,
  options: WaitOptions,
  emit: Emit
): Effect.fn.Return<Swap, ResumeError, Transport | Journal> {
  const journal = yield* Journal
  const flow = yield* journal.get(flowId)
  if (flow === undefined) {
    return yield* new InvalidInput({ field: "flowId", message: `flowId: the journal holds no flow ${flowId}.` })
  }
  const swap: Swap =
    flow.swapId === undefined
      ? yield* submitFlow(flow, emit, { unknown: true })
      : { swapId: flow.swapId, status: "pending" }
  return yield* finish(flowId, swap, emit, options)
})
