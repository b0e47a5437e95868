/** Whether the file of an earlier run tells of something that still runs. */
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

/** Any method will do: who answers is alive. */
const question = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "eth_chainId", params: [] })

/** Fails where what the file tells of still runs. The file of a run that was killed does not matter. */
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
    message: `It runs already: ${file} tells of one at ${where}. Use that one, or end it with Ctrl-C where it was started.`
  })
})
