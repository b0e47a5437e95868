/** This program's version and the Node version it requires, from package.json. */
import { readFileSync } from "node:fs"

const manifest = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as {
  readonly version: string
  readonly engines: { readonly node: string }
}

export const version = manifest.version

const numbersOf = (text: string): readonly [number, number] => {
  const [major = 0, minor = 0] = text.replace(/^\D*/, "").split(".").map(Number)
  return [major, minor]
}

/** Returns a message if Node is too old. */
export const tooOld = (node: string) => {
  const [major, minor] = numbersOf(node)
  const [neededMajor, neededMinor] = numbersOf(manifest.engines.node)
  return major < neededMajor || (major === neededMajor && minor < neededMinor)
    ? `geoswap-server requires Node ${neededMajor}.${neededMinor} or later, but this is Node ${node}.`
    : undefined
}
