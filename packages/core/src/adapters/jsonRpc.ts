/**
 * Sends one JSON-RPC request over `fetch`. Messages from `fetch` and from the node are dropped, because they may
 * contain the URL.
 */
import * as Effect from "effect/Effect"
import { readText } from "./readText.js"
import { RedirectError, refuseRedirects } from "./redirect.js"

/** Why a node cannot be used. `code` and `details` come from a JSON-RPC error and are never shown. */
export class NodeError {
  readonly _tag = "NodeError"
  readonly message: string
  readonly code: unknown
  readonly details: string
  constructor(
    message: string,
    { code, message: details }: { readonly code?: unknown; readonly message?: unknown } = {}
  ) {
    this.message = message
    this.code = code
    this.details = typeof details === "string" ? details : ""
  }
}

/** `fetch`, or a replacement for it. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>

/** Sends a request to one node and returns its result. */
export type RpcCall = (method: string, params: ReadonlyArray<unknown>) => Effect.Effect<unknown, NodeError>

/** The maximum response size. Expected responses are far smaller. */
const maxBytes = 4 * 2 ** 20

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null

/** Creates the function that sends requests to the node at a URL. */
export const nodeAt =
  (url: string, fetch: Fetch): RpcCall =>
  (method, params) =>
    Effect.gen(function* () {
      const { ok, status, text } = yield* Effect.tryPromise({
        try: async (signal) => {
          const response = await refuseRedirects(fetch)(url, {
            method: "POST",
            headers: { accept: "application/json", "content-type": "application/json" },
            body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
            signal
          })
          const text = await readText(response, maxBytes)
          if (text === undefined) throw new RangeError("too long")
          return { ok: response.ok, status: response.status, text }
        },
        catch: (error) =>
          new NodeError(
            error instanceof RedirectError
              ? `responded to ${method} with a redirect, which is not followed`
              : `could not be reached for ${method}, or sent an incomplete or oversized response`
          )
      })
      const answer = yield* Effect.try({
        try: (): unknown => JSON.parse(text),
        catch: () => new NodeError(`responded to ${method} with HTTP ${status} and invalid JSON`)
      })
      if (!isObject(answer) || answer["id"] !== 1)
        return yield* Effect.fail(new NodeError(`responded to ${method} with invalid JSON-RPC`))
      const { error, result } = answer
      if (isObject(error)) {
        const named = Number.isSafeInteger(error["code"])
          ? `JSON-RPC error ${Number(error["code"])}`
          : "a JSON-RPC error"
        return yield* Effect.fail(new NodeError(`rejected ${method} with ${named}`, error))
      }
      if (!ok || result === undefined) {
        return yield* Effect.fail(new NodeError(`responded to ${method} with HTTP ${status} and no result`))
      }
      return result
    })
