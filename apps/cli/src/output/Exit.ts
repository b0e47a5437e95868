/** How the program ends: its exit codes, and every error as what happened, why, and what to do next. */
import { SwapError } from "@geoswap/core"
import * as CliError from "effect/cli/CliError"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { adviceOf } from "./describeSwapError.js"
import { codes } from "./exitCodes.js"
import { foreign } from "./text.js"
import type { Shape as OutputShape } from "./Output.js"

export { codes }

/** One of the exit codes. */
export type Code = (typeof codes)[keyof typeof codes]

/** Ends the program with a code; all was said already. */
export class Ended extends Schema.TaggedError<Ended>()("Ended", { code: Schema.Int }) {
  override get message(): string {
    return `The program ends with ${this.code}.`
  }
}

/** Ends the program with a code, and says no more. */
export const end = (code: Code): Effect.Effect<never, Ended> => Effect.fail(new Ended({ code }))

/** The command line makes no sense, in a way that only the command itself can tell. */
export class UsageError extends Schema.TaggedError<UsageError>()("UsageError", {
  message: Schema.String,
  next: Schema.String
}) {}

/** What a high slippage puts at risk, as `--json` shows it. */
const Risk = Schema.Struct({
  bps: Schema.Finite,
  high: Schema.Boolean,
  token: Schema.String,
  symbol: Schema.optionalKey(Schema.String),
  atRisk: Schema.optional(Schema.String),
  atRiskRaw: Schema.BigInt,
  minimum: Schema.optional(Schema.String),
  minimumRaw: Schema.BigInt
})

/** The person said no, or nobody was there to say yes. */
export class Declined extends Schema.TaggedError<Declined>()("Declined", {
  message: Schema.String,
  next: Schema.String,
  /** What was not agreed to, if it was the slippage. */
  slippage: Schema.optionalKey(Risk),
  /** The exit code (default: 3). */
  exitCode: Schema.optionalKey(Schema.Int)
}) {}

/** Something that a command could not do, in words of its own. */
export class Failure extends Schema.TaggedError<Failure>()("Failure", {
  message: Schema.String,
  next: Schema.String,
  /** The exit code; 1 where absent. */
  exitCode: Schema.optionalKey(Schema.Int)
}) {}

/** An error as it is told. */
export interface Explanation {
  readonly name: string
  /** The service's own code for it. */
  readonly code?: string | undefined
  readonly what: string
  readonly why?: string | undefined
  readonly next: string
  readonly requestId?: string | undefined
  readonly slippage?: typeof Risk.Type | undefined
  /** What can be done about it: `resume` is a swap that must not be started again. */
  readonly retry?: SwapError.Retry | undefined
  readonly flowId?: string | undefined
  readonly swapId?: string | undefined
  readonly exitCode: number
}

const exitCodeOf = (tag: string): Code => {
  switch (tag) {
    case "PolicyViolation":
    case "QuoteMoved":
    case "UnsafeOperation":
    case "Declined":
      return codes.refused
    case "OutcomeUnknown":
    case "WaitTimeout":
      return codes.unknown
    case "UsageError":
      return codes.usage
    default:
      return codes.error
  }
}

const sentence = (text: string): string => foreign(text, 400).replace(/([^.!?…:])$/, "$1.")

const ofSwapError = (error: SwapError.SwapError): Explanation => {
  const { next, what } = adviceOf(error)
  const rejected = error._tag === "SignerError" && error.reason === "rejected"
  return {
    name: error._tag,
    code: error.code,
    what,
    why: sentence(error.message),
    next,
    requestId: error.requestId,
    retry: error.retry,
    flowId: "flowId" in error ? error.flowId : undefined,
    swapId: "swapId" in error ? error.swapId : undefined,
    exitCode: rejected ? codes.refused : exitCodeOf(error._tag)
  }
}

/** Our own errors carry their advice: a tag, a message and what to do next. */
const isOurs = (error: unknown): error is Error & { readonly _tag: string; readonly next: string } =>
  error instanceof Error &&
  "_tag" in error &&
  typeof error._tag === "string" &&
  "next" in error &&
  typeof error.next === "string"

/** What is wrong with the command line, or `undefined` where only help was asked for. */
const ofCliError = (error: CliError.CliError): Explanation => {
  const errors = error._tag === "ShowHelp" ? error.errors : [error]
  const path = error._tag === "ShowHelp" ? error.commandPath : ["geoswap"]
  return {
    name: "UsageError",
    what: errors.length === 0 ? "No command was named." : errors.map(({ message }) => message).join("\n"),
    next: `Try ${path.join(" ")} --help`,
    exitCode: codes.usage
  }
}

/** Any error as it is told. */
export const explain = (error: unknown): Explanation => {
  if (CliError.isCliError(error)) return ofCliError(error)
  if (SwapError.isSwapError(error)) return ofSwapError(error)
  if (isOurs(error)) {
    const given = "exitCode" in error && typeof error.exitCode === "number" ? error.exitCode : undefined
    return {
      name: error._tag,
      what: error.message,
      next: error.next,
      ...(error instanceof Declined && error.slippage !== undefined && { slippage: error.slippage }),
      exitCode: given ?? exitCodeOf(error._tag)
    }
  }
  const words = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  return {
    name: "Defect",
    what: "Something went wrong that should not.",
    why: sentence(words),
    next: "Please report it, with the command that you ran.",
    exitCode: codes.error
  }
}

/** An explanation as `--json` prints it. */
export const toJson = ({ what, why, ...error }: Explanation): object => ({
  error: { ...error, message: why === undefined ? what : `${what} ${why}`, exitCode: undefined }
})

/** Tells an error: in JSON on standard output where that is the mode, otherwise in words on standard error. */
export const tell = (explanation: Explanation, output: OutputShape): Effect.Effect<void> => {
  if (output.mode === "json" || output.mode === "json-lines") return output.json(toJson(explanation))
  const { code, next, requestId, what, why } = explanation
  const { bold, dim, red } = output.remarkStyle
  const service = [code && `code ${foreign(code)}`, requestId && `request ${foreign(requestId)}`]
    .filter(Boolean)
    .join(", ")
  return output.remark(
    [
      `${bold(red("Error:"))} ${what}`,
      ...(why === undefined ? [] : [`  Why:  ${why}`]),
      ...(service === "" ? [] : [`        ${dim(`(${service})`)}`]),
      `  Next: ${next}`
    ].join("\n")
  )
}
