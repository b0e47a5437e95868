/** Writes output for a terminal, as plain lines, or as JSON. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { Flags } from "../flags/Flags.js"
import { type Host, variable } from "../node/Host.js"
import { stripUnknownControls } from "./sanitize.js"
import { type RepeatedFlags, repeatFlags } from "./suggestedCommands.js"

export { sanitize, stripControls } from "./sanitize.js"
export { fields, fits, table, wrapLine } from "./table.js"

/**
 * `terminal`: standard output is a terminal and may be redrawn. `lines`: a pipe, a file, or `--plain`. `json`: one
 * object on standard output. `json-lines`: one object per line.
 */
type Mode = "terminal" | "lines" | "json" | "json-lines"

const wrap = (color: boolean, on: number, off: number) => (text: string) =>
  color ? `\u001B[${on}m${text}\u001B[${off}m` : text

/** Text styles. If color is off, every style returns its text unchanged. */
const styleOf = (color: boolean) => ({
  bold: wrap(color, 1, 22),
  dim: wrap(color, 2, 22),
  red: wrap(color, 31, 39),
  green: wrap(color, 32, 39),
  yellow: wrap(color, 33, 39),
  cyan: wrap(color, 36, 39)
})
export type Style = ReturnType<typeof styleOf>

/** The maximum depth of a value; anything deeper becomes `null`. Our own values are nested less than half as deeply. */
const maxDepth = 16

// Characters that are valid in JSON but are interpreted by terminals and editors: C1 controls, bidirectional controls,
// zero-width characters.
const invisible = /[\p{Cc}\p{Cf}\u2028\u2029]/gu

const escaped = (text: string) => {
  let units = ""
  for (let at = 0; at < text.length; at++) units += `\\u${text.charCodeAt(at).toString(16).padStart(4, "0")}`
  return units
}

/**
 * Encodes a value as JSON, with bigints as decimal strings. Because the value may contain data from the service, parts
 * that are nested too deeply become `null`, and invisible characters are escaped.
 */
export const toJson = (value: unknown, indent?: number) => {
  const depths = new WeakMap<object, number>()
  const replacer = function (this: object, _: string, inner: unknown) {
    if (typeof inner === "bigint") return String(inner)
    if (typeof inner !== "object" || inner === null) return inner
    const depth = (depths.get(this) ?? 0) + 1
    depths.set(inner, depth)
    return depth > maxDepth ? null : inner
  }
  // Line breaks come from the indentation; those inside strings are already escaped.
  return JSON.stringify(value, replacer, indent).replace(invisible, (found) =>
    found === "\n" ? found : escaped(found)
  )
}

/** Creates the output for the flags and the process. */
export const make = (flags: Pick<Flags, "json" | "jsonLines" | "plain"> & RepeatedFlags, host: Host) => {
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
  const isJson = mode === "json" || mode === "json-lines"
  const style = styleOf(mayColor && mode === "terminal")
  const json = (value: unknown) => put("stdout", `${toJson(value, mode === "json" ? 2 : undefined)}\n`)
  const repeat = repeatFlags(flags, host)
  const putLine = (stream: "stdout" | "stderr") => (text: string) =>
    put(stream, `${stripUnknownControls(repeat(text))}\n`)
  const notice = putLine("stderr")
  const unlessJson = (write: typeof notice): typeof notice => (isJson ? () => Effect.void : write)
  const line = unlessJson(putLine("stdout"))
  return {
    mode,
    /** Whether the mode is one of the JSON modes. */
    isJson,
    /** Whether the user can be prompted: standard input and standard error are terminals. */
    interactive: host.terminals.stdin && host.terminals.stderr,
    /** Whether prompts and progress may move the cursor. If not, they are written as lines. */
    redraws: !dumb && !flags.plain,
    /** The width of standard output in columns. Infinite if it is not a terminal. */
    width: host.terminals.stdout ? host.columns : Infinity,
    /** The styles for standard output. */
    style,
    /** The styles for standard error. */
    noticeStyle: styleOf(mayColor && host.terminals.stderr),
    /** Adds the flags of this run to the commands in a text. `line` and `notice` call it. */
    repeatFlags: repeat,
    /** Writes raw text to standard output, such as a redrawn frame. */
    write: (text: string) => put("stdout", text),
    /** Writes a line to standard output; does nothing in the JSON modes. */
    line,
    /** Writes a line to standard error, in every mode. */
    notice,
    /** Writes a line to standard error; does nothing in the JSON modes. */
    hint: unlessJson(notice),
    /** Writes a value as JSON to standard output, on one line in `json-lines`. Bigints become strings. */
    json,
    /** Writes a command's result: the value in the JSON modes, otherwise the formatted text. */
    result: (value: unknown, format: (style: Style) => string) => (isJson ? json(value) : line(format(style)))
  }
}

/** Writes to standard output and standard error, for a terminal, as plain lines, or as JSON. */
export type Output = ReturnType<typeof make>
export const Output = /* @__PURE__ */ Context.Service<Output>("@geoswap/cli/Output")

/** Writes a command's result: the value in the JSON modes, otherwise the formatted text. */
export const result = (value: unknown, format: (style: Style) => string) =>
  Effect.flatMap(Output, (output) => output.result(value, format))

/** Writes a line to standard error, in every mode. */
export const notice = (text: string) => Effect.flatMap(Output, (output) => output.notice(text))

/** Writes a line to standard error; does nothing in the JSON modes. */
export const hint = (text: string) => Effect.flatMap(Output, (output) => output.hint(text))
