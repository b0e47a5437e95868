#!/usr/bin/env node
/** `geoswap-server`: the service for operators. */
import type * as Effect from "effect/Effect"
import { help, type Line, readLine } from "./commands/parseArgs.js"
import type { Problem } from "./terminal/runProgram.js"
import { tooOld, version } from "./version.js"

// Nobody may listen any more, as at the end of a pipe: a server goes on all the same.
process.stdout.on("error", () => undefined)
process.stderr.on("error", () => undefined)

const end = (code: number, message: string): never => {
  process.stderr.write(`${message}\n`)
  process.exit(code)
}

/** Loaded only once it is known what for: `--help` answers at once. */
const programOf = async ({ argument, command, flags }: Line): Promise<Effect.Effect<unknown, Problem>> => {
  switch (command) {
    case "serve":
      return (await import("./run/serve.js")).serve(flags)
    case "check":
      return (await import("./run/check.js")).check(flags)
    case "keys create":
      return (await import("./run/keys.js")).create(flags)
    case "keys list":
      return (await import("./run/keys.js")).list(flags)
    case "keys revoke":
      return (await import("./run/keys.js")).revoke(flags, argument)
    case "keys seal":
      return (await import("./run/keys.js")).seal(flags)
    case "swaps list":
      return (await import("./run/swaps.js")).list(flags)
    case "swaps show":
      return (await import("./run/swaps.js")).show(flags, argument)
    case "swaps fail":
      return (await import("./run/failSwap.js")).fail(flags, argument)
    case "swaps close":
      return (await import("./run/closeSwap.js")).close(flags, argument)
    case "inventory":
      return (await import("./run/inventory.js")).inventory(flags)
    case "export":
      return (await import("./run/export.js")).exportSwaps(flags)
    case "rotate-seal-key add":
      return (await import("./run/rotateSealKey.js")).add(flags)
    case "rotate-seal-key promote":
      return (await import("./run/rotateSealKey.js")).promote(flags, argument)
    case "rotate-seal-key retire":
      return (await import("./run/rotateSealKey.js")).retire(flags)
    case "devnet":
      return (await import("./run/devnet.js")).devnet(flags, argument)
  }
}

const start = async (line: Line): Promise<void> => {
  const old = tooOld(process.versions.node)
  if (old !== undefined) return end(1, old)
  // Not a named import: it would end an older Node before the words above.
  const { enableCompileCache } = await import("node:module")
  enableCompileCache()
  // Node tells that its SQLite is young, in the middle of our log. Later warnings are logged.
  process.removeAllListeners("warning")
  const { run } = await import("./terminal/runProgram.js")
  process.exitCode = await run(await programOf(line), line.log)
  // Where a connection that idles keeps the process, it does not keep it for long.
  setTimeout(() => process.exit(), 250).unref()
}

const line = readLine(process.argv.slice(2))
if ("problem" in line) end(64, `${line.problem}\nTry geoswap-server --help`)
else if ("print" in line) process.stdout.write(line.print === "help" ? help : `${version}\n`)
else await start(line)
