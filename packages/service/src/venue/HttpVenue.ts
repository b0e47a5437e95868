/** A venue over HTTP, as described in `docs/venue.md`. */
import { readText } from "@geoswap/core/adapters"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import type * as Config from "../config/Config.js"
import type { Asset } from "../domain/Asset.js"
import { parsePrice, unavailable } from "./parsePrice.js"
import type { Venue } from "./Venue.js"

export interface Options {
  /** A function to use instead of the runtime's `fetch`. It must support the `signal` and `redirect` options. */
  readonly fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined
}

/** The maximum response size, in bytes. A response with a price is a few hundred bytes long. */
const maxBytes = 64 * 1024

const assetOf = ({ address, chainId, decimals, symbol }: Asset) => ({ chainId, address, symbol, decimals })

/** The system error code for a network error. The rest of the error may contain the venue's URL or our token. */
const codeOf = (error: unknown) => {
  const cause = error instanceof Error ? error.cause : undefined
  const code = typeof cause === "object" && cause !== null && "code" in cause ? cause.code : undefined
  return typeof code === "string" && /^[A-Z][A-Z0-9_]{2,40}$/.test(code) ? ` (${code})` : ""
}

/** Creates the venue. The token, if any, is sent as a bearer token. */
export const make = (config: Config.HttpVenue, token?: Redacted.Redacted, options: Options = {}): Venue => {
  // `fetch` is looked up on every call, because tracers and test tools replace it.
  const send = options.fetch ?? ((url: string, init: RequestInit) => fetch(url, init))

  const post = (body: string) =>
    Effect.tryPromise({
      try: async (signal) => {
        const response = await send(config.url, {
          method: "POST",
          headers: {
            accept: "application/json",
            "content-type": "application/json",
            ...(token && { authorization: `Bearer ${Redacted.value(token)}` })
          },
          body,
          // Following a redirect would forward the token, so a redirect is rejected like any other unexpected status.
          redirect: "manual",
          signal
        })
        return { status: response.status, text: await readText(response, maxBytes) }
      },
      catch: (error) => unavailable(`The venue cannot be reached${codeOf(error)}.`)
    }).pipe(
      Effect.timeoutOrElse({
        duration: config.timeoutMillis,
        orElse: () => Effect.fail(unavailable(`The venue did not respond within ${config.timeoutMillis} ms.`, true))
      })
    )

  return {
    price: Effect.fn("HttpVenue.price")(function* (input, output, amount) {
      const body = JSON.stringify({ input: assetOf(input), output: assetOf(output), amount: amount.toString() })
      const { status, text } = yield* post(body)
      // For an error response, the status alone is enough, even if its body is too large.
      if (text === undefined && status === 200) {
        return yield* unavailable(`The venue's response is larger than ${maxBytes} bytes.`)
      }
      return yield* Effect.fromResult(parsePrice(status, text ?? "", config, yield* Clock.currentTimeMillis))
    })
  }
}
