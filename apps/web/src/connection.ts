/** Whether the service responds, and status requests that continue as soon as it responds again. */
import { SwapError } from "@geoswap/core"
import type { PromiseTransport } from "@geoswap/core/promise"

/** The connection to the service. */
export interface Connection {
  readonly subscribe: (listener: () => void) => () => void
  /** Whether the last request got a response from the service. */
  readonly isUp: () => boolean
  /** Returns a transport that reports every request to this connection. */
  readonly observe: (transport: PromiseTransport) => PromiseTransport
}

/** How long to wait before the status of a running swap is requested again. Below a second, as users expect. */
const retryMillis = 400
/** How long one status request may try. The client gives up on a request after 25 s. */
const mostMillis = 10_000

/** Whether a response comes from a proxy in front of a service that is down. A busy service says when to try again. */
const isDown = ({ headers, status }: Awaited<ReturnType<PromiseTransport["send"]>>): boolean =>
  status >= 502 && status <= 504 && headers["retry-after"] === undefined

/** The error after which the client requests the status again at once. */
const unavailable = () =>
  new SwapError.Unavailable({ reason: "network", message: "The service could not be reached.", retryAfter: 1 })

const sleep = (millis: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer)
      reject(signal.reason as Error)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", abort)
      resolve()
    }, millis)
    signal.addEventListener("abort", abort, { once: true })
  })

/** Creates the connection. It is up until a request fails. */
export const createConnection = (): Connection => {
  const listeners = new Set<() => void>()
  let up = true
  const set = (next: boolean) => {
    if (up === next) return
    up = next
    for (const listener of listeners) listener()
  }

  const observe = (transport: PromiseTransport): PromiseTransport => {
    const sendOnce: PromiseTransport["send"] = async (request, abort) => {
      try {
        const response = await transport.send(request, abort)
        // The price of a quote may be unavailable while the service is up.
        if (!isDown(response)) set(true)
        else if (request.endpoint === "status") set(false)
        return response
      } catch (error) {
        if (!abort.signal.aborted) set(false)
        throw error
      }
    }
    return {
      ...transport,
      send: async (request, abort) => {
        if (request.endpoint !== "status") return sendOnce(request, abort)
        // Reading a status changes nothing, so it can be repeated. The client's own retries become rarer with each
        // failure, and would show the end of the swap late.
        const until = Date.now() + mostMillis
        for (;;) {
          try {
            const response = await sendOnce(request, abort)
            if (!isDown(response)) return response
          } catch (error) {
            if (abort.signal.aborted) throw error
          }
          if (Date.now() >= until) throw unavailable()
          await sleep(retryMillis, abort.signal)
        }
      }
    }
  }

  return {
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    isUp: () => up,
    observe
  }
}
