/** Query keys. */
import type { Client, ExecuteInput } from "@geoswap/core/promise"

/** The first part of every query key. */
export const root = "geoswap"

/** The key of a client that has no other key. */
export const defaultClientKey = "default"

/** Identifies a client in query keys. */
export interface ClientKey {
  /**
   * The same string on the server and in the browser (default: `default`). Clients that share a `QueryClient` and call
   * different services, or call a service with different API keys, need different keys.
   */
  readonly clientKey?: string | undefined
}

/** Returns a unique ID. `randomUUID` is not available on pages that are not served over https. */
export const uniqueId = (): string => crypto.getRandomValues(new Uint32Array(4)).join("-")

const idGenerator = () => {
  const ids = new WeakMap<object, string>()
  return (object: object): string => {
    const known = ids.get(object)
    if (known !== undefined) return known
    const id = uniqueId()
    ids.set(object, id)
    return id
  }
}

/**
 * Returns an id that is unique to this client object, in this process. It is only for the keys of data that must never
 * be shared, persisted or hydrated.
 */
export const clientId: (client: Client) => string = /* @__PURE__ */ idGenerator()

/** Returns a request as a string. Query keys are hashed as JSON, which does not support bigints. */
export const requestKey = (request: ExecuteInput): string =>
  JSON.stringify([
    request.originChain,
    request.destinationChain,
    request.inputToken,
    request.outputToken,
    String(request.amount),
    request.walletAddress ?? null,
    request.recipient ?? null,
    request.slippageBps ?? null
  ])
