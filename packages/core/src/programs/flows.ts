/** What the swap programs change in the store. A flow and what is reserved for it change in one update. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { Families } from "../Chain.js"
import { compact } from "../codecs/compact.js"
import type { FlowId } from "../Id.js"
import { Policy } from "../Policy.js"
import { withoutSubmission } from "../store/flow.js"
import * as Spending from "../store/spending.js"
import { discard } from "../store/wallet.js"
import { type Flow, Store, type Wallet } from "../Store.js"
import type { Signed } from "../store/flow.js"
import { RetrySettings } from "../RetrySettings.js"
import type { Swap } from "../Swap.js"
import { type PolicyViolation, type StoreError, type UnfinishedSwap, isSwapError } from "../SwapError.js"
import { Transport } from "../Transport.js"
import { bestEffort } from "./bestEffort.js"
import { reserveAll } from "./budget.js"
import { unfinishedSwap } from "./openFlows.js"
import { withTimeout } from "./timeout.js"

/** A flow no longer belongs to its `execute` call: it was removed, or another call has taken its signatures. */
export interface ClaimLost {
  readonly _tag: "ClaimLost"
}
export const claimLost: ClaimLost = { _tag: "ClaimLost" }

/** What is needed to find a flow in the store. */
type FlowName = Pick<Flow, "id" | "request">

const without = (wallet: Wallet, flowId: FlowId): Wallet => ({
  ...wallet,
  flows: wallet.flows.filter(({ id }) => id !== flowId)
})

const withFlow = (wallet: Wallet, flow: Flow): Wallet => ({
  ...wallet,
  flows: wallet.flows.some(({ id }) => id === flow.id)
    ? wallet.flows.map((other) => (other.id === flow.id ? flow : other))
    : [...wallet.flows, flow]
})

/** Changes the wallet's document. The change also gets the flow, or `undefined` if it is not stored. */
const updateFlow = <A>(
  { id, request }: FlowName,
  change: (wallet: Wallet, stored: Flow | undefined) => readonly [Wallet, A]
): Effect.Effect<A, StoreError, Store> =>
  Effect.flatMap(Store, ({ update }) =>
    update(request.walletAddress, (wallet) =>
      change(
        wallet,
        wallet.flows.find((flow) => flow.id === id)
      )
    )
  )

/** Returns a signed flow of any wallet. Fails if it may be in a record that cannot be read. */
export const findFlow = Effect.fnUntraced(function* (
  flowId: FlowId
): Effect.fn.Return<Flow | undefined, StoreError, Store> {
  const { damaged, flows } = yield* (yield* Store).contents
  const found = flows.find(({ id }) => id === flowId)
  if (found === undefined && damaged[0]) return yield* damaged[0].error
  return found
})

/** Returns a flow as it is stored now. */
export const readFlow = (flow: FlowName): Effect.Effect<Flow | undefined, StoreError, Store> =>
  updateFlow(flow, (wallet, stored) => [wallet, stored])

/** Returns a flow whose `execute` call has signed nothing yet. */
const unsignedFlow = Effect.fnUntraced(function* (
  flow: FlowName & Pick<Flow, "idempotencyKey" | "until">
): Effect.fn.Return<Flow, never, Transport> {
  const { service } = yield* Transport
  const createdAt = yield* Clock.currentTimeMillis
  return compact({ ...flow, state: "signing" as const, createdAt, service, output: 0n })
})

/** Stores a flow whose `execute` call has signed nothing yet. */
export const openFlow = (
  flow: Parameters<typeof unsignedFlow>[0]
): Effect.Effect<void, StoreError, Store | Transport> =>
  Effect.flatMap(unsignedFlow(flow), (opened) => updateFlow(flow, (wallet) => [withFlow(wallet, opened), undefined]))

/** A signature that is about to be made. */
export interface NextSignature extends FlowName {
  readonly idempotencyKey: string | undefined
  /** The number of the signature within the flow, starting at 1. */
  readonly number: number
  /** The id of the budget reservation: the flow's id, perhaps with a suffix. */
  readonly reservation: string
}

/**
 * Lets an `execute` call make a signature: checks that the flow is still the call's and that no other swap blocks it,
 * and reserves the policy's budgets.
 */
