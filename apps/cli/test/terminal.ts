/** The program at a terminal, which `pty.ts` also starts as a process. */
import { PassThrough } from "node:stream"
import { stripVTControlCharacters } from "node:util"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { type Ended, startAt, until, type Workspace } from "./runCli.js"

/** A program at a terminal. */
export interface Terminal {
  /** All output so far, without control sequences. */
  readonly screen: () => string
  /** Types keys. */
  readonly type: (keys: string) => void
  /** Waits until the output contains a string or pattern. */
  readonly shows: (expected: string | RegExp) => Effect.Effect<void>
  /** The exit code and the output. */
  readonly ended: Effect.Effect<{ readonly code: Ended["code"]; readonly screen: string }>
}

/** The character of Ctrl-C. */
export const ctrlC = "\u0003"

/** The character of the Enter key. */
export const enter = "\r"

/** The width of the terminal: `COLUMNS` in the environment (default: 160). */
export const columnsOf = ({ environment }: Workspace): number => Number(environment["COLUMNS"] ?? 160)

/** Makes a terminal of a running program. */
export const makeTerminal = (
  output: () => string,
  ended: Effect.Effect<Pick<Ended, "code">>,
  type: Terminal["type"]
): Terminal => {
  const screen = () => stripVTControlCharacters(output())
  const matches = (expected: string | RegExp) =>
    typeof expected === "string" ? screen().includes(expected) : expected.test(screen())
  return {
    screen,
    type,
    shows: (expected) =>
      Effect.raceFirst(
        until(() => matches(expected), `${expected} on the screen`),
        Effect.map(ended, () => undefined)
      ).pipe(
        Effect.andThen(
          Effect.sync(() => {
            if (!matches(expected)) throw new Error(`It exited without showing ${expected}:\n${screen()}`)
          })
        )
      ),
    ended: Effect.map(ended, ({ code }) => ({ code, screen: screen() }))
  }
}

/** Starts `geoswap` in this process at a terminal that reads single keys, and does not echo; the scope interrupts it. */
export const openHere = (
  workspace: Workspace,
  ...args: ReadonlyArray<string>
): Effect.Effect<Terminal, never, Scope.Scope> =>
  Effect.suspend(() => {
    const stdin = new PassThrough()
    const environment = { TERM: "xterm-256color", ...workspace.environment }
    const started = startAt({ ...workspace, environment }, args, { stdin, columns: columnsOf(workspace) })
    return Effect.map(started, ({ ended, output }) => makeTerminal(output, ended, (keys) => void stdin.write(keys)))
  })

/** Runs `geoswap` in this process, for a person at a terminal who answers yes to every question. */
export const runAsPerson = (workspace: Workspace, ...args: ReadonlyArray<string>) =>
  Effect.scoped(Effect.flatMap(openHere(workspace, ...args, "--yes"), ({ ended }) => ended))
