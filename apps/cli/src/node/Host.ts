/** The process environment, which tests replace. */
import { fstatSync, writeSync } from "node:fs"
import { homedir } from "node:os"
import * as Context from "effect/Context"

/** Standard input. Only a terminal has a raw mode. */
type Input = NodeJS.ReadableStream & Partial<Pick<NodeJS.ReadStream, "isTTY" | "setRawMode">>

/** The parts of the process that the program uses. */
export interface Host {
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly folder: string
  readonly home: string
  /** Whether each of the three standard streams is a terminal. */
  readonly terminals: { readonly stdin: boolean; readonly stdout: boolean; readonly stderr: boolean }
  readonly columns: number
  readonly rows: number
  /** What the user types at prompts. */
  readonly stdin: Input
  readonly write: (stream: "stdout" | "stderr", text: string) => void
}

const descriptors = { stdout: 1, stderr: 2 } as const

/** Writes synchronously and without Node's streams, which take time to create and are not needed for printing. */
const makeWrite = (): Host["write"] => {
  // Once a pipe has been full, all output goes through Node's stream, which preserves the order.
  const slow = new Set<"stdout" | "stderr">()
  return (stream, text) => {
    const bytes = Buffer.from(text)
    let written = 0
    try {
      while (!slow.has(stream) && written < bytes.length) {
        written += writeSync(descriptors[stream], bytes, written)
      }
    } catch (cause) {
      const code = cause instanceof Error && "code" in cause ? cause.code : undefined
      if (code === "EAGAIN") slow.add(stream)
      // The reader closed the pipe, as in `geoswap … | head`.
      else if (stream === "stdout") process.exit(code === "EPIPE" ? 0 : 1)
      else return
    }
    if (written < bytes.length) process[stream].write(bytes.subarray(written))
  }
}

/**
 * Whether a file descriptor refers to a terminal. Pipes and files are ruled out first, because importing `node:tty`
 * loads the network code.
 */
const isTerminal = (descriptor: number) => {
  try {
    if (!fstatSync(descriptor).isCharacterDevice()) return false
  } catch {
    // The descriptor is closed.
    return false
  }
  const { isatty } = process.getBuiltinModule("node:tty")
  return isatty(descriptor)
}

/** Returns the host for this process. */
export const fromProcess = (): Host => {
  const terminals = { stdin: isTerminal(0), stdout: isTerminal(1), stderr: isTerminal(2) }
  return {
    environment: process.env,
    folder: process.cwd(),
    get home() {
      return process.env["HOME"] ?? homedir()
    },
    terminals,
    get columns() {
      return (terminals.stdout && process.stdout.columns) || (terminals.stderr && process.stderr.columns) || 80
    },
    get rows() {
      return (terminals.stdout && process.stdout.rows) || 24
    },
    get stdin() {
      return process.stdin
    },
    write: makeWrite()
  }
}

/** The current host (default: this process). */
export const Host = Context.Reference<Host>("@geoswap/cli/Host", { defaultValue: fromProcess })

/** Returns the value of an environment variable, or `undefined` if the variable is unset or empty. */
export const variable = ({ environment }: Host, name: string) => environment[name] || undefined

/** Expands `~` at the start of a path. */
export const inHome = ({ home }: Host, path: string) => path.replace(/^~(?=\/)/, home)
