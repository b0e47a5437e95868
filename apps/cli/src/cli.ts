#!/usr/bin/env node
/** `geoswap`: starts the program, unless this Node is too old for it. */
import manifest from "../package.json" with { type: "json" }

const [neededMajor = 0, neededMinor = 0] = manifest.engines.node.replace(/^\D*/, "").split(".").map(Number)
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number)

if (major < neededMajor || (major === neededMajor && minor < neededMinor)) {
  process.stderr.write(
    `geoswap needs Node ${neededMajor}.${neededMinor} or later, and this is Node ${process.versions.node}.\n`
  )
  process.exitCode = 1
} else {
  // Not a named import: it would end an older Node before the words above.
  const { createRequire, enableCompileCache } = await import("node:module")
  enableCompileCache()
  // Some of what is bundled was written for CommonJS.
  Object.assign(globalThis, { require: createRequire(import.meta.url) })
  const { main } = await import("./main.js")
  await main(manifest.version)
}
