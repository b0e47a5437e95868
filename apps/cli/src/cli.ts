#!/usr/bin/env node
/** The entry point of `geoswap`: checks the Node version and starts the program. */
import manifest from "../package.json" with { type: "json" }

const [neededMajor = 0, neededMinor = 0] = manifest.engines.node.replace(/^\D*/, "").split(".").map(Number)
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number)

if (major < neededMajor || (major === neededMajor && minor < neededMinor)) {
  process.stderr.write(
    `geoswap needs Node ${neededMajor}.${neededMinor} or later, but this is Node ${process.versions.node}.\n`
  )
  process.exitCode = 1
} else {
  // Not a static import: an older version of Node would fail to load this file, and the message above would not be
  // printed.
  const { createRequire, enableCompileCache } = await import("node:module")
  enableCompileCache()
  // Some bundled code was written for CommonJS and calls `require`.
  Object.assign(globalThis, { require: createRequire(import.meta.url) })
  const { main } = await import("./main.js")
  await main(manifest.version)
}
