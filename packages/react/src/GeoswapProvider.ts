/** Gives the hooks below it their client. */
import type { Client as Programs } from "@geoswap/core"
import type { Client } from "@geoswap/core/promise"
import type * as Layer from "effect/Layer"
import { createContext, createElement, type ReactElement, type ReactNode, useContext, useEffect, useState } from "react"
import { lazyClient } from "./internal/lazyClient.js"

/** A promise client, or the layer to make one of. */
export type GeoswapProviderProps = { readonly children?: ReactNode } & (
  | { readonly client: Client; readonly layer?: undefined }
  | { readonly layer: Layer.Layer<Programs.Services, unknown>; readonly client?: undefined }
)

const Context = /* @__PURE__ */ createContext<Client | undefined>(undefined)

/** The client of the current layer. Changing the layer while rendering is React's way to derive state from props. */
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
 * Gives the hooks below it their client. It needs a `QueryClientProvider` above it. A changed client is used from then
 * on; swaps under way go on with the one that they began with.
 */
export const GeoswapProvider = ({ children, client, layer }: GeoswapProviderProps): ReactElement => {
  const lazy = useLazyClient(layer)
  return createElement(Context, { value: client ?? lazy }, children)
}

/** The client of the provider above. */
export const useGeoswap = (): Client => {
  const client = useContext(Context)
  if (client === undefined) {
    throw new Error("There is no GeoswapProvider above this component: wrap it in one, with a client or a layer.")
  }
  return client
}
