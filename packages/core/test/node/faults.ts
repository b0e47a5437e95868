/**
 * Makes the file system fail or the process die at the nth call that `arm` counts. `FAULT` is `KILL` or the code of an
 * error, `ENOSPC`. A write that dies or fails has written half of its bytes. With `FULL`, the disk is full from that call
 * on: writes fail until `disarm`, and files can still be removed and renamed.
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
  const code = kind === "FULL" ? "ENOSPC" : kind
  throw Object.assign(new Error(`${code}: ${name} with a secret 0x5ec2e7`), { code })
}

/** Whether this call needs space. A file that is opened for reading does not. */
const needsSpace = (name: string, flags: unknown): boolean =>
  name === "writeSync" || name === "mkdirSync" || (name === "openSync" && flags !== undefined && flags !== "r")

const names = ["openSync", "closeSync", "writeSync", "fsyncSync", "renameSync", "rmSync", "mkdirSync"] as const
const functions = fs as unknown as Record<string, (...args: ReadonlyArray<unknown>) => unknown>

for (const name of names) {
  const real = functions[name]
  if (real === undefined) throw new Error(`node:fs has no ${name}.`)
  functions[name] = (...args) => {
    if (!state.armed) return real(...args)
    const count = state.calls.push(name)
    const [file, bytes] = args
    const fails = kind === "FULL" ? count >= state.at && needsSpace(name, bytes) : count === state.at
    if (!fails) return real(...args)
    if (name === "writeSync" && bytes instanceof Uint8Array) real(file, bytes.subarray(0, bytes.length >> 1))
    return kind === "KILL" ? die() : fail(name)
  }
}
syncBuiltinESMExports()
