/**
 * Counts requests to nodes, and their failures, by host. The labels contain only the host, because the rest of the URL
 * may be secret.
 */
import * as Effect from "effect/Effect"
import { rpcErrors, type RpcFault, rpcFaults, rpcRequests } from "./series.js"

/** Counts a request, and also its failure if it fails. */
export type Count = <A, E>(
  method: string,
  request: Effect.Effect<A, E>,
  faultOf: (error: E) => RpcFault
) => Effect.Effect<A, E>

/** Creates the counters for one node. `method` is one of the methods that the service uses. */
export const make = (chainId: number, host: string): Count => {
  const chain = String(chainId)
  let isNew = true
  return (method, request, faultOf) =>
    Effect.withFiber(({ context }) => {
      const fail = (reason: RpcFault, times: number) => rpcErrors({ chain, host, reason }).updateUnsafe(times, context)
      // Initialize the failure counters to zero, so that the first failure is visible as an increase.
      if (isNew) for (const reason of rpcFaults) fail(reason, 0)
      isNew = false
      rpcRequests({ chain, host, method }).updateUnsafe(1, context)
      return Effect.tapError(request, (error) => Effect.sync(() => fail(faultOf(error), 1)))
    })
}
