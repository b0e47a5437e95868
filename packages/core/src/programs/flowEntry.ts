/**
 * The ledger entry for a flow, from the submit call to the end of the swap. The entry is stored under the flow's
 * idempotency key or, if the flow has no key, under the flow's id.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { compact } from "../codecs/compact.js"
import type { Entry, Flow, Store } from "../Store.js"
import { Journal } from "./journal.js"
import { type EntryKey, entryKeyOf, Ledger } from "./ledger.js"
import { Policy } from "../Policy.js"
import { RetrySettings } from "../RetrySettings.js"
import type { Swap } from "../Swap.js"
import type { StoreError, PolicyViolation } from "../SwapError.js"
import { bestEffort } from "./bestEffort.js"
import { newId } from "./newId.js"
import { hashRequest } from "./requestHash.js"
import { reservationOf } from "./reservation.js"
import { withoutLatest } from "../store/flow.js"
import { withTimeout } from "./timeout.js"

/**
 * Returns the result of a ledger call, or `undefined` if the ledger failed. The error message is recorded in the trace.
 */
export const readLedger = <A>(call: Effect.Effect<A, StoreError>): Effect.Effect<A | undefined> =>
  Effect.catch(withTimeout(call), ({ message }) =>
    Effect.as(Effect.annotateCurrentSpan({ "ledger.error": message }), undefined)
  )

/**
 * The result of updating an entry. `changed`: another signature has been made for the flow since the flow was read, or
 * the flow's swap has ended. `unknown`: the ledger failed.
 */
type Update = "done" | "changed" | "unknown"

/** Updates the entry for a flow, if there is a ledger. */
const updateEntry = (
  flow: Flow,
  update: (ledger: Ledger, key: EntryKey) => Effect.Effect<boolean, StoreError>,
  isDone: (entry: Entry) => boolean = () => false
): Effect.Effect<Update> =>
  Effect.flatMap(Ledger, (ledger) => {
    if (!ledger) return Effect.succeed("done")
    const { id } = flow
    const key = entryKeyOf(flow)
    const updating = Effect.flatMap(update(ledger, key), (won) =>
      // An entry that has been removed, or that now belongs to another flow, needs no update.
      won ? Effect.succeed(true) : Effect.map(ledger.get(key), (entry) => entry?.flowId !== id || isDone(entry))
    )
    return Effect.map(readLedger(updating), (done) => (done === undefined ? "unknown" : done ? "done" : "changed"))
  })

/** Advances the entry for a flow whose swap has not ended, if the entry still matches the flow. */
const advanceUnfinished =
  ({ id: flowId, signatures, swapId }: Flow, to: Parameters<Ledger["advance"]>[2]) =>
  (ledger: Ledger, key: EntryKey): Effect.Effect<boolean, StoreError> =>
    Effect.flatMap(ledger.advance(key, compact({ state: "signing" as const, flowId, signatures }), to), (won) =>
      won
        ? Effect.succeed(true)
        : ledger.advance(key, compact({ state: "accepted" as const, flowId, signatures, swapId }), to)
    )

/**
 * Why a flow's signatures must not be submitted. `abandoned`: the signing process has withdrawn its signature.
 * `changed`: the flow is changing. `closed`: the flow was closed after its signatures had expired or been refused.
 * `gone`: the flow has left the journal since it was read.
 */
export type Unresumable = "abandoned" | "changed" | "closed" | "gone"

/**
 * The update that closes the entry for a flow whose signatures were sent but can never be used. The entry stays, so
 * that the flow is not resumed if it is still in the journal or is written to the journal later. An idempotency key can
 * be claimed again immediately.
 */
export const closedEntry = (isKeyed: boolean): Partial<Entry> =>
  isKeyed ? { state: "claimed", until: 0, sent: true } : { state: "ended" }

const closing = ({ idempotencyKey }: Flow): Partial<Entry> => closedEntry(idempotencyKey !== undefined)

/** Whether an entry belongs to a flow that was closed without a swap. */
export const isClosed = ({ state, swapId }: { readonly state?: string; readonly swapId?: string }): boolean =>
  state === "ended" && swapId === undefined

/**
 * Whether the ledger shows that a flow's signatures cannot be submitted: the flow was closed, its signature was withdrawn,
 * or its key belongs to another flow. Such a flow can only be left in the journal if it could not be removed.
 */
