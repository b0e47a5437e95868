/**
 * Keeps a wallet from paying twice. As long as an earlier signature may still be executed, nothing else is signed that
 * could be a repetition of it, whatever the service says about the earlier swap.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { Families, type Family, sameAddress } from "../Chain.js"
import type { FlowId, OrderId } from "../Id.js"
import type { Flow, Store } from "../Store.js"
import { Journal } from "./journal.js"
import { unsafe } from "../Operation.js"
import type { QuoteRequest } from "../Quote.js"
import { type StoreError, UnfinishedSwap, type UnsafeOperation } from "../SwapError.js"
import { isWithdrawn } from "./flowEntry.js"
import { identitiesOf } from "../store/flow.js"

/** The flows of `execute` calls in this process. Their ids are random, so clients can share the set. */
const RunningFlows = /* @__PURE__ */ Context.Reference<Set<FlowId>>("@geoswap/core/RunningFlows", {
  defaultValue: () => new Set()
})

/** Runs a call that works on a flow. Then lets other processes work on it, unless an `execute` call still does. */
export const thenRelease = <A, E, R>(flowId: FlowId, run: Effect.Effect<A, E, R>): Effect.Effect<A, E, Store | R> =>
  Effect.ensuring(
    run,
    Effect.gen(function* () {
      const running = yield* RunningFlows
      const { release } = yield* Journal
      if (!running.has(flowId)) yield* Effect.ignore(release(flowId))
    })
  )

/** Runs an `execute` call with a flow that does not block other calls while it runs. */
export const whileRunning = <A, E, R>(flowId: FlowId, run: Effect.Effect<A, E, R>): Effect.Effect<A, E, Store | R> =>
  Effect.flatMap(RunningFlows, (running) => {
    running.add(flowId)
    const ended = Effect.sync(() => running.delete(flowId))
    return thenRelease(flowId, Effect.ensuring(run, ended))
  })

/**
 * Whether a new swap could pay a second time for an open flow. A flow without a swap id blocks its wallet. A flow whose
 * swap has failed or was refunded, but only according to the service, blocks the same tokens.
 */
export const blocks = (
  { claimed, request: earlier, swapId }: Pick<Flow, "claimed" | "request" | "swapId">,
  request: QuoteRequest,
  familyOf: (chainId: number) => Family
): boolean => {
  const origin = familyOf(request.originChain)
  if (familyOf(earlier.originChain) !== origin) return false
  if (!sameAddress(origin, earlier.walletAddress, request.walletAddress)) return false
  if (swapId === undefined) return true
  return (
    claimed !== undefined &&
    earlier.originChain === request.originChain &&
    earlier.destinationChain === request.destinationChain &&
    sameAddress(origin, earlier.inputToken, request.inputToken) &&
    sameAddress(familyOf(request.destinationChain), earlier.outputToken, request.outputToken)
  )
}

/** Fails if another open flow has the same order. One payment would then seem to prove both swaps. */
export const ensureNewOrder = Effect.fnUntraced(function* (
  orderId: OrderId | undefined,
  flowId: FlowId
): Effect.fn.Return<void, StoreError | UnsafeOperation, Store> {
  if (orderId === undefined) return
  const flows = yield* (yield* Journal).list
  const other = flows.find(
    (flow) => flow.id !== flowId && identitiesOf(flow).some(({ order }) => order?.id === orderId)
  )
  if (other !== undefined) {
    return yield* unsafe("orderId", "an order that no other swap has", `${orderId}, which belongs to flow ${other.id}`)
  }
})

/** Fails if an open flow blocks a new swap. A flow with the same idempotency key belongs to the same swap. */
export const ensureNoneBlocks = Effect.fnUntraced(function* (
  request: QuoteRequest,
  { flowId, idempotencyKey }: { readonly flowId: FlowId; readonly idempotencyKey?: string }
): Effect.fn.Return<void, StoreError | UnfinishedSwap, Store> {
  const familyOf = yield* Families
  const running = yield* RunningFlows
  const { openFlows } = yield* Journal
  const found = (yield* openFlows(request.walletAddress))
    .filter(({ busy, flow }) => flow.claimed !== undefined || !(busy || running.has(flow.id)))
    .map(({ flow }) => flow)
    .filter(
      (flow) =>
        flow.id !== flowId &&
        (idempotencyKey === undefined || flow.idempotencyKey !== idempotencyKey) &&
        blocks(flow, request, familyOf)
    )
  const [open] = yield* Effect.filter(found, (flow) => Effect.map(isWithdrawn(flow), (withdrawn) => !withdrawn))
  if (open === undefined) return
  const { claimed, id, swapId } = open
  const known =
    claimed === undefined
      ? "it is not known whether the service accepted it"
      : `the service says that it ${claimed === "failed" ? "failed" : "was refunded"}, which is not proved`
  return yield* new UnfinishedSwap({
    flowId: id,
    ...(swapId !== undefined && { swapId }),
    message: `Nothing was signed: an earlier swap of this wallet was signed, and ${known}. Resume flow ${id}, or forget it if you know how it ended.`
  })
})
