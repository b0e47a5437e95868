/** The Effect version of the `fetch` transport. */
import { SwapError, Transport } from "@geoswap/core"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { fetchTransport, type FetchTransportOptions } from "./promise.js"

/** Options for a transport. The API key may be `Redacted`, for example from `Config.Redacted`. */
export interface Options extends Omit<FetchTransportOptions, "apiKey"> {
  /**
   * The API key or, if the key rotates, a function that returns the current key for each request. Omit the key if your
   * own server adds it. `undefined` is refused, because it is usually a missing environment variable.
   */
  readonly apiKey?: FetchTransportOptions["apiKey"] | Redacted.Redacted
}

/** Creates a `fetch` transport. Fails with `InvalidInput` if an option is invalid. */
export const make = (options: Options): Effect.Effect<Transport.Transport, SwapError.InvalidInput> =>
  Effect.suspend(() => {
    try {
      const { apiKey } = { ...options }
      const plain = Redacted.isRedacted(apiKey) ? { ...options, apiKey: Redacted.value(apiKey) } : options
      return Effect.succeed(Transport.fromPromise(fetchTransport(plain as FetchTransportOptions)))
    } catch (error) {
      return error instanceof SwapError.InvalidInput ? Effect.fail(error) : Effect.die(error)
    }
  })

/**
 * A layer that provides a `fetch` transport.
 *
 * @example
 * ```ts
 * const transport = FetchTransport.layer({ baseUrl: "https://swap.example", apiKey })
 * ```
 */
export const layer = (options: Options): Layer.Layer<Transport.Transport, SwapError.InvalidInput> =>
  Layer.effect(Transport.Transport, make(options))
