/** The one place where something is signed and leaves the process. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { type Flow, Journal, type Signed } from "../Journal.js"
import type { Agreement } from "../Operation.js"
import { Policy } from "../Policy.js"
import { minimumOf } from "../Quote.js"
import type { Signers } from "../Signer.js"
import type { Swap } from "../Swap.js"
import type { SwapError } from "../SwapError.js"
import type { Emit } from "../SwapEvent.js"
import type { Transport } from "../Transport.js"
import { signedOf } from "./afterRefusal.js"
import { compact } from "./compact.js"
import type { Hold, Lost } from "./hold.js"
import { bounded } from "./patience.js"
import { type Refused, submitFlow } from "./submitFlow.js"
import type { Built, Submission } from "./verbs.js"
import { sign } from "./verify.js"

/** Something to sign. */
export interface Job {
  readonly operation: Built
  readonly agreement: Agreement
  /** Whether the signer has compared the operation with its hash. */
  readonly checked: boolean
  readonly flowId: string
  /** The flow as the journal has it, if something was signed for it before and may still be executed. */
  readonly previous: Flow | undefined
  /** Which signature of the flow this is, from 1 on. */
  readonly number: number
  /** The name under which the budget is reserved. */
  readonly reservation: string
  /** Whether an earlier signature under that name has left: then nothing gives the budget back. */
  readonly isSpent: boolean
  readonly hold: Hold
  readonly emit: Emit
  /** Called in the moment in which the first request with the signature leaves. */
  readonly left: (flow: Flow & Signed) => void
  /** Called if the flow may be in the journal although nothing left: ends with whether it was taken out again. */
  readonly undoing: (undone: Effect.Effect<boolean>) => void
}

const flowOf = Effect.fnUntraced(function* (
  { operation, agreement: { request, quote }, checked, flowId, number, previous, hold }: Job,
  submission: Submission
): Effect.fn.Return<Flow & Signed> {
  const geoOp = operation.kind === "evm" && checked ? operation.geoOp : undefined
  const signedAt = yield* Clock.currentTimeMillis
  return compact({
    id: flowId,
    createdAt: previous?.createdAt ?? signedAt,
    request,
    output: quote.output,
    minOutput: minimumOf(quote),
    signatures: number,
    submission,
    signedAt,
    operation: geoOp && { delegate: geoOp.delegate, nonce: geoOp.nonce, deadline: geoOp.deadline },
    earlier: previous && signedOf(previous),
    idempotencyKey: hold.key
  })
})

/** Gives something back once the journal holds nothing of it any more, without waiting for that. */
export const afterUndo = <R>(
  undone: Effect.Effect<boolean> | undefined,
  giveBack: Effect.Effect<void, never, R>
): Effect.Effect<void, never, R> =>
  undone === undefined
    ? giveBack
    : Effect.asVoid(Effect.forkDetach(Effect.flatMap(undone, (clean) => (clean ? giveBack : Effect.void))))

/**
 * Reserves the budget, counts the signature in the entry of the key, signs, writes the flow down and submits it. An abort
 * before the first request leaves takes all of that back, the journal first: as long as it may hold the flow, somebody may
 * resume it. From then on the journal keeps the flow until its outcome is known, and the budget is spent.
 */
export const signAndSubmit = Effect.fnUntraced(function* (
  job: Job
): Effect.fn.Return<
  { readonly flow: Flow; readonly swap: Swap },
  SwapError | Refused | Lost,
  Transport | Signers | Policy | Journal
> {
  const { operation, agreement, flowId, number, previous, hold, emit } = job
  const journal = yield* Journal
  const policy = yield* Policy
  let left = false
  let undone: Effect.Effect<boolean> | undefined
  const uncounted = hold.unsigned(flowId, number)

  const attempt = Effect.gen(function* () {
    yield* hold.signing(flowId, number)
    const submission = yield* sign(operation, agreement)
    yield* emit({ type: "signed", flowId })
    const flow = yield* flowOf(job, submission)
    const swap = yield* Effect.uninterruptibleMask((restore) =>
      Effect.gen(function* () {
        // In a fiber of its own, so that a journal that hangs can be left. What it wrote, or still writes, is taken back
        // unless the first request left: what was given up must not be there to resume.
        const writing = yield* Effect.forkDetach(journal.put(flow))
        const restored = Effect.andThen(
          Fiber.await(writing),
          Effect.matchEffect(bounded(previous ? journal.put(previous) : journal.remove(flowId)), {
            onFailure: () => Effect.succeed(false),
            onSuccess: () => uncounted
          })
        )
        const undo = Effect.fnUntraced(function* () {
          if (left) return
          // A write that has ended is undone at once; one that hangs is not waited for.
          undone =
            writing.pollUnsafe() === undefined
              ? Fiber.join(yield* Effect.forkDetach(restored))
              : Effect.succeed(yield* restored)
          job.undoing(undone)
        })
        const submitting = Effect.suspend(() => {
          left = true
          job.left(flow)
          return submitFlow(flow, flow, emit)
        })
        return yield* restore(Effect.andThen(Fiber.join(writing), submitting)).pipe(Effect.onError(undo))
      })
    )
    return { flow, swap }
  })

  return yield* Effect.acquireUseRelease(
    policy.reserve(agreement.request, job.reservation),
    () => attempt,
    (giveBack) => {
      if (left) return Effect.void
      const after = job.isSpent ? Effect.void : giveBack
      return undone ? afterUndo(undone, after) : Effect.andThen(uncounted, after)
    }
  )
})
