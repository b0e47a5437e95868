/** How the program talks: to a person at a terminal, in plain lines, or in JSON for programs. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Flags, type Shape as FlagsShape } from "./Flags.js"
import { type Host as HostShape, Host, variable } from "./internal/host.js"

export { block, clean, table } from "./internal/text.js"

/**
 * `terminal`: standard output is a terminal and may be redrawn. `lines`: a pipe, a file, or `--plain`. `json`: one object
 * on standard output. `json-lines`: an object per line.
 */
type Mode = "terminal" | "lines" | "json" | "json-lines"

/** Colours and weights; each gives its text back unchanged where there is no colour. */
export interface Style {
  readonly bold: (text: string) => string
  readonly dim: (text: string) => string
  readonly red: (text: string) => string
  readonly green: (text: string) => string
  readonly yellow: (text: string) => string
  readonly cyan: (text: string) => string
}

/** How to talk. */
export interface Shape {
  readonly mode: Mode
  /** Whether a person can be asked: standard input and standard error are terminals. */
  readonly canAsk: boolean
  /** Columns of the terminal; 80 where there is none. */
  readonly width: number
  /** For standard output. */
  readonly style: Style
  /** For standard error. */
  readonly remarkStyle: Style
  /** Writes text to standard output as it is, such as a redrawn frame. */
  readonly write: (text: string) => Effect.Effect<void>
  /** A line for people on standard output; nothing in the JSON modes. */
  readonly line: (text: string) => Effect.Effect<void>
  /** A line for people on standard error, in every mode. */
  readonly remark: (text: string) => Effect.Effect<void>
  /** A value as JSON on standard output, in one line in `json-lines`; bigints as texts. */
  readonly json: (value: unknown) => Effect.Effect<void>
  /** The answer of a command: the value in the JSON modes, the words in the others. */
  readonly answer: (value: unknown, words: (style: Style) => string) => Effect.Effect<void>
}

/** How to talk. */
export class Output extends Context.Service<Output, Shape>()("@geoswap/cli/Output") {}

const wrap =
  (color: boolean, on: number, off: number) =>
  (text: string): string =>
    color ? `\u001B[${on}m${text}\u001B[${off}m` : text

const styleOf = (color: boolean): Style => ({
  bold: wrap(color, 1, 22),
  dim: wrap(color, 2, 22),
  red: wrap(color, 31, 39),
  green: wrap(color, 32, 39),
  yellow: wrap(color, 33, 39),
  cyan: wrap(color, 36, 39)
})

const asText = (_: string, value: unknown): unknown => (typeof value === "bigint" ? String(value) : value)

/** A value as JSON; bigints as decimal texts. */
export const toJson = (value: unknown, indent?: number): string => JSON.stringify(value, asText, indent)

/** How to talk, given the flags and the process. */
export const make = (flags: Pick<FlagsShape, "json" | "jsonLines" | "plain">, host: HostShape): Shape => {
  const dumb = variable(host, "TERM") === "dumb"
  const mode: Mode = flags.jsonLines
    ? "json-lines"
    : flags.json
      ? "json"
      : host.terminals.stdout && !flags.plain && !dumb
        ? "terminal"
        : "lines"
  const mayColor = variable(host, "NO_COLOR") === undefined && !flags.plain && !dumb
  const put = (stream: "stdout" | "stderr", text: string) => Effect.sync(() => host.write(stream, text))
  const forPeople = mode === "terminal" || mode === "lines"
  const style = styleOf(mayColor && mode === "terminal")
  const json = (value: unknown) => put("stdout", `${toJson(value, mode === "json" ? 2 : undefined)}\n`)
  const line = (text: string) => (forPeople ? put("stdout", `${text}\n`) : Effect.void)
  return {
    mode,
    canAsk: host.terminals.stdin && host.terminals.stderr && !dumb,
    width: host.terminals.stdout || host.terminals.stderr ? host.columns : 80,
    style,
    remarkStyle: styleOf(mayColor && host.terminals.stderr),
    write: (text) => put("stdout", text),
    line,
    remark: (text) => put("stderr", `${text}\n`),
    json,
    answer: (value, words) => (forPeople ? line(words(style)) : json(value))
  }
}

/** How to talk, as the flags say. */
export const layer: Layer.Layer<Output, never, Flags> = Layer.effect(
  Output,
  Effect.gen(function* () {
    return make(yield* Flags, yield* Host)
  })
)
