/** Signs an operation and sends the signature to the service. This is the only place in the package that does so. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type { Flow, Store } from "../Store.js"
import type { Signed } from "../store/flow.js"
import type { Agreement } from "../Operation.js"
import { Policy } from "../Policy.js"
import { minOutputOf, type QuoteRequest } from "../Quote.js"
import type { Signers } from "../Signer.js"
import { OutcomeUnknown, type StoreError, type SwapError } from "../SwapError.js"
import type { Emit } from "../SwapEvent.js"
import { Transport } from "../Transport.js"
import { signaturesOf } from "../store/flow.js"
import { compact } from "../codecs/compact.js"
import { bestEffort } from "./bestEffort.js"
import { type ClaimLost, type NextSignature, startSigning, storeSignature, withdrawSignature } from "./flows.js"
import { type Accepted, type Refused, submitFlow } from "./submitFlow.js"
import type { Built, Submission } from "./endpoints.js"
import { identityOf, orderOf } from "./signatureIdentity.js"
import { sign } from "./verifyAndSign.js"

/** An operation to sign, with its context. */
export interface Job extends Omit<NextSignature, "request"> {
  readonly operation: Built
  readonly agreement: Agreement
  /** Whether the signer has verified the operation against its hash. */
  readonly checked: boolean
  /** The flow in the store, if one of its earlier signatures may still be used. */
  readonly previous: Flow | undefined
  /** The flow as it was last stored with a signature. */
  readonly stored: Flow | undefined
  /** Whether an earlier signature under the same reservation has been sent. */
  readonly isReserved: boolean
  readonly emit: Emit
  /** Called just before the first request with the signature is sent. */
  readonly onSubmit: (flow: Flow & Signed) => void
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
  { agreement: { request, quote }, checked, id, idempotencyKey, number, operation, previous }: Job,
  submission: Submission
): Effect.fn.Return<Flow & Signed, never, Policy | Transport> {
  const signedAt = yield* Clock.currentTimeMillis
  return compact({
    id,
    state: "signed" as const,
    createdAt: previous?.createdAt ?? signedAt,
    service: (yield* Transport).service,
    request,
    output: quote.output,
    minOutput: minOutputOf(quote),
    feeBps: quote.feeBps,
    networkCost: quote.networkCost,
    signatures: number,
    submission,
    signedAt,
    ...(checked && { ...identityOf(operation), order: orderOf(operation, minOutputOf(quote)) }),
    vaults: vaultsOf(yield* Policy, request),
    earlier: previous && signaturesOf(previous),
    idempotencyKey
  })
})

/**
 * Runs a change of the store in its own fiber, and undoes it if the caller fails or is aborted before it is
 * `committed`. A change that hangs is undone in the background.
 */
const makeUndoable = (undo: Effect.Effect<boolean, StoreError, Store>) => {
  let writing: Fiber.Fiber<unknown, unknown> | undefined
  let [isCommitted, isUndone] = [false, true]
  const undoing = Effect.suspend(() => {
    if (isCommitted || writing === undefined) return Effect.void
    isUndone = false
    const hangs = writing.pollUnsafe() === undefined
    const undoneLater = Effect.map(Effect.andThen(Fiber.await(writing), undo), (undone) => void (isUndone = undone))
    return Effect.flatMap(Effect.forkDetach(undoneLater), (fiber) =>
      hangs ? Effect.void : Effect.asVoid(bestEffort(Fiber.join(fiber)))
    )
  })
  return {
    write: <A, E, R>(change: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
      Effect.flatMap(Effect.forkDetach(change, { startImmediately: true }), (fiber) => {
        writing = fiber
        return Fiber.join(fiber)
      }),
    commit: () => void (isCommitted = true),
    isUndone: () => isUndone,
    orUndo: <A, E, R>(program: Effect.Effect<A, E, R>): Effect.Effect<A, E, R | Store> =>
      Effect.onError(program, () => undoing)
  }
}

/**
 * Reserves the budget, asks for an approval, signs, stores the signature and submits it. An abort or a failure before the
 * first request is sent undoes all of it in one update. Once the request has been sent, the budget is spent, and the flow
 * stays in the store until its outcome is known.
 */
export const signAndSubmit = Effect.fnUntraced(function* (
  job: Job
): Effect.fn.Return<Accepted, SwapError | Refused | ClaimLost, Transport | Signers | Policy | Store> {
  const { agreement, emit, id: flowId, isReserved, operation, previous, reservation, stored } = job
  const { quote, request } = agreement
  const next: NextSignature = { ...job, request }
  const { approve } = yield* Policy
  let isSigned = false
  const { commit, isUndone, orUndo, write } = makeUndoable(withdrawSignature(next, stored, isReserved))
  return yield* Effect.gen(function* () {
    yield* write(startSigning(next))
    yield* approve({ request, quote, reservation })
    const submission = yield* sign(operation, agreement)
    yield* emit({ type: "signed", flowId })
    const flow = yield* flowOf(job, submission)
    isSigned = true
    yield* write(storeSignature(flow))
    commit()
    job.onSubmit(flow)
    return { flow, swap: yield* submitFlow(flow, flow, emit) }
  }).pipe(
    orUndo,
    Effect.catchTag("StoreError", (cause): Effect.Effect<never, StoreError | OutcomeUnknown> => {
      if (!isSigned || isUndone() || previous) return Effect.fail(cause)
      const message = `The store may contain flow ${flowId}, which another process may have submitted. Resume the flow. ${cause.message}`
      return Effect.fail(new OutcomeUnknown({ flowId, message, cause }))
    })
  )
})
