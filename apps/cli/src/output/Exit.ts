/** Exit codes, and the explanation of every error: what happened, why, and what to do next. */
import { SwapError } from "@geoswap/core"
import * as CliError from "effect/cli/CliError"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { describeSwapError } from "./describeSwapError.js"
import { codes } from "./exitCodes.js"
import { sanitize } from "./sanitize.js"
import type { Output } from "./Output.js"

export { codes }

/** What a user needs to know of an error of this program: what happened, and what to do next. */
export const explained = { message: Schema.String, next: Schema.String }
export type Explained = Schema.Struct<typeof explained>["Type"]

/** One of the exit codes. */
export type Code = (typeof codes)[keyof typeof codes]

/** Ends the program with an exit code. All output has already been printed. */
export class Ended extends Schema.TaggedError<Ended>()("Ended", { code: Schema.Int }) {
  override get message(): string {
    return `The program ended with exit code ${this.code}.`
  }
}

/** Ends the program with an exit code, without printing anything else. */
export const end = (code: Code) => Effect.fail(new Ended({ code }))

/** The command line is invalid in a way that only the command itself can detect. */
export class UsageError extends Schema.TaggedError<UsageError>()("UsageError", explained) {}

/** Creates the error for an invalid command line. */
export const usage = (message: string, next: string) => new UsageError({ message, next })

/** The user cancelled, or no interactive terminal was available. */
export class Declined extends Schema.TaggedError<Declined>()("Declined", {
  ...explained,
  /** The slippage that the user did not accept, if that is why the swap was declined. */
  slippage: Schema.optionalKey(Schema.Unknown),
  /** The exit code (default: 3). */
  exitCode: Schema.optionalKey(Schema.Int)
}) {}

/** A command failed with an error message that the command itself provides. */
export class Failure extends Schema.TaggedError<Failure>()("Failure", {
  ...explained,
  /** The exit code (default: 1). */
  exitCode: Schema.optionalKey(Schema.Int)
}) {}

/** Creates a `Declined` error. */
export const declined = (message: string, next: string) => new Declined({ message, next })

/** Creates a `Failure`. */
export const failure = (message: string, next: string) => new Failure({ message, next })

/** A swap in the store is unfinished, which prevents the command. The error names the flow to resume. */
export class UnfinishedSwap extends Schema.TaggedError<UnfinishedSwap>()("UnfinishedSwap", {
  ...explained,
  flowId: Schema.String,
  swapId: Schema.optionalKey(Schema.String)
}) {}

/** The explanation of an error. */
export interface Explanation {
  readonly name: string
  /** The service's own code for the error. */
  readonly code?: string | undefined
  readonly what: string
  readonly why?: string | undefined
  readonly next: string
  readonly requestId?: string | undefined
  /** Further fields that only `--json` prints. */
  readonly details?: object
  readonly exitCode: number
}

const refusals = new Set([
  "PolicyViolation",
  "QuoteMoved",
  "UnsafeOperation",
  "Declined",
  "NoPolicy",
  "PolicyConflict",
  "PolicyTampered",
  "ApprovalRefused"
])

const exitCodeOf = (tag: string) => {
  if (refusals.has(tag)) return codes.refused
  if (tag === "OutcomeUnknown" || tag === "WaitTimeout") return codes.unknown
  return tag === "UsageError" ? codes.usage : codes.error
}

const sentence = (text: string) => sanitize(text, 400).replace(/([^.!?…:])$/, "$1.")

/** The fields that only some errors have. */
interface Details extends Partial<
  Record<"approvalId" | "flowId" | "has" | "maximum" | "minimum" | "needs" | "swapId", unknown>
> {
  readonly requestId?: string
}

