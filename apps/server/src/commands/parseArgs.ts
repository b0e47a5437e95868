/** The command line: what is asked for, or what is wrong with it. Nothing is loaded for that. */
import { parseArgs } from "node:util"
import { type Command, commands, type Flags, flagsOf, groups, type Log, options, problemOf } from "./options.js"

export { help } from "./help.js"
export type { Flags, Log } from "./options.js"

export interface Line {
  readonly command: Command
  readonly flags: Flags
  /** What follows the command; empty where nothing does. */
  readonly argument: string
  readonly log: Log
}

const parse = (args: ReadonlyArray<string>) => {
  try {
    return parseArgs({ args: [...args], strict: true, allowPositionals: true, options })
  } catch (error) {
    const [words = ""] = (error instanceof Error ? error.message : String(error)).split(/\. |\n/)
    return { problem: `${words.replace(/\.$/, "")}.` }
  }
}

/** The id of a key, also where somebody gives the key itself: that is not said again. */
const keyIdOf = (text: string): string | undefined => /^(?:gsk_)?([a-z0-9]{12})(?:_[\w-]{43})?$/.exec(text)?.[1]

/** A swap's id, an order id or a hash of an EVM chain in small letters; a signature of Solana as it is. */
const swapOf = (text: string): string | undefined => {
  if (/^([0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|0x[0-9a-f]{64})$/i.test(text)) return text.toLowerCase()
  return /^[1-9A-HJ-NP-Za-km-z]{64,88}$/.test(text) ? text : undefined
}

const aSwap = {
  read: swapOf,
  problem:
    "That is not a swap: give its id as swaps list shows it, its order id, or the hash of one of its transactions."
}

/** What a command makes of its argument; what is none is never said again: it may be a secret. */
const readings: Partial<
  Record<Command, { readonly read: (text: string) => string | undefined; readonly problem: string }>
> = {
  "keys revoke": {
    read: keyIdOf,
    problem: "That is no id of a key: 12 small letters and digits, as keys list shows it."
  },
  "swaps show": aSwap,
  "swaps fail": aSwap,
  "swaps close": aSwap,
  "rotate-seal-key promote": {
    read: (text) => (/^[\w-]{0,16}$/.test(text) ? text : undefined),
    problem: "That is no name of a key: give what stands before the colon."
  }
}

/** What is wrong with what follows the command. */
const strayProblem = (command: Command, argument: string, more: ReadonlyArray<string>): string | undefined => {
  const takes = commands[command].argument
  const stray = takes === "none" ? [argument, ...more] : more
  if (stray[0]) {
    return command.startsWith("rotate-seal-key")
      ? `${command} does not take what follows it.`
      : `${command} does not take "${stray[0]}".`
  }
  return argument === "" && takes !== "none" && takes !== "maybe" ? `${command} needs ${takes}.` : undefined
}

/** Reads what follows the name of the program. */
export const readLine = (
  args: ReadonlyArray<string>,
  now: number = Date.now()
): Line | { readonly print: "help" | "version" } | { readonly problem: string } => {
  const parsed = parse(args)
  if ("problem" in parsed) return parsed
  const { positionals, values } = parsed
  if (values.help === true) return { print: "help" }
  if (values.version === true) return { print: "version" }

  const question = Object.hasOwn(groups, positionals[0] ?? "") ? groups[positionals[0] ?? ""] : undefined
  if (question !== undefined && positionals.length === 1) return { problem: question }
  const length = question === undefined ? 1 : 2
  const command = positionals.slice(0, length).join(" ") || "serve"
  const [argument = "", ...more] = positionals.slice(length)
  if (!Object.hasOwn(commands, command)) {
    // A key in place of a stage is not said again.
    return { problem: positionals[0] === "rotate-seal-key" ? (question ?? "") : `There is no command "${command}".` }
  }
  const known = command as Command

  const allowed: ReadonlyArray<string> = [...commands[known].options, "log-level", "log-format"]
  const foreign = Object.keys(values).find((option) => !allowed.includes(option))
  const problem =
    strayProblem(known, argument, more) ??
    (foreign === undefined ? problemOf(known, values, now) : `--${foreign} is not an option of ${command}.`)
  if (problem !== undefined) return { problem }
  const reading = readings[known]
  const read = reading === undefined ? argument : reading.read(argument)
  if (read === undefined) return { problem: reading?.problem ?? "" }
  return { command: known, argument: read, ...flagsOf(values, now) }
}
