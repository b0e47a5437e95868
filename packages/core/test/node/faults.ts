/**
 * Makes the file system fail or the process die at the nth call that `arm` counts. `FAULT` is `KILL` or the code of an
 * error, `ENOSPC`. A write that dies or fails has written half of its bytes.
 */
import fs from "node:fs"
import { syncBuiltinESMExports } from "node:module"

const kind = process.env["FAULT"] ?? ""

const state: { armed: boolean; at: number; calls: Array<string> } = { armed: false, at: 0, calls: [] }

/** Starts counting from zero. The fault is at the given call. */
export const arm = (at: number): void => {
  Object.assign(state, { armed: true, at, calls: [] })
}

/** Stops counting, and returns the calls. */
export const disarm = (): ReadonlyArray<string> => {
  state.armed = false
  return state.calls
}

const die = (): never => {
  process.kill(process.pid, "SIGKILL")
  // The signal is on its way.
  for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_000)
}

const fail = (name: string): never => {
  throw Object.assign(new Error(`${kind}: ${name} with a secret 0x5ec2e7`), { code: kind })
}

const names = ["openSync", "closeSync", "writeSync", "fsyncSync", "renameSync", "rmSync", "mkdirSync"] as const
const functions = fs as unknown as Record<string, (...args: ReadonlyArray<unknown>) => unknown>

for (const name of names) {
  const real = functions[name]
  if (real === undefined) throw new Error(`node:fs has no ${name}.`)
  functions[name] = (...args) => {
    if (!state.armed || state.calls.push(name) !== state.at) return real(...args)
    const [file, bytes] = args
    if (name === "writeSync" && bytes instanceof Uint8Array) real(file, bytes.subarray(0, bytes.length >> 1))
    return kind === "KILL" ? die() : fail(name)
  }
}
syncBuiltinESMExports()
