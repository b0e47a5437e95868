/** One swap per idempotency key, across all processes that share a store. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { FlowId, SwapId } from "../Id.js"
import type { QuoteRequest } from "../Quote.js"
import { RetrySettings } from "../RetrySettings.js"
import { Store } from "../Store.js"
import { isTerminal, type Status, type Swap } from "../Swap.js"
import { IdempotencyConflict, InvalidInput, type SwapError } from "../SwapError.js"
import type { Emit } from "../SwapEvent.js"
import { Transport } from "../Transport.js"
import { agreedSwap } from "./agreedSwap.js"
import { bestEffort } from "./bestEffort.js"
import { status } from "./endpoints.js"
import { type ClaimLost, claimLost, discardUnsigned, openFlow, readFlow, takeOver } from "./flows.js"
import { newId } from "./newId.js"
import { whileRunning } from "./openFlows.js"
import type { WaitOptions } from "./pollStatus.js"
import { hashRequest } from "./requestHash.js"
import { resumeFlow } from "./resume.js"
import { retry } from "./retry.js"

/** The interval, in milliseconds, at which to read the flow of another `execute` call that has signed nothing yet. */
const interval = 1_000

/** Returns the swap that a key belongs to, with its details if the service still has them. */
const endedSwap = Effect.fnUntraced(function* (
  request: QuoteRequest,
  swapId: SwapId,
  ended: string | undefined
): Effect.fn.Return<Swap, never, Transport> {
  const reading = yield* Effect.result(retry(status(swapId)))
  const known = { swapId, status: ended as Status }
  const agreed = yield* agreedSwap({ request, output: 0n })
  if (reading._tag === "Failure" || !isTerminal(reading.success)) return agreed(known)
  // A forgotten flow has left no status.
  return agreed({ ...reading.success, ...(isTerminal(known) ? known : { swapId }) })
})

/** The option that makes several `execute` calls share one swap. */
export interface IdempotencyOptions {
  /**
   * Your own id for this swap, for example an order number. Every `execute` call with the same key and request refers
   * to the same swap: the call returns the swap, resumes it, or starts it if nothing has been signed yet. Requires a
   * store with locks that all your processes share.
   */
  readonly idempotencyKey?: string | undefined
}

/**
 * Claims the key and runs the swap, or returns or resumes the swap that the key belongs to. A key belongs to a flow as
 * long as the flow is stored, and for ever once its swap has ended. A flow is stored before its key, and a removed flow is
 * never stored again, so a key whose flow is missing is free.
 */
export const idempotentExecute = Effect.fnUntraced(function* <R>(
  key: string,
  request: QuoteRequest,
  options: WaitOptions,
  emit: Emit,
  execute: (flowId: FlowId) => Effect.Effect<Swap, SwapError | ClaimLost, R>
): Effect.fn.Return<Swap, SwapError, R | Transport | Store> {
  const { records, updateKey } = yield* Store
  const { claimLease: lease } = yield* RetrySettings
  // All lone surrogates are encoded as the same bytes, so two different keys could become the same key.
  if (records.flowsOnly === true || typeof key !== "string" || key === "" || /\p{Surrogate}/u.test(key)) {
    const expected =
      records.flowsOnly === true ? "requires a store with locks" : "expected a non-empty, well-formed string"
    return yield* new InvalidInput({ field: "idempotencyKey", message: `idempotencyKey: ${expected}.` })
  }
  const { walletAddress: wallet } = request
  const requestHash = hashRequest(request, (yield* Transport).service)
  for (;;) {
    const known = yield* updateKey(key, (stored) => [stored, stored])
    const named = known && { id: known.flowId, request: { ...request, walletAddress: known.wallet } }
    const flow = named && (yield* readFlow(named))
    if (known && (flow !== undefined || known.swapId !== undefined) && known.requestHash !== requestHash) {
      const message = `The idempotency key ${key} belongs to another request: use a different key.`
      return yield* new IdempotencyConflict({ key, message })
    }
    if (known?.swapId !== undefined) {
      const swap = yield* endedSwap(request, known.swapId, known.status)
      yield* emit({ type: "done", swap })
      return swap
    }
    if (flow && flow.state !== "signing") {
      const swap = yield* resumeFlow(flow, options, emit)
      if (swap) return swap
      continue
    }
    if (flow && !(yield* takeOver(flow))) {
      yield* Effect.sleep(interval)
      continue
    }
    const flowId = yield* newId
    const own = { id: flowId, request }
    const running = Effect.gen(function* () {
      yield* openFlow({ ...own, idempotencyKey: key, until: (yield* Clock.currentTimeMillis) + lease })
      const isClaimed = yield* updateKey(key, (stored) =>
        stored === undefined || (stored.flowId === known?.flowId && stored.swapId === undefined)
          ? [{ key, wallet, requestHash, flowId }, true]
          : [stored, false]
      )
      return isClaimed ? yield* execute(flowId) : yield* Effect.fail(claimLost)
    })
    const result = yield* Effect.result(
      whileRunning(
        flowId,
        Effect.onError(running, () => bestEffort(discardUnsigned(own)))
      )
    )
    if (result._tag === "Success") return result.success
    const error = result.failure
    if (error._tag !== "ClaimLost") return yield* Effect.fail(error)
  }
})
