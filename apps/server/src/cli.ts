#!/usr/bin/env node
/** `geoswap-server`: starts the program, unless this Node is too old for it. */
import { tooOld } from "./version.js"

// The reader of a pipe may close it. A server runs on regardless.
process.stdout.on("error", () => undefined)
process.stderr.on("error", () => undefined)

const problem = tooOld(process.versions.node)
if (problem !== undefined) {
  process.stderr.write(`${problem}\n`)
  process.exitCode = 1
} else {
  // Not a named import: older versions of Node would fail to load this file.
  const { enableCompileCache } = await import("node:module")
  enableCompileCache()
  // Node warns that its SQLite is experimental, in the middle of our log. Later warnings are logged.
  process.removeAllListeners("warning")
  const { main } = await import("./main.js")
  process.exitCode = await main(process.argv.slice(2))
  // Idle connections do not keep the process alive for long.
  setTimeout(() => process.exit(), 250).unref()
}
