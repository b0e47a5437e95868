/**
 * Counts requests to nodes, and their failures, by host. The labels contain only the host, because the rest of the URL
 * may be secret.
 */
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Metric from "effect/Metric"
import { rpcErrors, type RpcFault, rpcRequests } from "./series.js"

/** Counts a request, and also its failure if it fails. */
export type Count = <A, E>(
  method: string,
  request: Effect.Effect<A, E>,
  faultOf: (error: E) => RpcFault
) => Effect.Effect<A, E>

/** Creates the counters for one node. `method` is one of the methods that the service uses. */
export const make = (chainId: number, host: string): Count => {
  const chain = String(chainId)
  const requests = new Map<string, Metric.Counter<number>>()
  const errors = (reason: RpcFault) => rpcErrors({ chain, host, reason })
  const faults = {
    timeout: errors("timeout"),
    refused: errors("refused"),
    status: errors("status"),
    unreadable: errors("unreadable")
  }
  const requestsOf = (method: string, context: Context.Context<never>): Metric.Counter<number> => {
    const found = requests.get(method)
    if (found !== undefined) return found
    // Initialize the failure counters to zero, so that the first failure is visible as an increase.
    for (const fault of Object.values(faults)) fault.updateUnsafe(0, context)
    const made = rpcRequests({ chain, host, method })
    requests.set(method, made)
    return made
  }
  return (method, request, faultOf) =>
    Effect.withFiber(({ context }) => {
      requestsOf(method, context).updateUnsafe(1, context)
      return Effect.tapError(request, (error) => Effect.sync(() => faults[faultOf(error)].updateUnsafe(1, context)))
    })
}
