/** One swap per idempotency key, across all processes that share a ledger. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { SwapId } from "../Id.js"
import { compact } from "../codecs/compact.js"
import type { Entry, Store } from "../Store.js"
import { Journal } from "./journal.js"
import { Ledger } from "./ledger.js"
import type { QuoteRequest } from "../Quote.js"
import { RetrySettings } from "../RetrySettings.js"
import { isTerminal, type Status, type Swap } from "../Swap.js"
import { IdempotencyConflict, InvalidInput, type StoreError, OutcomeUnknown, type SwapError } from "../SwapError.js"
import type { Emit } from "../SwapEvent.js"
import { Transport } from "../Transport.js"
import { agreedSwap } from "./agreedSwap.js"
import { status } from "./endpoints.js"
import { finish } from "./finish.js"
import { discardFlow } from "./flowEntry.js"
import { type ClaimLost, type EntryClaim, keyClaim } from "./entryClaim.js"
import { newId } from "./newId.js"
import type { WaitOptions } from "./pollStatus.js"
import { hashRequest } from "./requestHash.js"
import { flowToResume, type ResumeError, resumeFlow } from "./resume.js"
import { retry } from "./retry.js"

/** The interval, in milliseconds, at which to read the entry for a key that another `execute` call has claimed. */
const interval = 1_000

/** Returns a swap that has ended, with its details if the service still has them. */
const endedSwap = Effect.fnUntraced(function* (
  request: QuoteRequest,
  swapId: SwapId,
  ended: string | undefined
): Effect.fn.Return<Swap, never, Transport> {
  const reading = yield* Effect.result(retry(status(swapId)))
  const known = { swapId, status: ended as Status }
  const agreed = yield* agreedSwap({ request, output: 0n })
  return agreed(reading._tag === "Success" && isTerminal(reading.success) ? { ...reading.success, ...known } : known)
})

/**
 * Follows the swap that another `execute` call with the same key has started. Returns `undefined` if there is nothing
 * to follow yet.
 */
const followSwap = Effect.fnUntraced(function* (
  { key, state, flowId, signatures, swapId, status: ended }: Entry,
  request: QuoteRequest,
  options: WaitOptions,
  emit: Emit
): Effect.fn.Return<Swap | undefined, ResumeError | StoreError, Transport | Store> {
  if (state === "ended" && swapId !== undefined) {
    const swap = yield* endedSwap(request, swapId, ended)
    yield* emit({ type: "done", swap })
    return swap
  }
  const journal = yield* Journal
  const flow = flowId === undefined ? undefined : yield* journal.get(flowId)
  if (flow) {
    const found = yield* flowToResume(flow)
    return typeof found === "string" ? undefined : yield* resumeFlow(found, options, emit)
  }
  if (swapId === undefined) return undefined
  const createdAt = yield* Clock.currentTimeMillis
  const { service } = yield* Transport
  const found = compact({
    id: flowId ?? key,
    createdAt,
    service,
    request,
    output: 0n,
    signatures,
    swapId,
    idempotencyKey: key
  })
  return yield* finish(found, { swapId, status: "pending" }, emit, options)
})

/** Claims the key and runs the swap, or returns or resumes the swap that the key belongs to. */
export const idempotentExecute = Effect.fnUntraced(function* <R>(
  key: string,
  request: QuoteRequest,
  options: WaitOptions,
  emit: Emit,
  execute: (claim: EntryClaim) => Effect.Effect<Swap, SwapError | ClaimLost, R>
): Effect.fn.Return<Swap, SwapError, R | Transport | Store> {
  const ledger = yield* Ledger
  const { claimLease: lease } = yield* RetrySettings
  // All lone surrogates are encoded as the same bytes, so two different keys could become the same key.
  if (!ledger || typeof key !== "string" || key === "" || /\p{Surrogate}/u.test(key)) {
    const message = ledger ? "expected a non-empty, well-formed string" : "requires a store with locks"
    return yield* new InvalidInput({ field: "idempotencyKey", message: `idempotencyKey: ${message}.` })
  }
  const requestHash = hashRequest(request, (yield* Transport).service)
  for (let waited = 0; ;) {
    // Every claim gets a new owner, so that releasing an earlier claim late does not release this claim.
    const owner = yield* newId
    const claim = { key, requestHash, wallet: request.walletAddress, owner, lease }
    const entry = yield* ledger.claim(claim)
    if (entry.requestHash !== requestHash) {
      return yield* new IdempotencyConflict({
        key,
        message: `The idempotency key ${key} belongs to another request: use a different key.`
      })
    }
    if (entry.owner === owner && entry.state === "claimed") {
      // The previous owner closed its flow or withdrew its signature, but may have died before it removed the flow.
      const discarded = entry.flowId === undefined ? undefined : yield* (yield* Journal).get(entry.flowId)
      if (discarded) yield* discardFlow(ledger, discarded, entry)
      const result = yield* Effect.result(execute(keyClaim(ledger, claim)))
      if (result._tag === "Success") return result.success
      const error = result.failure
      if (error._tag !== "ClaimLost") return yield* Effect.fail(error)
      continue
    }
    if (entry.state !== "claimed") {
      const swap = yield* followSwap(entry, request, options, emit)
      if (swap) return swap
      if (waited >= lease) {
        return yield* new OutcomeUnknown({
          flowId: entry.flowId ?? "",
          message: `Another process is signing for the idempotency key ${key}, or stopped while signing. Resume that process's flow, ${entry.flowId}.`
        })
      }
      waited += interval
    }
    yield* Effect.sleep(interval)
  }
})
