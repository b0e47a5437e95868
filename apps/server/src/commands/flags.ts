/** Flags shared by several commands, and constructors for flags with validated values. */
import * as Argument from "effect/cli/Argument"
import type * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as GlobalFlag from "effect/cli/GlobalFlag"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { parseTime } from "../output/time.js"
import { UsageError } from "./UsageError.js"

/** A flag that is false unless it is passed. It has no `--no-` form. */
export const booleanFlag = (name: string, description: string) =>
  Flag.Boolean(name).pipe(Flag.withoutNegation, Flag.withDefault(false), Flag.withDescription(description))

interface ValueFlag<A> {
  readonly metavar: string
  readonly description: string
  /** The value, before it is parsed, if the flag is omitted. A flag without a default is required. */
  readonly default?: string
  /** The text that follows "expected" in the error message. */
  readonly expected: string
  /** Parses the value. Returns `undefined` if the value is invalid. */
  readonly parse: (text: string) => A | undefined
}

/** A flag whose value is validated. */
export const requiredFlag = <A>(name: string, options: ValueFlag<A>) =>
  (options.default === undefined ? Flag.String(name) : Flag.withDefault(Flag.String(name), options.default)).pipe(
    Flag.filterMap(
      (text) => Option.fromUndefinedOr(options.parse(text)),
      () => options.expected
    ),
    Flag.withMetavar(options.metavar),
    Flag.withDescription(options.description)
  )

/** An optional flag whose value is validated. The result is `undefined` if the flag is omitted. */
export const valueFlag = <A>(name: string, options: ValueFlag<A>) =>
  requiredFlag(name, options).pipe(Flag.optional, Flag.map(Option.getOrUndefined))

/** Parses a value that must not be empty. Returns `undefined` for an empty value. */
export const nonEmpty = (text: string) => (text.trim() === "" ? undefined : text)

/** Returns a parser for values that match a pattern. */
export const matching = (pattern: RegExp) => (text: string) => (pattern.test(text) ? text : undefined)

/** A required argument whose value is validated. Invalid values are never printed, because they may be secrets. */
export const requiredArgument = <A>(name: string, { description, expected, parse }: Omit<ValueFlag<A>, "metavar">) =>
  Argument.String(name).pipe(
    Argument.filterMap(
      (text) => Option.fromUndefinedOr(parse(text)),
      () => expected
    ),
    Argument.withDescription(description)
  )

/** An optional argument whose value is validated. The result is `undefined` if the argument is omitted. */
export const optionalArgument = <A>(name: string, options: Omit<ValueFlag<A>, "metavar">) =>
  requiredArgument(name, options).pipe(Argument.optional, Argument.map(Option.getOrUndefined))

const timeFormats = "2026-11-01, 2026-11-01T10:00Z, or an age such as 30m, 24h or 7d"

const timeFlag = (name: string, description: string) =>
  valueFlag(name, {
    metavar: "time",
    description,
    expected: timeFormats,
    parse: (text) => parseTime(text, Date.now())
  })

/** The period covered by `swaps list` and `export`, in Unix milliseconds. */
export const period = {
  since: timeFlag("since", `Only swaps accepted at or after this time: ${timeFormats}`),
  until: timeFlag("until", "Only swaps accepted before this time")
}

/** Fails if the period is empty. */
export const validatePeriod = ({ since = -Infinity, until = Infinity }: Command.Command.Config.Infer<typeof period>) =>
  since < until ? Effect.void : Effect.fail(new UsageError({ message: "--since must be before --until." }))

/** The `--json` flag, which prints JSON instead of text. */
export const json = booleanFlag("json", "Print a single JSON value")

/** The `--config` flag, which names the configuration file. */
export const ConfigFile = GlobalFlag.Setting("config")({
  flag: valueFlag("config", {
    metavar: "file",
    description: "Configuration file (default: geoswap.json)",
    expected: "a file path",
    parse: nonEmpty
  })
})

export const LogLevel = GlobalFlag.Setting("log-level")({
  flag: Flag.Literals("log-level", ["debug", "info", "warn", "error"]).pipe(
    Flag.withMetavar("level"),
    Flag.withDescription("Log level (default: info)"),
    Flag.withDefault("info")
  )
})

export const LogFormat = GlobalFlag.Setting("log-format")({
  flag: Flag.Literals("log-format", ["json", "pretty"]).pipe(
    Flag.withMetavar("format"),
    Flag.withDescription("Format of the log on standard error (default: json)"),
    Flag.withDefault("json")
  )
})
