/** The keys that everything of GeoSwap has in a query cache. */
import type { Client, ExecuteInput } from "@geoswap/core/promise"

/** What every key begins with. */
export const root = "geoswap"

const idGenerator = () => {
  const names = new WeakMap<object, string>()
  return (thing: object): string => {
    const known = names.get(thing)
    if (known !== undefined) return known
    const name = uniqueId()
    names.set(thing, name)
    return name
  }
}

/** A text that nobody else has. `randomUUID` would be missing on pages without https. */
export const uniqueId = (): string => crypto.getRandomValues(new Uint32Array(4)).join("-")

/** The name of a client, so that two clients in one cache never answer for each other. */
export const clientId: (client: Client) => string = /* @__PURE__ */ idGenerator()

/** A request as one text: keys are hashed as JSON, which knows no bigint. */
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
