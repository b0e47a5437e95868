/** Signs an operation and sends the signature to the service. This is the only place in the package that does so. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type { FlowId } from "../Id.js"
import type { Flow, Signed, Store } from "../Store.js"
import { Journal } from "./journal.js"
import type { Agreement } from "../Operation.js"
import { Policy } from "../Policy.js"
import { minimumOf, type QuoteRequest } from "../Quote.js"
import type { Signers } from "../Signer.js"
import { type StoreError, OutcomeUnknown, type SwapError } from "../SwapError.js"
import type { Emit } from "../SwapEvent.js"
import { Transport } from "../Transport.js"
import { signaturesOf } from "../store/flow.js"
import { compact } from "../codecs/compact.js"
import type { ClaimLost, EntryClaim } from "./entryClaim.js"
import { withTimeout } from "./timeout.js"
import { type Accepted, type Refused, submitFlow } from "./submitFlow.js"
import type { Built, Submission } from "./endpoints.js"
import { identityOf, orderOf } from "./signatureIdentity.js"
import { sign } from "./verifyAndSign.js"

/** An operation to sign, with its context. */
export interface Job {
  readonly operation: Built
  readonly agreement: Agreement
  /** Whether the signer has verified the operation against its hash. */
  readonly checked: boolean
  /** The flow in the journal, if one of its earlier signatures may still be used. */
  readonly previous: Flow | undefined
  /** The flow as it was last written to the journal. */
  readonly written: Flow | undefined
  /** The number of this signature within the flow, starting at 1. */
  readonly number: number
  /** The id of the budget reservation. */
  readonly reservation: string
  /**
   * Whether an earlier signature under the same reservation has been sent, in which case the reservation is never
   * released.
   */
  readonly isSpent: boolean
  readonly claim: EntryClaim
  readonly emit: Emit
  /**
   * Returns the flow's swap, if another process has already submitted the flow. Fails if another process closed the
   * flow. `latest` is the flow with the signature that this job has just made.
   */
  readonly findResumed: (latest?: Flow) => Effect.Effect<Accepted | undefined, SwapError, Store>
  /** Called just before the first request with the signature is sent. */
  readonly onSubmit: (flow: Flow & Signed) => void
  /**
   * Called if the journal may contain the flow even though nothing was sent. The `undo` effect returns whether the flow
   * was removed again, and `hasWriteFailed` returns whether the journal reported that it did not write the flow.
   */
  readonly onUndo: (undo: Effect.Effect<boolean>, hasWriteFailed: Effect.Effect<boolean>) => void
}

/** The pinned vaults of both chains. Payments of other contracts prove nothing. */
const vaultsOf = ({ deploymentOf }: Policy, { originChain, destinationChain }: QuoteRequest): Flow["vaults"] => {
  const [origin, destination] = [originChain, destinationChain].map((chainId) => {
    const deployment = deploymentOf(chainId)
    return deployment && [...new Set([deployment.vault, ...(deployment.older ?? []).map(({ vault }) => vault)])]
  })
  return origin && destination && { origin, destination }
}

const flowOf = Effect.fnUntraced(function* (
  { operation, agreement: { request, quote }, checked, number, reservation, previous, claim }: Job,
  submission: Submission
): Effect.fn.Return<Flow & Signed, never, Policy | Transport> {
  const signedAt = yield* Clock.currentTimeMillis
  return compact({
    id: claim.flowId,
    createdAt: previous?.createdAt ?? signedAt,
    service: (yield* Transport).service,
    request,
    output: quote.output,
    minOutput: minimumOf(quote),
    feeBps: quote.feeBps,
    networkCost: quote.networkCost,
    signatures: number,
    reservation: reservation === claim.flowId ? undefined : reservation,
    submission,
    signedAt,
    ...(checked && { ...identityOf(operation), order: orderOf(operation, minimumOf(quote)) }),
    vaults: vaultsOf(yield* Policy, request),
    earlier: previous && signaturesOf(previous),
    idempotencyKey: claim.idempotencyKey
  })
})

/**
 * Runs `release` once the journal no longer contains the flow. If the flow is still being removed, `release` runs in
 * the background once the removal has succeeded.
 */
export const afterUndo = <R>(
  undone: Effect.Effect<boolean> | undefined,
  release: Effect.Effect<void, never, R>
): Effect.Effect<void, never, R> =>
  undone === undefined
    ? release
    : Effect.asVoid(Effect.forkDetach(Effect.flatMap(undone, (clean) => (clean ? release : Effect.void))))

/**
 * Creates the error for a flow that could not be written to the journal, or whose write reported a failure but may have
 * succeeded.
 */
