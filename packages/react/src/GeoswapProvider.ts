/** Provides the client that the hooks use. */
import type { Client } from "@geoswap/core/promise"
import { createContext, createElement, type ReactElement, type ReactNode, useContext, useMemo } from "react"
import type { ClientKey } from "./query/keys.js"

/** The client and its key. */
interface Provided extends ClientKey {
  readonly client: Client
}

interface GeoswapProviderProps extends Provided {
  readonly children?: ReactNode
}

const Context = /* @__PURE__ */ createContext<Provided | undefined>(undefined)

/**
 * Provides the client to all hooks below this component. Requires a `QueryClientProvider` above it. If the client
 * changes, new calls use the new client, and running swaps keep the client that they started with. Chains, delegations
 * and statuses stay cached unless `clientKey` changes too.
 */
export const GeoswapProvider = ({ children, client, clientKey }: GeoswapProviderProps): ReactElement => {
  const value = useMemo(() => ({ client, clientKey }), [client, clientKey])
  return createElement(Context, { value }, children)
}

/** Returns the client from the nearest provider and the client's key. Throws if there is no provider. */
export const useProvided = (): Provided => {
  const provided = useContext(Context)
  if (provided === undefined) {
    throw new Error("There is no GeoswapProvider above this component. Add one, with a client.")
  }
  return provided
}

/** Returns the client from the nearest provider. Throws if there is no provider. */
export const useGeoswap = (): Client => useProvided().client
