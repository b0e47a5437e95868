/** The scripted service of core behind a real HTTP server. */
import type { Transport } from "@geoswap/core"
import type { ScriptedTransport } from "@geoswap/core/testing"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { ServerResponse } from "node:http"
import { type Received, serve, type Server } from "./server.js"

/** The key of the first account. */
export const apiKey = "key-1"

/** The key of another account. */
export const otherKey = "key-2"

/** The accounts of the keys that the server knows. */
const accounts = new Map<unknown, string>([
  [apiKey, "first"],
  [otherKey, "second"]
])

/** Answers a request with the clock of `context`. A connection that the script breaks is really cut. */
export const answerScripted =
  ({ sendAs }: ScriptedTransport.ScriptedTransport, context: Context.Context<never> = Context.empty()) =>
  async (response: ServerResponse, { body, headers, method, url }: Received): Promise<unknown> => {
    const request: Transport.HttpRequest = {
      endpoint: url.split(/[/?]/)[2] as Transport.Endpoint,
      method: method as "GET" | "POST",
      path: url,
      ...(body !== "" && { body })
    }
    const send = sendAs(accounts.get(headers["x-api-key"]))
    const answer = await Effect.runPromiseWith(context)(Effect.option(send(request)))
    if (answer._tag === "None") return response.destroy()
    return response.writeHead(answer.value.status, { ...answer.value.headers }).end(answer.value.body)
  }

/** Serves until closed. */
export const serveScripted = (
  service: ScriptedTransport.ScriptedTransport,
  context?: Context.Context<never>
): Promise<Server> => serve(answerScripted(service, context))
