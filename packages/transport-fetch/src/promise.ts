/** The promise version of the `fetch` transport. The Effect version wraps it. */
import { SwapError } from "@geoswap/core"
import { readText } from "@geoswap/core/adapters"
import type { PromiseTransport } from "@geoswap/core/promise"
import { callOf, type FetchTransportOptions, isKey, resolveOptions } from "./internal/options.js"

export type { FetchTransportOptions }

/** Keys that are shorter than this are not redacted. Real keys are longer. */
const minSecretLength = 12

/** Throws the reason of an aborted signal. React Native's signals have neither `throwIfAborted` nor `reason`. */
const throwIfAborted = (signal: AbortSignal): void => {
  if (signal.aborted) throw signal.reason ?? new Error("The request was aborted.")
}

/**
 * Creates a `fetch` transport. Throws `InvalidInput` if an option is invalid.
 *
 * @example
 * ```ts
 * const client = createClient({ transport: fetchTransport({ baseUrl: "https://swap.example", apiKey }) })
 * ```
 */
export const fetchTransport = (options: FetchTransportOptions): PromiseTransport => {
  // The key exists only in this closure, so printing the transport does not reveal it.
  const { address, apiKey, limits, fetch, headers, init } = resolveOptions(options)
  const { host, origin, pathname } = new URL(address)

  const send: PromiseTransport["send"] = async ({ body, endpoint, method, path, ...request }, { signal }) => {
    throwIfAborted(signal)
    const timeout = limits[callOf(endpoint)]
    // Not `AbortSignal.any` and `AbortSignal.timeout`, which React Native does not have.
    const stop = new AbortController()
    let isLate = false
    const deadline = setTimeout(() => {
      isLate = true
      stop.abort()
    }, timeout)
    const abort = () => {
      clearTimeout(deadline)
      stop.abort(signal.reason)
    }
    signal.addEventListener("abort", abort)
    try {
      const key = typeof apiKey === "function" ? await apiKey() : apiKey
      if (apiKey !== undefined && !isKey(key)) throw new Error("apiKey() did not return a key. Nothing was sent.")
      throwIfAborted(stop.signal)
      // Redirects are not followed, because that would leak the key. Core reports them as errors.
      const response = await fetch(address + path, {
        ...init,
        method,
        headers: {
          ...headers,
          ...request.headers,
          accept: "application/json",
          ...(body !== undefined && { "content-type": "application/json" }),
          ...(key !== undefined && { "x-api-key": key })
        },
        body: body ?? null,
        signal: stop.signal
      })
      const { status } = response
      const text = await readText(response, limits.maxResponseBytes)
      // An error response that is too large is accepted without its body, because its status is enough.
      if (text === undefined && status < 400) {
        throw new SwapError.ProtocolError({
          endpoint,
          field: "",
          message: `The service's response to ${endpoint} is larger than maxResponseBytes.`
        })
      }
      // Error messages quote the service's response, so the key is redacted. A very short key is not redacted, because
      // it might be an ordinary word.
      const secret = key !== undefined && key.length >= minSecretLength ? key : undefined
      const redacted = status >= 400 && secret !== undefined ? text?.replaceAll(secret, "…") : text
      return { status, headers: Object.fromEntries(response.headers), body: redacted ?? "" }
    } catch (cause) {
      throwIfAborted(signal)
      if (!isLate) throw cause
      throw new SwapError.Unavailable({
        reason: "timeout",
        message: `The service did not respond to ${endpoint} within ${timeout / 1000} s.`
      })
    } finally {
      clearTimeout(deadline)
      signal.removeEventListener("abort", abort)
    }
  }

  const { delegationPath, traceparent } = options
  return { host, service: `${origin}${pathname}`.replace(/\/+$/, ""), delegationPath, traceparent, send }
}