export const startSigning = Effect.fnUntraced(function* ({
  id,
  idempotencyKey,
  number,
  request,
  reservation
}: NextSignature): Effect.fn.Return<
  void,
  ClaimLost | PolicyViolation | StoreError | UnfinishedSwap,
  Store | Policy | Transport
> {
  const familyOf = yield* Families
  const amounts = (yield* Policy).reservations(request)
  const opened = yield* unsignedFlow({ id, request })
  const { update } = yield* Store
  const refusal = yield* update<ClaimLost | PolicyViolation | UnfinishedSwap | undefined>(
    request.walletAddress,
    (wallet, now, isBusy) => {
      const stored = wallet.flows.find((flow) => flow.id === id)
      const isFirst = number === 1 && idempotencyKey === undefined
      if (!isFirst && stored?.state !== (number === 1 ? "signing" : "signed")) return [wallet, claimLost]
      const blocked = unfinishedSwap(wallet.flows, { id, request }, familyOf, isBusy)
      if (blocked) return [wallet, blocked]
      const spent = reserveAll(wallet.spent, amounts, reservation, now)
      if (isSwapError(spent)) return [wallet, spent]
      return [withFlow({ ...wallet, spent }, stored ?? opened), undefined]
    }
  )
  if (refusal) return yield* Effect.fail(refusal)
})

/** Stores the latest signature of a flow, before it is sent. */
export const storeSignature = (flow: Flow & Signed): Effect.Effect<void, ClaimLost | StoreError, Store> => {
  const { signatures = 1 } = flow
  const isOwn = (stored: Flow | undefined) =>
    stored?.state === (signatures === 1 ? "signing" : "signed") && (stored.signatures ?? 0) === signatures - 1
  return Effect.flatMap(
    updateFlow(flow, (wallet, stored) => (isOwn(stored) ? [withFlow(wallet, flow), true] : [wallet, false])),
    (isStored) => (isStored ? Effect.void : Effect.fail(claimLost))
  )
}

/**
 * Withdraws a signature that never left this process, and what was reserved for it. Returns whether no other process can
 * send the signature. `earlier` is the flow before the signature, if an earlier signature was sent.
 */
export const withdrawSignature = (
  { id, number, request, reservation }: NextSignature,
  earlier: Flow | undefined,
  isReserved: boolean
): Effect.Effect<boolean, StoreError, Store> =>
  updateFlow({ id, request }, (wallet, stored) => {
    if (stored === undefined) return [wallet, false]
    if (earlier === undefined && (stored.state === "signing" || stored.state === "signed")) {
      return [discard(wallet, id), true]
    }
    const isStored = (stored.signatures ?? 0) >= number
    if (earlier === undefined || (isStored && stored.state !== "signed")) return [wallet, false]
    const spent = isReserved ? wallet.spent : Spending.release(wallet.spent, (other) => other === reservation)
    return [withFlow({ ...wallet, spent }, isStored ? earlier : stored), true]
  })

/** Removes a flow whose `execute` call ends before it has stored a signature. */
export const discardUnsigned = (flow: FlowName): Effect.Effect<void, StoreError, Store> =>
  updateFlow(flow, (wallet, stored) => [stored?.state === "signing" ? discard(wallet, flow.id) : wallet, undefined])

/** Removes a flow whose signatures its `execute` call knows to be useless, unless another call has taken them. */
export const abandonFlow = (flow: FlowName): Effect.Effect<void, StoreError, Store> =>
  updateFlow(flow, (wallet, stored) => [stored?.state === "signed" ? without(wallet, flow.id) : wallet, undefined])

/**
 * Discards a flow without signatures if its lease is over, and returns whether the flow is gone. A flow whose process has
 * ended is gone already, if the store has flow locks.
 */
export const takeOver = Effect.fnUntraced(function* (flow: FlowName): Effect.fn.Return<boolean, StoreError, Store> {
  const { claimLease: lease } = yield* RetrySettings
  const { update } = yield* Store
  return yield* update(flow.request.walletAddress, (wallet, now) => {
    const { state, until = 0 } = wallet.flows.find(({ id }) => id === flow.id) ?? {}
    // A lease that ends more than two leases from now began while the clock was far ahead. The clocks of processes that
    // share a store may differ by up to one lease.
    const isOver = until <= now || until > now + 2 * lease
    return state === "signing" && isOver ? [discard(wallet, flow.id), true] : [wallet, state === undefined]
  })
})

