/** Counts what nodes are asked, and what becomes of it: by host, as the rest of an address may be a key. */
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Metric from "effect/Metric"
import { rpcErrors, type RpcFault, rpcRequests } from "./series.js"

/** Counts one request, and its failure where there is one. */
export type Count = <A, E>(
  method: string,
  request: Effect.Effect<A, E>,
  faultOf: (error: E) => RpcFault
) => Effect.Effect<A, E>

/** The counters of one node. `method` is one of those that the service itself uses. */
export const make = (chainId: number, host: string): Count => {
  const chain = String(chainId)
  const requests = new Map<string, Metric.Counter<number>>()
  const faults: Readonly<Record<RpcFault, Metric.Counter<number>>> = {
    timeout: rpcErrors({ chain, host, reason: "timeout" }),
    refused: rpcErrors({ chain, host, reason: "refused" }),
    status: rpcErrors({ chain, host, reason: "status" }),
    unreadable: rpcErrors({ chain, host, reason: "unreadable" })
  }
  const requestsOf = (method: string, context: Context.Context<never>): Metric.Counter<number> => {
    const found = requests.get(method)
    if (found !== undefined) return found
    // So that the first failure of a node is a rise from zero, and not a series that begins with one.
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