const explainSwapError = (error: SwapError.SwapError): Explanation => {
  const { next, what } = describeSwapError(error)
  const rejected = error._tag === "SignerError" && error.reason === "rejected"
  const { approvalId, flowId, has, maximum, minimum, needs, requestId, swapId }: Details = error
  return {
    name: error._tag,
    // A policy has no codes of the service.
    code: error._tag === "PolicyViolation" ? undefined : error.code,
    what,
    // The service's own message is about the protocol, and says nothing more.
    why: error.code === "SWAP_NOT_FOUND" ? undefined : sentence(error.message),
    next,
    requestId,
    // The amounts are in the smallest unit of the input token. If `retry` is `resume`, the swap must not be started again.
    details: {
      retry: error.retry,
      flowId,
      swapId,
      approvalId,
      hasRaw: has,
      needsRaw: needs,
      minimumRaw: minimum,
      maximumRaw: maximum
    },
    exitCode: rejected ? codes.refused : exitCodeOf(error._tag)
  }
}

/** This program's own errors have a tag, a message and a next step. None of them quotes the service. */
export const isOurs = (error: unknown): error is Error & { readonly _tag: string; readonly next: string } =>
  error instanceof Error &&
  "_tag" in error &&
  typeof error._tag === "string" &&
  "next" in error &&
  typeof error.next === "string"

/** Explains an invalid command line. */
const explainCliError = (error: CliError.CliError): Explanation => {
  const errors = error._tag === "ShowHelp" ? error.errors : [error]
  const path = error._tag === "ShowHelp" ? error.commandPath : ["geoswap"]
  const messageOf = (one: CliError.CliError) => {
    if (one._tag !== "UnrecognizedOption") return one.message
    const question = one.suggestions.length === 0 ? "" : ` Did you mean ${one.suggestions.join(" or ")}?`
    const command = path.slice(1).join(" ")
    return `Unknown flag ${sanitize(one.option)}${command === "" ? "" : ` for ${command}`}.${question}`
  }
  return {
    name: "UsageError",
    what: errors.length === 0 ? "No command was given." : [...new Set(errors.map(messageOf))].join("\n"),
    next: `Run ${path.join(" ")} --help`,
    exitCode: codes.usage
  }
}

/** Explains any error. */
export const explain = (error: unknown): Explanation => {
  if (CliError.isCliError(error)) return explainCliError(error)
  if (SwapError.isSwapError(error)) return explainSwapError(error)
  if (isOurs(error)) {
    const exitCode = "exitCode" in error && typeof error.exitCode === "number" ? error.exitCode : undefined
    return {
      name: error._tag,
      what: error.message,
      next: error.next,
      ...(error instanceof Declined && { details: { slippage: error.slippage } }),
      ...(error instanceof UnfinishedSwap && {
        details: { retry: "resume", flowId: error.flowId, swapId: error.swapId }
      }),
      exitCode: exitCode ?? exitCodeOf(error._tag)
    }
  }
  const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  return {
    name: "Defect",
    what: "An unexpected error occurred.",
    why: sentence(message),
    next: "Report this error, including the command that you ran.",
    exitCode: codes.error
  }
}

/** Returns an explanation in the form that `--json` prints. */
export const toJson = ({ details, next, what, why, ...error }: Explanation, { repeatFlags }: Output) => ({
  error: {
    ...error,
    ...details,
    message: why === undefined ? what : `${what} ${why}`,
    next: repeatFlags(next),
    exitCode: undefined
  }
})

/** Prints an error: as JSON on standard output in the JSON modes, otherwise as text on standard error. */
export const print = (explanation: Explanation, output: Output) => {
  if (output.isJson) return output.json(toJson(explanation, output))
  const { code, next, requestId, what, why } = explanation
  const { bold, dim, red } = output.noticeStyle
  const service = [code && `code ${sanitize(code)}`, requestId && `request ${sanitize(requestId)}`]
    .filter(Boolean)
    .join(", ")
  return output.notice(
    [
      `${bold(red("Error:"))} ${what}`,
      ...(why === undefined ? [] : [`  Why:  ${why}`]),
      ...(service === "" ? [] : [`        ${dim(`(${service})`)}`]),
      `  Next: ${next}`
    ].join("\n")
  )
}
