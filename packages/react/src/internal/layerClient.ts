/** A promise client that is built from a layer. */
import { Client as Programs, SwapError } from "@geoswap/core"
import type { Client } from "@geoswap/core/promise"
import type * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"

/** A client and a function that closes its layer. */
export interface LayerClient {
  readonly client: Client
  readonly close: () => Promise<void>
}

/** Wraps a layer's failure in a `SwapError`. */
const layerError = (thrown: unknown): Error =>
  SwapError.isSwapError(thrown)
    ? thrown
    : new SwapError.InvalidInput({
        field: "layer",
        message: `layer: could not be built. ${thrown instanceof Error ? thrown.message : String(thrown)}`
      })

/** Builds the layer and returns its client. */
export const connect = async (layer: Layer.Layer<Programs.Services, unknown>): Promise<LayerClient> => {
  const runtime = ManagedRuntime.make(layer)
  try {
    return { client: Programs.toPromise(await runtime.context()), close: () => runtime.dispose() }
  } catch (thrown) {
    await runtime.dispose()
    throw layerError(thrown)
  }
}
