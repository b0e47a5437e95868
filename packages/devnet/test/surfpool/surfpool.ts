/** Surfpool, another SVM with Solana's JSON-RPC, for comparison. */
import { createRequire } from "node:module"
import { fileURLToPath } from "node:url"
import * as Effect from "effect/Effect"
import { run } from "../../src/internal/childProcess.js"

/** The addresses of Surfpool. */
export interface Surfpool {
  readonly rpcUrl: string
  readonly wsUrl: string
}

/** Starts Surfpool; it stops when the scope closes. */
export const start = Effect.fnUntraced(function* () {
  const host = fileURLToPath(new URL("host.ts", import.meta.url))
  const addon = createRequire(import.meta.url).resolve("@solana/surfpool-linux-x64-gnu")
  const child = yield* run(process.execPath, [host, addon])
  return yield* Effect.callback<Surfpool, Error>((resume) => {
    child.process.stdout.on("data", () => {
      const line = child
        .output()
        .split("\n")
        .find((text) => text.startsWith("{") && text.endsWith("}"))
      if (line !== undefined) resume(Effect.succeed(JSON.parse(line) as Surfpool))
    })
    child.process.once("close", () => resume(Effect.fail(new Error(`Surfpool ended: ${child.output()}`))))
  })
})
