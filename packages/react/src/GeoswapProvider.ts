/** Provides the client that the hooks use. */
import type { Client as Programs } from "@geoswap/core"
import type { Client } from "@geoswap/core/promise"
import type * as Layer from "effect/Layer"
import {
  createContext,
  createElement,
  type ReactElement,
  type ReactNode,
  useContext,
  useEffect,
  useMemo,
  useState
} from "react"
import { lazyClient } from "./internal/lazyClient.js"
import type { ClientKey } from "./query/keys.js"

/** A promise client, or a layer from which a client is created, and the client's key. */
export type GeoswapProviderProps = ClientKey & { readonly children?: ReactNode } & (
    | { readonly client: Client; readonly layer?: undefined }
    | { readonly layer: Layer.Layer<Programs.Services, unknown>; readonly client?: undefined }
  )

/** The client and its key. */
interface Provided extends ClientKey {
  readonly client: Client
}

const Context = /* @__PURE__ */ createContext<Provided | undefined>(undefined)

/**
 * Returns the client for the current layer, and creates a new client if the layer changes. The client is derived from
 * the `layer` prop during rendering, as React recommends.
 */
const useLazyClient = (layer: Layer.Layer<Programs.Services, unknown> | undefined) => {
  const make = () => ({ layer, lazy: layer && lazyClient(layer) })
  const [held, setHeld] = useState(make)
  const current = held.layer === layer ? held : make()
  if (current !== held) setHeld(current)
  const { lazy } = current
  useEffect(() => lazy?.hold(), [lazy])
  return lazy?.client
}

/**
 * Provides the client to all hooks below this component. Requires a `QueryClientProvider` above it. If the client
 * changes, new calls use the new client, and running swaps keep the client that they started with. Chains, delegations
 * and statuses stay cached unless `clientKey` changes too.
 */
export const GeoswapProvider = ({ children, client, clientKey, layer }: GeoswapProviderProps): ReactElement => {
  const lazy = useLazyClient(layer)
  const current = client ?? lazy
  const value = useMemo(() => current && { client: current, clientKey }, [current, clientKey])
  return createElement(Context, { value }, children)
}

/** Returns the client from the nearest provider and the client's key. Throws if there is no provider. */
export const useProvided = (): Provided => {
  const provided = useContext(Context)
  if (provided === undefined) {
    throw new Error("There is no GeoswapProvider above this component. Add one, with a client or a layer.")
  }
  return provided
}

/** Returns the client from the nearest provider. Throws if there is no provider. */
export const useGeoswap = (): Client => useProvided().client
