/** How the program talks: to a person at a terminal, in plain lines, or in JSON for programs. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Flags, type Shape as FlagsShape } from "../commands/Flags.js"
import { type Host as HostShape, Host, variable } from "../node/Host.js"
import { safe } from "./text.js"

export { block, clean, foreign, table } from "./text.js"

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

/** How deep a value may be; what lies deeper is `null`. Nothing of ours is half as deep. */
const maxDepth = 16

// Valid in JSON, and obeyed by terminals and editors: C1, bidirectional controls, what has no width.
const unseen = /[\p{Cc}\p{Cf}\u2028\u2029]/gu

const escaped = (text: string): string => {
  let units = ""
  for (let at = 0; at < text.length; at++) units += `\\u${text.charCodeAt(at).toString(16).padStart(4, "0")}`
  return units
}

/**
 * A value as JSON; bigints as decimal texts. It may hold what a service sent: it is cut where it is too deep to be written,
 * and what would not be seen is escaped.
 */
export const toJson = (value: unknown, indent?: number): string => {
  const depths = new WeakMap<object, number>()
  const replacer = function (this: object, _: string, inner: unknown): unknown {
    if (typeof inner === "bigint") return String(inner)
    if (typeof inner !== "object" || inner === null) return inner
    const depth = (depths.get(this) ?? 0) + 1
    depths.set(inner, depth)
    return depth > maxDepth ? null : inner
  }
  // The breaks of an indented text are JSON's own; those inside of strings are escaped already.
  return JSON.stringify(value, replacer, indent).replace(unseen, (found) => (found === "\n" ? found : escaped(found)))
}

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
  const line = (text: string) => (forPeople ? put("stdout", `${safe(text)}\n`) : Effect.void)
  return {
    mode,
    canAsk: host.terminals.stdin && host.terminals.stderr && !dumb,
    width: host.terminals.stdout || host.terminals.stderr ? host.columns : 80,
    style,
    remarkStyle: styleOf(mayColor && host.terminals.stderr),
    write: (text) => put("stdout", text),
    line,
    remark: (text) => put("stderr", `${safe(text)}\n`),
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
