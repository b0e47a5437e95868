/** Errors in the command line, and the messages for those that `effect/cli` finds. */
import type * as CliError from "effect/cli/CliError"
import * as Schema from "effect/Schema"

/** Flags that do not fit together. */
export class UsageError extends Schema.TaggedError<UsageError>()("UsageError", { message: Schema.String }) {}

/** A value long enough to be a key is not printed. */
const longestPrinted = 24

const got = (value: string): string => (value.length > longestPrinted ? "" : `, got "${value}"`)

const didYouMean = ([first]: ReadonlyArray<string>): string => (first === undefined ? "" : ` Did you mean ${first}?`)

/** The command without the name of the program: `keys create`. */
const commandName = (path: ReadonlyArray<string>): string => path.slice(1).join(" ")

const describe = (error: CliError.NonShowHelpErrors, path: ReadonlyArray<string>): string => {
  const command = commandName(path)
  switch (error._tag) {
    case "UnrecognizedOption":
      return `Unknown option ${error.option}${command === "" ? "" : ` for ${command}`}.${didYouMean(error.suggestions)}`
    case "MissingOption":
      return `${command} needs --${error.option}.`
    case "MissingArgument":
      return `${command} needs the argument <${error.argument}>.`
    case "UnexpectedArgument": {
      const [first = ""] = error.arguments
      return first.length > longestPrinted ? "Unexpected argument." : `Unexpected argument "${first}".`
    }
    case "InvalidValue": {
      if (error.kind === "flag" && error.value === "") return `--${error.option} needs a value.`
      const choices = error.expected.split(" | ").map((choice) => choice.replaceAll('"', ""))
      const expected = `expected ${choices.length > 1 ? "one of " : ""}${choices.join(", ")}`
      return error.kind === "argument"
        ? `Invalid <${error.option}>: ${expected}.`
        : `Invalid --${error.option}: ${expected}${got(error.value)}.`
    }
    case "UnknownSubcommand":
      return error.subcommand.length > longestPrinted
        ? `Unknown command${command === "" ? "" : ` after ${command}`}.`
        : `Unknown command "${[command, error.subcommand].join(" ").trim()}".${didYouMean(error.suggestions)}`
    default:
      return error.message
  }
}

/** Describes what is wrong with a command line, and where to find help. */
export const describeUsage = ({ commandPath, errors }: CliError.ShowHelp): string => {
  // Later errors are mostly consequences of the first.
  const [first] = errors
  const problem = first === undefined ? `${commandName(commandPath)} needs a command.` : describe(first, commandPath)
  return `${problem}\nTry ${commandPath.join(" ")} --help`
}
