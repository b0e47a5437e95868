/** Checks that the stack described in a file from an earlier run is no longer running. */
import { readFileSync } from "node:fs"
import { Description } from "@geoswap/devnet"
import * as Effect from "effect/Effect"
import { Failure } from "../Failure.js"

const timeoutMillis = 2_000

const answers = (url: string, body?: string): Effect.Effect<boolean> =>
  Effect.promise(async (signal) => {
    try {
      const headers = { "content-type": "application/json" }
      const timeout = AbortSignal.any([signal, AbortSignal.timeout(timeoutMillis)])
      const response = await fetch(url, {
        ...(body !== undefined && { method: "POST", body, headers }),
        signal: timeout
      })
      return response.ok
    } catch {
      return false
    }
  })

/** Any JSON-RPC method works, because the only question is whether the node responds. */
const question = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "eth_chainId", params: [] })

/** Fails if the stack that the file describes is still running. A file left by a killed run is ignored. */
export const assertNotRunning = Effect.fnUntraced(function* (file: string): Effect.fn.Return<void, Failure> {
  const described = yield* Effect.try({ try: () => readFileSync(file, "utf8"), catch: () => undefined }).pipe(
    Effect.flatMap(Description.decode),
    Effect.catch(() => Effect.undefined)
  )
  if (described === undefined) return
  const { chains, service } = described
  const live = yield* Effect.all(
    [
      ...(service === undefined ? [] : [answers(`${service.url}/health/live`)]),
      ...chains.map(({ rpcUrl }) => answers(rpcUrl, question))
    ],
    { concurrency: "unbounded" }
  )
  if (!live.includes(true)) return
  const where = service?.url ?? chains[0]?.rpcUrl
  return yield* new Failure({
    message: `The local stack is already running at ${where}, according to ${file}. Use that stack, or press Ctrl-C in its terminal to stop it.`
  })
})
