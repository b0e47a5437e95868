/** Surfpool, another SVM with Solana's JSON-RPC, for comparison. */
import { existsSync } from "node:fs"
import { createRequire } from "node:module"
import { delimiter, join } from "node:path"
import { fileURLToPath } from "node:url"
import * as Effect from "effect/Effect"
import { run } from "../../src/internal/childProcess.js"

/** The addresses of Surfpool. */
export interface Surfpool {
  readonly rpcUrl: string
  readonly wsUrl: string
}

const addon = (): string | undefined => {
  try {
    const require = createRequire(import.meta.url)
    return require.resolve("@solana/surfpool-linux-x64-gnu")
  } catch {
    return undefined
  }
}

/** A Node for x64: this one, or `node-x64` on the PATH, which may run under an emulator. */
const node = (): string | undefined => {
  if (process.platform === "linux" && process.arch === "x64") return process.execPath
  const folders = (process.env["PATH"] ?? "").split(delimiter)
  return folders.map((folder) => join(folder, "node-x64")).find((path) => existsSync(path))
}

/** How to run Surfpool here, or why it cannot run. */
export const available = (): { readonly command: ReadonlyArray<string> } | { readonly reason: string } => {
  const [path, command] = [addon(), node()]
  if (path === undefined) return { reason: "@solana/surfpool-linux-x64-gnu is not installed" }
  if (command === undefined) {
    return { reason: `Surfpool's package is for linux on x64 only, and there is no node-x64 on the PATH to emulate it` }
  }
  return { command: [command, fileURLToPath(new URL("host.ts", import.meta.url)), path] }
}

/** Starts Surfpool; it stops when the scope closes. */
export const start = Effect.fnUntraced(function* ([command = "", ...args]: ReadonlyArray<string>) {
  const child = yield* run(command, args)
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