/** Takes a flow's signatures, so that nothing more is signed for it, and returns the flow if it is still stored. */
export const takeFlow = (flow: FlowName): Effect.Effect<Flow | undefined, StoreError, Store> =>
  updateFlow<Flow | undefined>(flow, (wallet, stored) => {
    if (stored?.state === "signing") return [wallet, undefined]
    if (stored?.state !== "signed") return [wallet, stored]
    const taken: Flow = { ...stored, state: "resumed" }
    return [withFlow(wallet, taken), taken]
  })

/** Stores a flow again that another call has removed although one of its signatures may still be used. */
export const restoreFlow = (flow: Flow): Effect.Effect<void, StoreError, Store> =>
  updateFlow(flow, (wallet, stored) => [stored ? wallet : withFlow(wallet, { ...flow, state: "resumed" }), undefined])

/**
 * Records the id of an accepted swap. Replaces the submission with the data that the caller's own node needs to find the
 * signatures. If the update fails, resuming the flow submits the same bytes again.
 */
export const recordAccepted = (flow: Flow, { swapId }: Swap): Effect.Effect<boolean, never, Store> => {
  const { output, minOutput, feeBps, networkCost } = flow
  const accepted = { state: "accepted" as const, swapId, output, minOutput, feeBps, networkCost }
  return bestEffort(
    updateFlow(flow, (wallet, stored = flow) =>
      stored.swapId === undefined
        ? [withFlow(wallet, compact({ ...withoutSubmission(stored), ...accepted })), undefined]
        : [wallet, undefined]
    )
  )
}

/** Records what the service claims about a flow's swap, which is not proved. */
export const recordClaim = (flow: Flow, claimed: NonNullable<Flow["claimed"]>): Effect.Effect<boolean, never, Store> =>
  bestEffort(
    updateFlow(flow, (wallet, stored) =>
      stored?.swapId === undefined || stored.swapId !== flow.swapId
        ? [wallet, undefined]
        : [withFlow(wallet, { ...stored, state: "unproved", claimed }), undefined]
    )
  )

/** Records how the swap of a flow ended for the flow's idempotency key, if it has one. */
const endKey = Effect.fnUntraced(function* (
  { id, idempotencyKey }: Flow,
  { status, swapId }: Pick<Swap, "swapId" | "status">
): Effect.fn.Return<void, StoreError, Store> {
  if (idempotencyKey === undefined) return
  const { updateKey } = yield* Store
  yield* updateKey(idempotencyKey, (key) => [
    key?.flowId === id && key.swapId === undefined ? { ...key, swapId, status } : key,
    undefined
  ])
})

/**
 * Removes a flow that needs no more attention, unless it has changed since it was read. If it had a swap, its idempotency
 * key records first how the swap ended. Returns whether the flow is removed.
 */
export const endFlow = (flow: Flow, end?: Pick<Swap, "swapId" | "status">): Effect.Effect<boolean, never, Store> => {
  const { id, signatures, swapId } = flow
  const ending = Effect.gen(function* () {
    if (end) yield* endKey(flow, end)
    return yield* updateFlow(flow, (wallet, stored) => {
      const isSame = stored?.signatures === signatures && (stored?.swapId ?? swapId) === swapId
      return stored === undefined ? [wallet, true] : isSame ? [without(wallet, id), true] : [wallet, false]
    })
  })
  return Effect.catch(withTimeout(ending), ({ message }) =>
    Effect.as(Effect.annotateCurrentSpan({ "store.error": message }), false)
  )
}

/** Removes a flow, whatever is known about it. The idempotency key of an accepted swap stays with that swap. */
export const forgetFlow = Effect.fnUntraced(function* (flowId: FlowId): Effect.fn.Return<void, StoreError, Store> {
  const flow = yield* findFlow(flowId)
  if (flow?.swapId !== undefined) yield* endKey(flow, { swapId: flow.swapId, status: flow.claimed ?? "pending" })
  if (flow) yield* updateFlow(flow, (wallet) => [without(wallet, flowId), undefined])
  // Another process may have removed the flow.
  yield* (yield* Store).release(flowId)
})
