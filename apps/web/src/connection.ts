/** Whether the service responds, and status requests that continue as soon as it responds again. */
import { SwapError } from "@geoswap/core"
import * as Effect from "effect/Effect"
import type { PromiseTransport } from "@geoswap/core/promise"
import { createStore } from "./ui/store.js"

/** How long to wait before the status of a running swap is requested again. Below a second, as users expect. */
const retryMillis = 400
/** How long one status request may try. The client gives up on a request after 25 s. */
const mostMillis = 10_000

/** Whether a response comes from a proxy in front of a service that is down. A busy service says when to try again. */
const isDown = ({ headers, status }: Awaited<ReturnType<PromiseTransport["send"]>>) =>
  status >= 502 && status <= 504 && headers["retry-after"] === undefined

/** The error after which the client requests the status again at once. */
const unavailable = () =>
  new SwapError.Unavailable({ reason: "network", message: "The service could not be reached.", retryAfter: 1 })

/** Creates the connection. It is up until a request fails. */
export const createConnection = () => {
  /** Whether the last request got a response from the service. */
  const isUp = createStore(true)

  /** Returns a transport that reports every request to this connection. */
  const observe = (transport: PromiseTransport): PromiseTransport => {
    const sendOnce: PromiseTransport["send"] = async (request, abort) => {
      try {
        const response = await transport.send(request, abort)
        // The price of a quote may be unavailable while the service is up.
        if (!isDown(response)) isUp.set(true)
        else if (request.endpoint === "status") isUp.set(false)
        return response
      } catch (error) {
        if (!abort.signal.aborted) isUp.set(false)
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
          await Effect.runPromise(Effect.sleep(retryMillis), { signal: abort.signal })
        }
      }
    }
  }

  return { isUp, observe }
}
