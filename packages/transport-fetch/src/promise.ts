/** The transport over `fetch` for people who use promises; the Effect version is made of it. */
import { SwapError } from "@geoswap/core"
import type { Transport } from "@geoswap/core/promise"
import { readText } from "./internal/readText.js"
import { type FetchTransportOptions, isKey, resolveOptions } from "./internal/options.js"

export type { FetchTransportOptions }

/** Any key worth the name is longer. */
const minSecretLength = 12

/**
 * A transport over `fetch`. Throws `InvalidInput` where an option makes no sense.
 *
 * @example
 * ```ts
 * const client = createClient({ transport: fetchTransport({ baseUrl: "https://swap.example", apiKey }) })
 * ```
 */
export const fetchTransport = (options: FetchTransportOptions): Transport => {
  // Held by this closure alone: whoever prints the transport does not print the key.
  const { address, apiKey, limits, fetch, headers, init } = resolveOptions(options)

  const send: Transport["send"] = async ({ body, endpoint, method, path, ...request }, { signal }) => {
    signal.throwIfAborted()
    const timeout = limits[endpoint.split("-", 1)[0] as keyof typeof limits]
    const deadline = AbortSignal.timeout(timeout)
    const stop = AbortSignal.any([signal, deadline])
    try {
      const key = typeof apiKey === "function" ? await apiKey() : apiKey
      if (!isKey(key)) throw new Error("apiKey() gave no key. Nothing was sent.")
      stop.throwIfAborted()
      // A redirect would take the key along: it is an answer like any other, and core refuses it.
      const response = await fetch(address + path, {
        ...init,
        method,
        headers: {
          ...headers,
          ...request.headers,
          accept: "application/json",
          ...(body !== undefined && { "content-type": "application/json" }),
          "x-api-key": key
        },
        body: body ?? null,
        signal: stop
      })
      const { status } = response
      const text = await readText(response, limits.maxResponseBytes)
      // A refusal is told by its status alone.
      if (text === undefined && status < 400) {
        throw new SwapError.ProtocolError({
          endpoint,
          field: "",
          message: `The service answered ${endpoint} with more than maxResponseBytes.`
        })
      }
      // Errors repeat the words of a refusal. Those of a shorter key may just be words.
      const redacted = status >= 400 && key.length >= minSecretLength ? text?.replaceAll(key, "…") : text
      return { status, headers: Object.fromEntries(response.headers), body: redacted ?? "" }
    } catch (cause) {
      signal.throwIfAborted()
      if (!deadline.aborted) throw cause
      throw new SwapError.Unavailable({
        reason: "timeout",
        message: `The service did not answer ${endpoint} within ${timeout / 1000} s.`
      })
    }
  }

  const { delegationPath, traceparent } = options
  return { delegationPath, traceparent, send }
}
