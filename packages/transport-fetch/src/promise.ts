/** The transport over `fetch` for people who use promises; the Effect version is made of it. */
import { SwapError } from "@geoswap/core"
import type { Transport } from "@geoswap/core/promise"
import { readText } from "./internal/body.js"
import { type FetchTransportOptions, isKey, settle } from "./internal/options.js"

export type { FetchTransportOptions }

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
  const { address, apiKey, bounds, fetch, headers, init } = settle(options)

  const send: Transport["send"] = async ({ body, endpoint, method, path, ...request }, { signal }) => {
    signal.throwIfAborted()
    const millis = bounds[endpoint.split("-", 1)[0] as keyof typeof bounds]
    const deadline = AbortSignal.timeout(millis)
    const stop = AbortSignal.any([signal, deadline])
    const unexpected = (what: string) =>
      new SwapError.ProtocolError({ endpoint, field: "", message: `The service answered ${endpoint} with ${what}.` })
    try {
      const key = typeof apiKey === "function" ? await apiKey() : apiKey
      if (!isKey(key)) throw new Error("The function apiKey gave no key of visible ASCII.")
      stop.throwIfAborted()
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
      const { status, type } = response
      const text = await readText(response, bounds.maxResponseBytes)
      // A browser shows no more of a redirect than this type.
      if (type === "opaqueredirect" || (status >= 300 && status < 400)) {
        throw unexpected("a redirect, which would take the API key elsewhere: correct baseUrl")
      }
      // A refusal is told by its status alone.
      if (text === undefined && status < 400) throw unexpected("more than maxResponseBytes")
      return { status, headers: Object.fromEntries(response.headers), body: text ?? "" }
    } catch (cause) {
      signal.throwIfAborted()
      if (SwapError.isSwapError(cause)) throw cause
      throw deadline.aborted
        ? new SwapError.Unavailable({
            reason: "timeout",
            message: `No answer to ${endpoint} within ${millis / 1000} s.`
          })
        : new SwapError.Unavailable({
            reason: "network",
            message: `No answer to ${endpoint}: check the network, baseUrl and apiKey.`,
            cause
          })
    }
  }

  const { delegationPath, traceparent } = options
  return { delegationPath, traceparent, send }
}
