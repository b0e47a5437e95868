/** Query keys. */
import type { Client, ExecuteInput } from "@geoswap/core/promise"

/** The first part of every query key. */
export const root = "geoswap"

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

/** Returns a unique ID. `randomUUID` is not available on pages that are not served over https. */
export const uniqueId = (): string => crypto.getRandomValues(new Uint32Array(4)).join("-")

/** Returns a client's id, which distinguishes clients that share a cache. */
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
