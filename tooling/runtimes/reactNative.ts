/** Runs a guest in Node without the globals that React Native lacks. */
import { execFile } from "node:child_process"
import { readFileSync } from "node:fs"
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { promisify } from "node:util"
import type { Run } from "./runners.ts"

/** The globals in the table in `docs/runtimes.md` that React Native provides. */
export const documentedGlobals = (): ReadonlyArray<string> => {
  const page = readFileSync(new URL("../../docs/runtimes.md", import.meta.url), "utf8")
  const [, section = ""] = page.split("\n## React Native\n")
  return section
    .split("\n")
    .filter((line) => /^\|.*\| yes\b/.test(line))
    .flatMap((line) => [...(line.split("|")[1] ?? "").matchAll(/`(\w+)`/g)].map(([, name = ""]) => name))
}

/** Parts of JavaScript that Hermes does not implement, or did not implement until recently. */
const missing: Readonly<Record<string, ReadonlyArray<string>>> = {
  globalThis: ["Atomics", "FinalizationRegistry", "Iterator", "SharedArrayBuffer", "WebAssembly"],
  Array: ["fromAsync"],
  Object: ["groupBy"],
  Map: ["groupBy"],
  Promise: ["try", "withResolvers"],
  RegExp: ["escape"],
  Error: ["isError"],
  Symbol: ["dispose", "asyncDispose"],
  Math: ["f16round", "sumPrecise"],
  Uint8Array: ["fromBase64", "fromHex"],
  "Uint8Array.prototype": ["toBase64", "toHex", "setFromBase64", "setFromHex"],
  "ArrayBuffer.prototype": ["transfer", "transferToFixedLength", "resize"],
  "Set.prototype": ["difference", "intersection", "isSubsetOf", "isSupersetOf", "isDisjointFrom", "union"],
  "String.prototype": ["isWellFormed", "toWellFormed"],
  AbortSignal: ["abort", "any", "timeout"],
  "AbortSignal.prototype": ["reason", "throwIfAborted"]
}

/** Replaces Node's classes, which need Node's other globals. React Native's are also written in JavaScript. */
const replacements = `
globalThis.Headers = class {
  #fields = new Map()
  constructor(init = {}) {
    for (const [name, value] of Symbol.iterator in init ? init : Object.entries(init)) {
      if (!/^[\\w-]+$/.test(name)) throw new TypeError("invalid header name: " + name)
      this.#fields.set(name.toLowerCase(), String(value))
    }
  }
  [Symbol.iterator]() { return this.#fields.entries() }
}
globalThis.Request = class {}
globalThis.Response = class {}
globalThis.fetch = () => Promise.reject(new TypeError("Network request failed"))`

/** Removes the globals, then imports the guest, which has no other imports. */
const program = (input: unknown) => `import { runInNewContext } from "node:vm"
const print = console.log
const language = runInNewContext("Object.getOwnPropertyNames(globalThis)")
const kept = new Set([...language, ...${JSON.stringify(documentedGlobals())}])
const remove = (object, name) => {
  // The fields of Symbol cannot be deleted. No field is read: Node would load its network code, which needs the globals.
  const isDeleted = object === undefined || Reflect.deleteProperty(object, name)
  if (!isDeleted && object !== Symbol) throw new Error("cannot remove " + name)
}
${Object.entries(missing)
  .map(([object, names]) => `for (const name of ${JSON.stringify(names)}) remove(${object}, name)`)
  .join("\n")}
for (const name of Object.getOwnPropertyNames(globalThis)) if (!kept.has(name)) remove(globalThis, name)
${replacements}
const { run } = await import("./guest.js")
print(JSON.stringify(await run(${JSON.stringify(input)})))`

/** Runs the guest in a separate process. */
export const runReactNative = async (path: string, { folder, input, signal }: Run): Promise<unknown> => {
  const file = join(folder, "reactNative.js")
  await writeFile(file, program(input))
  const { stdout } = await promisify(execFile)(path, [file], { cwd: folder, env: {}, killSignal: "SIGKILL", signal })
  return JSON.parse(stdout) as unknown
}