export const isWithdrawn = (flow: Flow): Effect.Effect<boolean> =>
  Effect.flatMap(Ledger, (ledger) =>
    ledger
      ? Effect.map(
          readLedger(ledger.get(entryKeyOf(flow))),
          (entry) => entry !== undefined && (entry.flowId !== flow.id || isClosed(entry) || entry.state === "claimed")
        )
      : Effect.succeed(false)
  )

/** The time, in milliseconds, after which the ledger drops individual reservations: one day. */
const reservationLifetime = 86_400_000

/**
 * Implements `markResumed` for flows without a ledger entry. Makes the budget reservation permanent, or reserves the
 * amount again, before this process submits what another process signed.
 */
const keepReservation = Effect.fnUntraced(function* ({
  id,
  request,
  signatures = 0,
  signedAt = 0,
  reservation = id
}: Flow): Effect.fn.Return<Unresumable | undefined, StoreError | PolicyViolation, Store> {
  const found = yield* Effect.serviceOption(Policy)
  const policy = found._tag === "Some" ? found.value : undefined
  const ledger = yield* Ledger
  const journal = yield* Journal
  // If the flow is gone, its reservation may be about to be released, and must not become permanent.
  if ((yield* journal.get(id)) === undefined) return "gone"
  const keep = policy?.keep(request, reservation) ?? ledger?.keep(reservationOf(request, reservation))
  const isKept = keep && (yield* keep)
  // An aborted process removes the flow from the journal before it releases the budget.
  const now = yield* journal.get(id)
  if (now === undefined) return "gone"
  if ((now.signatures ?? 0) < signatures || now.swapId !== undefined) return "changed"
  // The journal may have stored the flow even though it reported that the write failed. The budget has been released in
  // that case, so it is reserved again here.
  if (!isKept && policy && (yield* Clock.currentTimeMillis) - signedAt < reservationLifetime) {
    yield* policy.reserve(request, reservation)
    yield* policy.keep(request, reservation)
  }
  return undefined
})

/**
 * Removes a flow whose signatures can no longer be used. If the only signature was withdrawn before it was sent,
 * also releases the flow's budget.
 */
export const discardFlow = Effect.fnUntraced(function* (
  ledger: Ledger,
  { id, request, reservation = id }: Flow,
  { sent }: Entry
): Effect.fn.Return<void, StoreError, Store> {
  yield* (yield* Journal).remove(id)
  // The id is the flow's, perhaps with a suffix. The journal is not authenticated, so an altered flow could name the
  // reservation of another swap.
  if (!sent && `${reservation}.`.startsWith(`${id}.`)) yield* ledger.release(reservationOf(request, reservation))
})

/**
 * Returns the flow for an entry whose swap was accepted, for a process that does not have the accepted signature.
 * Without the signature, the flow shows neither what became of the swap nor for which quote it was made.
 */
const acceptedFlow = ({ id, createdAt, service, request, idempotencyKey }: Flow, { signatures, swapId }: Entry): Flow =>
  compact({ id, createdAt, service, request, output: 0n, idempotencyKey, signatures, swapId })

/**
 * Returns the flow whose signatures may be submitted, or why none may be submitted. First marks the flow's ledger entry
 * as resumed or, without a ledger, makes the flow's budget reservation permanent. After that, the signing process can
 * no longer withdraw its signature or release its budget.
 */
