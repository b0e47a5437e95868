/** JSON-RPC calls to a node on this machine. */
import { request } from "node:http"
import * as Effect from "effect/Effect"
import { ChainRefused } from "../DevnetError.js"

/** One call: the method, then its parameters. */
export type Call = readonly [method: string, ...params: ReadonlyArray<unknown>]

interface Answer {
  readonly id: number
  readonly result?: unknown
  readonly error?: { readonly code: number; readonly message: string }
}

const post = (url: string, body: string): Effect.Effect<string, Error> =>
  Effect.callback((resume, signal) => {
    const outgoing = request(
      url,
      { method: "POST", headers: { "content-type": "application/json" }, signal },
      (response) => {
        const chunks: Array<Buffer> = []
        response.on("data", (chunk: Buffer) => void chunks.push(chunk))
        response.on("error", (error) => resume(Effect.fail(error)))
        response.on("end", () => resume(Effect.succeed(Buffer.concat(chunks).toString())))
      }
    )
    outgoing.on("error", (error) => resume(Effect.fail(error)))
    outgoing.end(body)
  })

/** Sends calls as one batch. Returns their results in order, or fails with the first error. */
export const batch = Effect.fnUntraced(function* (url: string, calls: ReadonlyArray<Call>) {
  const body = JSON.stringify(calls.map(([method, ...params], id) => ({ jsonrpc: "2.0", id, method, params })))
  const [first = ["batch"]] = calls
  const text = yield* post(url, body).pipe(
    Effect.mapError(
      ({ message }) => new ChainRefused({ method: first[0], message: `${url} did not respond: ${message}` })
    )
  )
  const answers = (JSON.parse(text) as ReadonlyArray<Answer>).toSorted((a, b) => a.id - b.id)
  const refused = answers.find(({ error }) => error !== undefined)
  if (refused?.error !== undefined) {
    const [method = "batch"] = calls[refused.id] ?? []
    const { code, message } = refused.error
    return yield* new ChainRefused({ method, code, message: `${url} refused ${method}: ${message}` })
  }
  return answers.map(({ result }) => result)
})

/** Sends one call and returns its result. */
export const call = (url: string, ...[method, ...params]: Call): Effect.Effect<unknown, ChainRefused> =>
  Effect.map(batch(url, [[method, ...params]]), ([result]) => result)
