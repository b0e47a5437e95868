/** One JSON-RPC request over `fetch`. What `fetch`, the network and the node say is not repeated: it may hold the URL. */
import * as Effect from "effect/Effect"

/** Why a node is of no use now. `code` and `details` are those of a JSON-RPC error, for decisions alone. */
export class NodeError {
  readonly _tag = "Fault"
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

/** `fetch`, or a function used in place of it. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>

/** Sends a request to one node and gives its result. */
export type RpcCall = (method: string, params: ReadonlyArray<unknown>) => Effect.Effect<unknown, NodeError>

/** Far more than any answer here has, in bytes. */
const maxBytes = 4 * 2 ** 20

/** The text of a body. Throws if it is too long; what Content-Length announces proves nothing. */
const readText = async ({ body }: Response): Promise<string> => {
  if (body === null) return ""
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let text = ""
  for (let size = 0; ;) {
    const { done, value } = await reader.read()
    if (done) return text + decoder.decode()
    size += value.byteLength
    if (size > maxBytes) {
      reader.cancel().catch(() => undefined)
      throw new RangeError("too long")
    }
    text += decoder.decode(value, { stream: true })
  }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null

/** The node at a URL. */
export const nodeAt =
  (url: string, fetch: Fetch): RpcCall =>
  (method, params) =>
    Effect.gen(function* () {
      const { ok, status, text } = yield* Effect.tryPromise({
        try: async (signal) => {
          const response = await fetch(url, {
            method: "POST",
            headers: { accept: "application/json", "content-type": "application/json" },
            body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
            // A redirect would take the key in the URL along.
            redirect: "manual",
            signal
          })
          return { ok: response.ok, status: response.status, text: await readText(response) }
        },
        catch: () => new NodeError(`could not be reached for ${method}, or did not finish its answer`)
      })
      const answer = yield* Effect.try({
        try: (): unknown => JSON.parse(text),
        catch: () => new NodeError(`answered ${method} with HTTP ${status} and without JSON`)
      })
      if (!isObject(answer) || answer["id"] !== 1)
        return yield* Effect.fail(new NodeError(`answered ${method} without JSON-RPC`))
      const { error, result } = answer
      if (isObject(error)) {
        const code = Number.isSafeInteger(error["code"]) ? ` ${Number(error["code"])}` : ""
        return yield* Effect.fail(new NodeError(`refused ${method} with the JSON-RPC error${code}`, error))
      }
      if (!ok || result === undefined) {
        return yield* Effect.fail(new NodeError(`answered ${method} with HTTP ${status} and without a result`))
      }
      return result
    })
