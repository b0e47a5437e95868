/** The transport over `fetch` for people who use promises; the Effect version is made of it. */
import { SwapError } from "@geoswap/core"
import type { Transport } from "@geoswap/core/promise"
import { readText } from "./internal/body.js"
import { within } from "./internal/deadline.js"
import { type FetchTransportOptions, flawOf, settle } from "./internal/options.js"

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
  const settings = settle(options)
  const { address, apiKey, fetch, host, init, maxResponseBytes, timeouts } = settings

  const send: Transport["send"] = async ({ body, endpoint, method, path, ...request }, { signal }) => {
    signal.throwIfAborted()
    const millis = timeouts[endpoint.split("-", 1)[0] as keyof typeof timeouts] ?? timeouts.status
    let key: string | undefined
    let response: Response | undefined

    const about = (message: string) => {
      const requestId = response?.headers.get("x-request-id")?.slice(0, 200)
      return { message, ...(requestId && { requestId }) }
    }
    const late = () =>
      new SwapError.Unavailable({
        ...about(`The service did not answer ${endpoint} within ${millis / 1000} s.`),
        reason: "timeout"
      })
    const broken = (cause: unknown) => {
      if (SwapError.isSwapError(cause)) return cause
      const what =
        key === undefined
          ? "Nothing was sent: the function apiKey gave no key that can be used."
          : `The connection to ${host} ${response ? "broke off" : "failed"} during ${endpoint}: check the network and baseUrl.`
      return new SwapError.Unavailable({ ...about(what), reason: "network", cause })
    }
    const unexpected = (what: string) =>
      new SwapError.ProtocolError({ ...about(`The service answered ${endpoint} with ${what}.`), endpoint, field: "" })

    const exchange = async (stop: AbortSignal) => {
      const given = typeof apiKey === "function" ? await apiKey() : apiKey
      const flaw = flawOf(given)
      if (flaw !== undefined) throw new Error(`The key ${flaw}.`)
      key = given
      stop.throwIfAborted()
      const headers: Record<string, string> = { ...settings.headers, ...request.headers }
      if (!settings.traceparent) delete headers["traceparent"]
      headers["accept"] = "application/json"
      headers["x-api-key"] = key
      if (body !== undefined) headers["content-type"] = "application/json"
      response = await fetch(address + path, { ...init, method, headers, body: body ?? null, signal: stop })
      const { status } = response
      // A browser shows no more of a redirect than this type.
      if (response.type === "opaqueredirect" || (status >= 300 && status < 400)) {
        throw unexpected("a redirect, which would take the API key elsewhere: correct baseUrl")
      }
      const text = await readText(response, maxResponseBytes)
      // A refusal is told by its status alone.
      if (text === undefined && status < 400)
        throw unexpected(`more than ${maxResponseBytes} bytes: see maxResponseBytes`)
      return { status, headers: Object.fromEntries(response.headers), body: text ?? "" }
    }

    return within({ late, millis, signal }, (stop) =>
      exchange(stop).catch((cause: unknown) => {
        throw broken(cause)
      })
    )
  }

  return { ...(options.delegationPath && { delegationPath: options.delegationPath }), send }
}
