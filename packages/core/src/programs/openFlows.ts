/**
 * Keeps a wallet from paying twice. As long as an earlier signature may still be executed, nothing else is signed that
 * could be a repetition of it, whatever the service says about the earlier swap.
 */
import * as Effect from "effect/Effect"
import { Families, type Family, sameAddress } from "../Chain.js"
import type { FlowId, OrderId, SwapId } from "../Id.js"
import { unsafe } from "../Operation.js"
import type { QuoteRequest } from "../Quote.js"
import { identitiesOf } from "../store/flow.js"
import { RunningFlows } from "../store/runningFlows.js"
import { type Flow, Store } from "../Store.js"
import type { IsBusy } from "../store/wallet.js"
import { type StoreError, UnfinishedSwap, type UnsafeOperation } from "../SwapError.js"
import { Transport } from "../Transport.js"
import { withTimeout } from "./timeout.js"

/** Runs a call that works on a flow. Then lets other processes work on it, unless an `execute` call still does. */
export const thenRelease = <A, E, R>(flowId: FlowId, run: Effect.Effect<A, E, R>): Effect.Effect<A, E, Store | R> =>
  Effect.ensuring(
    run,
    Effect.gen(function* () {
      const running = yield* RunningFlows
      const { release } = yield* Store
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

/** Returns the other flow that a swap belongs to, if there is one. Each swap belongs to one flow. */
export const flowOfSwap = Effect.fnUntraced(function* (
  flowId: FlowId,
  swapId: SwapId
): Effect.fn.Return<FlowId | undefined, never, Store | Transport> {
  const reading = yield* Effect.result(withTimeout((yield* Store).flows))
  if (reading._tag === "Failure") return undefined
  const { service } = yield* Transport
  return reading.success.find((flow) => flow.id !== flowId && flow.swapId === swapId && flow.service === service)?.id
})

/** Fails if another open flow has the same order. One payment would then seem to prove both swaps. */
export const ensureNewOrder = Effect.fnUntraced(function* (
  orderId: OrderId | undefined,
  flowId: FlowId
): Effect.fn.Return<void, StoreError | UnsafeOperation, Store> {
  if (orderId === undefined) return
  const flows = yield* (yield* Store).flows
  const other = flows.find(
    (flow) => flow.id !== flowId && identitiesOf(flow).some(({ order }) => order?.id === orderId)
  )
  if (other !== undefined) {
    return yield* unsafe("orderId", "an order that no other swap has", `${orderId}, which belongs to flow ${other.id}`)
  }
})

/**
 * Returns the error for a new swap that one of the wallet's flows blocks. A flow on which a living process works does not
 * block, unless its outcome is unproved.
 */
export const unfinishedSwap = (
  flows: ReadonlyArray<Flow>,
  own: Pick<Flow, "id" | "request">,
  familyOf: (chainId: number) => Family,
  isBusy: IsBusy
): UnfinishedSwap | undefined => {
  const open = flows.find(
    (flow) =>
      flow.id !== own.id &&
      flow.state !== "signing" &&
      (flow.claimed !== undefined || isBusy(flow.id) !== true) &&
      blocks(flow, own.request, familyOf)
  )
  if (open === undefined) return undefined
  const { claimed, id, swapId } = open
  const known =
    claimed === undefined
      ? "it is not known whether the service accepted it"
      : `the service says that it ${claimed === "failed" ? "failed" : "was refunded"}, which is not proved`
  return new UnfinishedSwap({
    flowId: id,
    ...(swapId !== undefined && { swapId }),
    message: `Nothing was signed: an earlier swap of this wallet was signed, and ${known}. Resume flow ${id}, or forget it if you know how it ended.`
  })
}

/** Fails early if one of the wallet's flows blocks a new swap. It is checked again when the swap is signed. */
export const ensureNoneBlocks = Effect.fnUntraced(function* (
  own: Pick<Flow, "id" | "request">
): Effect.fn.Return<void, StoreError | UnfinishedSwap, Store> {
  const familyOf = yield* Families
  const { update } = yield* Store
  const blocked = yield* update(own.request.walletAddress, (wallet, _, isBusy) => [
    wallet,
    unfinishedSwap(wallet.flows, own, familyOf, isBusy)
  ])
  if (blocked) return yield* blocked
})
