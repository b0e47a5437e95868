#!/usr/bin/env node
/** `geoswap-server`: starts the program, unless this Node version is too old. */
import { tooOld } from "./version.js"

// The process that reads our output may close the pipe. The server keeps running regardless.
process.stdout.on("error", () => undefined)
process.stderr.on("error", () => undefined)

const problem = tooOld(process.versions.node)
if (problem !== undefined) {
  process.stderr.write(`${problem}\n`)
  process.exitCode = 1
} else {
  // Not a named import, because older Node versions would fail to load this file.
  const { createRequire, enableCompileCache } = await import("node:module")
  enableCompileCache()
  // The PostgreSQL client, which is part of this bundle, was written for CommonJS and calls `require`.
  Object.assign(globalThis, { require: createRequire(import.meta.url) })
  // Hides Node's warning that its SQLite module is experimental, which would appear in the middle of our log. Later
  // warnings are logged.
  process.removeAllListeners("warning")
  const { main } = await import("./main.js")
  process.exitCode = await main(process.argv.slice(2))
  // Idle connections must not keep the process alive for long.
  setTimeout(() => process.exit(), 250).unref()
}
