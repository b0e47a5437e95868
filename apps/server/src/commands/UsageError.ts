/** Command-line usage errors, and messages for those that `effect/cli` detects. */
import type * as CliError from "effect/cli/CliError"
import * as Schema from "effect/Schema"

/** The flags are valid individually but cannot be combined. */
export class UsageError extends Schema.TaggedError<UsageError>()("UsageError", { message: Schema.String }) {}

/** The maximum length of a value in a message. Longer values are not printed, because they may be keys. */
const longestPrinted = 24

const got = (value: string) => (value.length > longestPrinted ? "" : `, got "${value}"`)

const didYouMean = ([first]: ReadonlyArray<string>) => (first === undefined ? "" : ` Did you mean ${first}?`)

/** The command without the program name, for example `keys create`. */
const commandName = (path: ReadonlyArray<string>) => path.slice(1).join(" ")

const describe = (error: CliError.NonShowHelpErrors, path: ReadonlyArray<string>) => {
  const command = commandName(path)
  switch (error._tag) {
    case "UnrecognizedOption":
      return `Unknown option ${error.option}${command === "" ? "" : ` for ${command}`}.${didYouMean(error.suggestions)}`
    case "MissingOption":
      return `${command} requires --${error.option}.`
    case "MissingArgument":
      return `${command} requires the <${error.argument}> argument.`
    case "UnexpectedArgument": {
      const [first = ""] = error.arguments
      return first.length > longestPrinted ? "Unexpected argument." : `Unexpected argument "${first}".`
    }
    case "InvalidValue": {
      if (error.kind === "flag" && error.value === "") return `--${error.option} requires a value.`
      const choices = error.expected.split(" | ").map((choice) => choice.replaceAll('"', ""))
      const expected = `expected ${choices.length > 1 ? "one of " : ""}${choices.join(", ")}`
      return error.kind === "argument"
        ? `Invalid <${error.option}>: ${expected}.`
        : `Invalid --${error.option}: ${expected}${got(error.value)}.`
    }
    case "UnknownSubcommand":
      return error.subcommand.length > longestPrinted
        ? `Unknown ${command === "" ? "command" : `subcommand of ${command}`}.`
        : `Unknown command "${[command, error.subcommand].join(" ").trim()}".${didYouMean(error.suggestions)}`
    default:
      return error.message
  }
}

/** Describes a usage error and points to the relevant help. */
export const describeUsage = ({ commandPath, errors }: CliError.ShowHelp) => {
  // Later errors are usually consequences of the first one.
  const [first] = errors
  const problem =
    first === undefined ? `${commandName(commandPath)} requires a subcommand.` : describe(first, commandPath)
  return `${problem}\nTry ${commandPath.join(" ")} --help`
}
