/** What this program sees of the process it runs in, so that tests can put another in its place. */
import { writeSync } from "node:fs"
import { homedir } from "node:os"
import { isTerminal } from "../terminal/isTerminal.js"
import * as Context from "effect/Context"

/** The process, as far as the program looks at it. */
export interface Host {
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly folder: string
  readonly home: string
  /** Whether each of the three streams is a terminal. */
  readonly terminals: { readonly stdin: boolean; readonly stdout: boolean; readonly stderr: boolean }
  readonly columns: number
  readonly write: (stream: "stdout" | "stderr", text: string) => void
}

const descriptors = { stdout: 1, stderr: 2 } as const

/** Writes at once. Node's streams take a while to make, and a program that only prints needs none. */
const makeWrite = (): Host["write"] => {
  // A pipe that was full once is left to Node's stream, which keeps the order.
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
      // Nobody reads any more, as at the end of `geoswap … | head`.
      else if (stream === "stdout") process.exit(code === "EPIPE" ? 0 : 1)
      else return
    }
    if (written < bytes.length) process[stream].write(bytes.subarray(written))
  }
}

/** The process itself. */
export const ofProcess = (): Host => {
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
    write: makeWrite()
  }
}

/** The process that the program runs in. */
export const Host = Context.Reference<Host>("@geoswap/cli/Host", { defaultValue: ofProcess })

/** The value of an environment variable; an empty one counts as absent. */
export const variable = ({ environment }: Host, name: string): string | undefined => environment[name] || undefined