export const markResumed = Effect.fnUntraced(function* (
  flow: Flow
): Effect.fn.Return<Flow | Unresumable, StoreError | PolicyViolation, Store> {
  const ledger = yield* Ledger
  const { claimLease: lease } = yield* RetrySettings
  const { id: flowId, request, service, signatures = 0 } = flow
  const key = entryKeyOf(flow)
  if (!ledger) return (yield* keepReservation(flow)) ?? flow
  const signing = compact({ flowId, signatures: flow.signatures })
  if (yield* ledger.advance(key, { state: "signing", ...signing }, { resumed: true })) return flow
  const entry = yield* ledger.get(key)
  const wallet = request.walletAddress
  const claim = { key, requestHash: hashRequest(request, service), wallet, owner: yield* newId, lease }
  if (!entry) {
    // Either the ledger has lost the entry, or the flow was abandoned and its removal from the journal failed.
    const unresumable = yield* keepReservation(flow)
    if (unresumable) return unresumable
    const created = yield* ledger.claim({ ...claim, flow: { ...signing, resumed: true } })
    if (created.flowId !== flowId) return "abandoned"
    if (yield* (yield* Journal).get(flowId)) return flow
    // The signing process removed the flow, and then its entry, before this process created the new entry.
    yield* ledger.advance(key, { owner: claim.owner }, undefined)
    return "gone"
  }
  if (entry.flowId !== flowId) return "abandoned"
  if (isClosed(entry)) {
    // Every signature has expired or can no longer be sent.
    yield* (yield* Journal).remove(flowId)
    return "closed"
  }
  if (entry.state === "claimed") {
    // The flow was closed, or its signature was withdrawn. The process that did so may have died before it removed the
    // flow.
    if ((yield* ledger.claim(claim)).owner !== claim.owner) return "changed"
    yield* discardFlow(ledger, flow, entry)
    yield* ledger.advance(
      key,
      { owner: claim.owner, state: "claimed" },
      flow.idempotencyKey === undefined ? undefined : { until: 0 }
    )
    return entry.sent ? "closed" : "abandoned"
  }
  const { swapId } = entry
  // Another process has submitted the flow. Submitting it again would start another swap if the first one has failed.
  if (swapId !== undefined && entry.signatures === flow.signatures) return { ...flow, swapId }
  const unsent = { state: "signing" as const, flowId, signatures: signatures + 1, resumed: false, sent: false }
  // The signing process has counted one more signature, which may never be made. Take back the count, so that the
  // signing process cannot send that signature anymore.
  if (yield* ledger.advance(key, unsent, { signatures, resumed: true, sent: true })) return flow
  const journal = yield* Journal
  if ((entry.signatures ?? 0) >= signatures) {
    const now = yield* journal.get(flowId)
    if (now && (now.signatures ?? 0) > signatures) return now.swapId === undefined ? yield* markResumed(now) : now
    return swapId === undefined ? flow : acceptedFlow(flow, entry)
  }
  // The signing process has withdrawn the latest signature, and may have died before it updated the journal.
  const earlier = withoutLatest(flow)
  if (earlier && earlier.signatures === entry.signatures) {
    yield* journal.put(earlier)
    return yield* markResumed(earlier)
  }
  if (!earlier && swapId !== undefined) {
    // A process resumed the earlier signatures, and a service claims to have accepted them.
    if (flow.idempotencyKey === undefined) return acceptedFlow(flow, entry)
    // With an idempotency key, the signing process had proof that they can no longer be used.
    yield* ledger.finish(key, compact({ flowId, signatures: entry.signatures, swapId, status: "failed" }))
    yield* journal.remove(flowId)
    return "closed"
  }
  // The earlier signatures can no longer be used, so the journal does not contain them.
  const withdrawn = { state: "signing" as const, flowId, signatures: signatures - 1 }
  if (earlier || !(yield* ledger.advance(key, withdrawn, closing(flow)))) return "changed"
  yield* journal.remove(flowId)
  return "closed"
})

/** Records the swap id that the service assigned. If the swap has already ended, the flow's entry stays unchanged. */
export const markAccepted = (flow: Flow, { swapId }: Swap): Effect.Effect<Update> =>
  updateEntry(
    flow,
    advanceUnfinished({ ...flow, swapId }, { state: "accepted", swapId }),
    ({ state }) => state === "ended"
  )

/** Records how a flow's swap ended. */
export const markEnded = (flow: Flow, { swapId, status }: Swap): Effect.Effect<Update> =>
  updateEntry(flow, (ledger, key) =>
    ledger.finish(key, compact({ flowId: flow.id, signatures: flow.signatures, swapId, status }))
  )

/** Closes the entry for a flow that has no swap and whose signatures can never be used. */
export const closeEntry = (flow: Flow): Effect.Effect<Update> =>
  updateEntry(flow, advanceUnfinished(flow, closing(flow)), isClosed)

/** Reopens the entry for a flow that another process closed although a signature may still be used. */
export const reopenEntry = (
  ledger: Ledger,
  { id: flowId, request, signatures }: Flow
): Effect.Effect<boolean, StoreError> =>
  ledger.advance(
    { flowId, wallet: request.walletAddress },
    { flowId, state: "ended" },
    compact({ state: "signing" as const, signatures, sent: true })
  )

/**
 * Removes the entry for a flow that has no idempotency key and whose swap has ended. Called by the process that started
 * the swap, because only that process knows when it no longer needs the entry to find the swap.
 */
export const forgetEnded = (ledger: Ledger, key: Exclude<EntryKey, string>): Effect.Effect<void> =>
  Effect.asVoid(bestEffort(ledger.advance(key, { flowId: key.flowId, state: "ended" }, undefined)))