const failedWrite = (flowId: FlowId, cause: StoreError, undone: Effect.Effect<boolean> = Effect.succeed(true)) =>
  Effect.flatMap(undone, (isUndone): Effect.Effect<never, StoreError | OutcomeUnknown> => {
    const message = `The store may contain flow ${flowId}, which another process may have submitted. Resume the flow. ${cause.message}`
    return Effect.fail(isUndone ? cause : new OutcomeUnknown({ flowId, message, cause }))
  })

/**
 * Reserves the budget, counts the signature in the ledger, signs, writes the flow to the journal and submits it. An
 * abort before the first request is sent undoes all of these steps. The budget is released last, because another
 * process may resume the flow as long as the journal contains it. Once the request has been sent, the budget is spent,
 * and the flow stays in the journal until its outcome is known.
 */
export const signAndSubmit = Effect.fnUntraced(function* (
  job: Job
): Effect.fn.Return<Accepted, SwapError | Refused | ClaimLost, Transport | Signers | Policy | Store> {
  const { operation, agreement, number, previous, written, claim, emit } = job
  const { flowId } = claim
  const journal = yield* Journal
  const policy = yield* Policy
  let isSent = false
  let latest: Flow | undefined
  let undone: Effect.Effect<boolean> | undefined
  const uncount = claim.uncountSignature(number)

  const attempt = Effect.gen(function* () {
    const resumed = yield* job.findResumed()
    if (resumed) return resumed
    yield* claim.countSignature(number, number > 1 && previous === undefined)
    const submission = yield* sign(operation, agreement)
    // Check again, because a wallet may take minutes to sign.
    const resumedSince = yield* job.findResumed()
    if (resumedSince) return resumedSince
    yield* emit({ type: "signed", flowId })
    const flow = yield* flowOf(job, submission)
    latest = flow
    const swap = yield* Effect.uninterruptibleMask((interruptible) =>
      Effect.gen(function* () {
        // Write in a separate fiber, so that an abort does not wait for a journal that hangs. The write is undone
        // unless the first request has been sent, because an abandoned flow must not be resumed.
        const writing = yield* Effect.forkDetach(journal.put(flow))
        const undoWrite = Effect.gen(function* () {
          yield* Fiber.await(writing)
          // If another process has resumed the flow, the signature stays counted and stays in the journal.
          if (!(yield* uncount)) return false
          const restoring = yield* Effect.exit(withTimeout(written ? journal.put(written) : journal.remove(flowId)))
          if (restoring._tag === "Success") return true
          // The journal may have been updated despite the error. If it was not, resuming the flow updates it.
          const reading = yield* Effect.exit(withTimeout(journal.get(flowId)))
          return reading._tag === "Success" && reading.value?.signatures === written?.signatures
        })
        const undo = Effect.fnUntraced(function* () {
          if (isSent) return
          // A finished write is undone immediately. A write that hangs is undone in the background.
          undone =
            writing.pollUnsafe() === undefined
              ? Fiber.join(yield* Effect.forkDetach(undoWrite))
              : Effect.succeed(yield* undoWrite)
          job.onUndo(
            undone,
            Effect.map(Fiber.await(writing), (exit) => exit._tag === "Failure")
          )
        })
        const submitting = Effect.suspend(() => {
          isSent = true
          job.onSubmit(flow)
          return submitFlow(flow, flow, emit)
        })
        const sending = Effect.andThen(claim.markSent(number), submitting)
        return yield* interruptible(Effect.andThen(Fiber.join(writing), sending)).pipe(
          Effect.onError(undo),
          Effect.catchTag("StoreError", (cause) => failedWrite(flowId, cause, undone))
        )
      })
    )
    return { flow, swap }
  }).pipe(
    // Another process may have submitted or closed the flow since the check above. If a store fails here, the
    // outcome is unknown, because the other process may have sent the signature.
    Effect.catchTag("ClaimLost", (lost) =>
      Effect.flatMap(
        Effect.catchTag(job.findResumed(latest), "StoreError", () => Effect.fail(lost)),
        (found) => (found ? Effect.succeed(found) : Effect.fail(lost))
      )
    )
  )

  const clean = (release: Effect.Effect<void>) => {
    if (isSent) return Effect.void
    const after = job.isSpent ? Effect.void : release
    return undone ? afterUndo(undone, after) : Effect.andThen(uncount, after)
  }
  return yield* Effect.uninterruptibleMask((interruptible) =>
    Effect.gen(function* () {
      // Reserve in a separate fiber, so that an abort does not wait for a ledger that hangs.
      const reserving = yield* Effect.forkDetach(
        policy.reserve(agreement.request, job.reservation, { quote: agreement.quote, isSpent: job.isSpent }),
        { startImmediately: true }
      )
      const release = yield* Effect.onInterrupt(interruptible(Fiber.join(reserving)), () =>
        Effect.asVoid(Effect.forkDetach(Effect.flatMap(Fiber.join(reserving), clean)))
      )
      return yield* Effect.onExit(interruptible(attempt), () => clean(release))
    })
  )
})
