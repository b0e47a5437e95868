/** One swap per idempotency key, over all processes that share a ledger. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { Journal } from "../Journal.js"
import { type Entry, Ledger } from "../Ledger.js"
import type { QuoteRequest } from "../Quote.js"
import { Settings } from "../Settings.js"
import { isTerminal, type Status, type Swap } from "../Swap.js"
import { IdempotencyConflict, InvalidInput, type LedgerError, OutcomeUnknown, type SwapError } from "../SwapError.js"
import type { Emit } from "../SwapEvent.js"
import type { Transport } from "../Transport.js"
import { compact } from "./compact.js"
import { finish, isResumable, type ResumeError, resumed } from "./finish.js"
import { hashOf, type Hold, holdOf, type Lost } from "./hold.js"
import { newName } from "./newName.js"
import { patient } from "./patience.js"
import type { WaitOptions } from "./poll.js"
import { status } from "./verbs.js"

/** What makes calls of `execute` one swap. */
export interface KeyOptions {
  /**
   * Your own name for this swap, for example the number of an order. Every `execute` with the same key and request is the
   * same swap: it returns it, resumes it, or starts it if nothing was signed yet. Needs a ledger that all your processes
   * share.
   */
  readonly idempotencyKey?: string | undefined
}

/** How often a key in other hands is looked at. */
const interval = 1_000

/** A swap that ended before: with its details if the service still has them. */
const ended = Effect.fnUntraced(function* (
  swapId: string,
  how: string | undefined
): Effect.fn.Return<Swap, never, Transport> {
  const fresh = yield* Effect.result(patient(status(swapId)))
  const known = { swapId, status: how as Status }
  return fresh._tag === "Success" && isTerminal(fresh.success) ? { ...fresh.success, ...known } : known
})

/** Follows a key that is in other hands, and has been signed for; `undefined` while there is nothing to follow. */
const followed = Effect.fnUntraced(function* (
  { key, state, flowId, signatures, swapId, status: how }: Entry,
  request: QuoteRequest,
  options: WaitOptions,
  emit: Emit
): Effect.fn.Return<Swap | undefined, ResumeError | LedgerError, Transport | Journal> {
  if (state === "ended" && swapId !== undefined) {
    const swap = yield* ended(swapId, how)
    yield* emit({ type: "done", swap })
    return swap
  }
  const journal = yield* Journal
  const flow = flowId === undefined ? undefined : yield* journal.get(flowId)
  if (flow) return (yield* isResumable(flow)) ? yield* resumed(flow, options, emit) : undefined
  if (swapId === undefined) return undefined
  const createdAt = yield* Clock.currentTimeMillis
  const found = compact({ id: flowId ?? key, createdAt, request, output: 0n, signatures, swapId, idempotencyKey: key })
  return yield* finish(found, { swapId, status: "pending" }, emit, options)
})

/** Claims the key and runs the swap, or returns or resumes the swap that the key stands for. */
export const keyed = Effect.fnUntraced(function* <R>(
  key: string,
  request: QuoteRequest,
  options: WaitOptions,
  emit: Emit,
  execute: (hold: Hold) => Effect.Effect<Swap, SwapError | Lost, R>
): Effect.fn.Return<Swap, SwapError, R | Transport | Journal> {
  const ledger = yield* Ledger
  const { claimLease: lease } = yield* Settings
  // Halves of surrogate pairs are all written as the same bytes: two such keys would be one.
  if (!ledger || typeof key !== "string" || key === "" || /\p{Surrogate}/u.test(key)) {
    const message = ledger ? "should be a well-formed string that is not empty" : "needs a ledger: provide one"
    return yield* new InvalidInput({ field: "idempotencyKey", message: `idempotencyKey: ${message}.` })
  }
  const requestHash = hashOf(request)
  const owner = yield* newName
  for (let waited = 0; ;) {
    const entry = yield* ledger.claim({ key, requestHash, owner, lease })
    if (entry.requestHash !== requestHash) {
      return yield* new IdempotencyConflict({
        key,
        message: `The idempotency key ${key} belongs to another request: use another key.`
      })
    }
    if (entry.owner === owner && entry.state === "claimed") {
      const result = yield* Effect.result(execute(holdOf(ledger, entry)))
      if (result._tag === "Success") return result.success
      const error = result.failure
      if (error._tag !== "Lost") return yield* Effect.fail(error)
      continue
    }
    if (entry.state !== "claimed") {
      const swap = yield* followed(entry, request, options, emit)
      if (swap) return swap
      if (waited >= lease) {
        return yield* new OutcomeUnknown({
          flowId: entry.flowId ?? "",
          message: `Another process signs for the key ${key}, or stopped while it did: look for its flow ${entry.flowId}.`
        })
      }
      waited += interval
    }
    yield* Effect.sleep(interval)
  }
})
