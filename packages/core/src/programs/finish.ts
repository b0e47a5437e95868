/** Follows an accepted swap to its end. */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type { SwapId } from "../Id.js"
import { Families } from "../Chain.js"
import { ChainReader } from "../ChainReader.js"
import type { Flow, Store } from "../Store.js"
import { Policy } from "../Policy.js"
import { RetrySettings } from "../RetrySettings.js"
import { isProved, isTerminal, type Proof, type Swap } from "../Swap.js"
import { Expired, OutcomeUnknown, WaitTimeout } from "../SwapError.js"
import type { Emit } from "../SwapEvent.js"
import type { Transport } from "../Transport.js"
import { agreedSwap, withProof } from "./agreedSwap.js"
import { endFlow, recordClaim } from "./flows.js"
import { pollStatus, type WaitError, type WaitOptions } from "./pollStatus.js"
import { awaitPayment } from "./proof.js"
import { identitiesOf } from "../store/flow.js"
import { awaitSignedState, executedMessage, readSignedState } from "./signedState.js"
import { monotonicMillis } from "./timeout.js"
import { readerOf } from "./readerOf.js"

/** The errors that can occur while waiting for an accepted swap to end. */
export type FinishError = WaitTimeout | OutcomeUnknown | Expired

/** Whether there is a policy that trusts what the service says about signatures. */
export const trustsService: Effect.Effect<boolean> = Effect.map(
  Effect.serviceOption(Policy),
  (policy) => policy._tag === "Some" && policy.value.afterRefusal === "trust-service"
)

/**
 * Whether an ended swap needs no more attention: it has settled, or the wallet certainly still has or got back its tokens.
 */
const isFinal = (swap: Swap): Effect.Effect<boolean> =>
  Effect.map(trustsService, (trusts) => trusts || swap.status === "settled" || isProved(swap))

/**
 * Closes a flow whose signatures can no longer be used, and returns whether it is closed. If the swap was accepted, the
 * flow's idempotency key records the swap as `failed`; otherwise, the key can be used again.
 */
export const closeExpired = (flow: Flow): Effect.Effect<boolean, never, Store> =>
  endFlow(flow, flow.swapId === undefined ? undefined : { swapId: flow.swapId, status: "failed" })

/**
 * Fails with the error for an accepted swap whose final status could not be read. The error depends on whether the
 * caller's own node shows the outcome.
 */
const failUnfinished = Effect.fnUntraced(function* (
  flow: Flow,
  swapId: SwapId,
  cause: WaitError
): Effect.fn.Return<never, FinishError, Store> {
  const { id: flowId } = flow
  const state = yield* readSignedState(flow)
  if (state === "expired" && (yield* closeExpired(flow))) {
    const message = `Your own node shows that the signed operation expired unused. ${cause.message}`
    return yield* new Expired({ what: "operation", message })
  }
  const executed = state === "used" ? ` ${executedMessage}` : ""
  const message = `Swap ${swapId} was accepted. Resume flow ${flowId}.${executed} ${cause.message}`
  return yield* cause._tag === "WaitTimeout"
    ? new WaitTimeout({ swapId, status: cause.status, flowId, message })
    : new OutcomeUnknown({ swapId, flowId, message, cause })
})

/**
 * Returns the proof that none of a failed swap's signatures can be used, once the caller's own node shows it. Without a
 * node, or if the policy trusts the service, there is no proof and none is required.
 */
const proveFailed = Effect.fnUntraced(function* (
  flow: Flow,
  { swapId, status }: Swap,
  timeout: number
): Effect.fn.Return<Proof | undefined, FinishError, Store> {
  const { id: flowId } = flow
  const readers = yield* ChainReader
  const { originChain: chainId } = flow.request
  const family = (yield* Families)(chainId)
  if (readerOf(readers, family, chainId) === undefined || (yield* trustsService)) return undefined
  const failed = `The service says that swap ${swapId} failed`
  // A signature over a bare hash cannot be found on the chain. A policy that allows such signatures trusts the service.
  if (!identitiesOf(flow).some(({ operation, payment, transaction }) => operation ?? payment ?? transaction)) {
    return undefined
  }
  const state = yield* awaitSignedState(flow, timeout)
  if (state === "used") {
    const message = `${failed}, but your own node shows that the signed operation was executed. Resume flow ${flowId}, and ask the service's operator about the swap.`
    return yield* new OutcomeUnknown({ swapId, flowId, message })
  }
  if (state === "open") {
    const message = `${failed}. Your own node does not yet show that the signed operation has expired, so it may still be executed. Resume flow ${flowId}.`
    return yield* new WaitTimeout({ swapId, status, flowId, message })
  }
  return { seen: "expiry", chainId }
})

/**
 * Looks for the proof of how a swap ended. If the service claims that the tokens stayed with the wallet or went back to
 * it, the claim is recorded first, so that nothing is signed instead of the swap until the claim is proved.
 */
const prove = Effect.fnUntraced(function* (
  flow: Flow,
  swap: Swap,
  timeout: number
): Effect.fn.Return<Proof | undefined, FinishError, Store> {
  const { status } = swap
  if (status !== "failed" && status !== "refunded") return yield* awaitPayment(flow, swap, timeout)
  if (!(yield* trustsService)) yield* recordClaim(flow, status)
  return yield* status === "failed" ? proveFailed(flow, swap, timeout) : awaitPayment(flow, swap, timeout)
})

/**
 * Waits until an accepted swap ends, and closes its flow. The terms in the result are the
 * flow's. A flow whose swap has failed or was refunded stays in the store until that is proved.
 */
export const finish = Effect.fnUntraced(function* (
  accepted: Flow,
  answer: Swap,
  emit: Emit,
  options: WaitOptions
): Effect.fn.Return<Swap, FinishError, Transport | Store> {
  const { swapId } = answer
  const flow = { ...accepted, swapId }
  const agreed = yield* agreedSwap(flow)
  const submitted = agreed(answer)
  const { waitTimeout } = yield* RetrySettings
  const until = (yield* monotonicMillis) + Duration.toMillis(Duration.fromInputUnsafe(options.timeout ?? waitTimeout))
  yield* emit({ type: "submitted", flowId: flow.id, swap: submitted })
  const emitStatus = (swap: Swap) => emit({ type: "status", swap: agreed(swap) })
  const claimed = isTerminal(submitted)
    ? submitted
    : agreed(
        yield* Effect.catch(pollStatus(swapId, emitStatus, options), (cause) => failUnfinished(flow, swapId, cause))
      )
  if (claimed.status === "failed" && claimed === submitted) yield* emitStatus(claimed)
  const swap = withProof(claimed, yield* prove(flow, claimed, Math.max(0, until - (yield* monotonicMillis))))
  // If the store cannot be updated, the flow stays, and resuming it updates the store.
  if ((yield* isFinal(swap)) && !(yield* endFlow(flow, swap)) && swap.status === "failed") {
    const message = `The service says that swap ${swapId} failed, but the store could not be updated. Resume flow ${flow.id}.`
    return yield* new OutcomeUnknown({ flowId: flow.id, swapId, message })
  }
  yield* emit({ type: "done", swap })
  return swap
})
