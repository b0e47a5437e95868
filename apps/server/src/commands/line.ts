/** The command line: what is asked for, or what is wrong with it. Nothing is loaded for that. */
import { parseArgs } from "node:util"

export const help = `Runs the GeoSwap service: quotes, sealed operations, execution on EVM chains and Solana.

Usage: geoswap-server [<command>] [options]

  serve                    run the service (the command where none is named)
  check                    check configuration, secrets and chains without starting
  keys create              make an API key: --account <name> [--label <words>]
  keys list                list the API keys
  keys revoke <id>         revoke an API key
  keys seal                print a new key that seals tokens, for GEOSWAP_SEAL_KEYS
  devnet [<file>]          print a configuration for the devnet of .geoswap/devnet.json or <file>
  devnet --env [<file>]    print its secrets for a shell: eval "$(geoswap-server devnet --env)"

Options:
  --config <file>          the configuration (geoswap.json)
  --host <address>         serve: listen there instead of where the configuration says
  --port <port>            serve: the same for the port; 0 for any that is free
  --offline                check: do not ask the chains
  --json                   keys: print JSON
  --log-level <level>      debug, info, warn or error (info)
  --log-format <format>    json, or pretty for people (json); the log is on standard error
  -h, --help               print this
  -v, --version            print the version

Secrets come from the environment: GEOSWAP_SEAL_KEYS, and the keys that the configuration names
(GEOSWAP_EVM_RELAYER_KEY, GEOSWAP_SOLANA_RELAYER_KEY, GEOSWAP_SOLANA_VAULT_KEY). NAME_FILE names a file that holds NAME.

Exit codes: 0 ended as asked, 1 something is wrong and said so, 64 the command line makes no sense,
130 and 143 a second SIGINT or SIGTERM ended it at once.
`

const options = {
  config: { type: "string" },
  host: { type: "string" },
  port: { type: "string" },
  offline: { type: "boolean" },
  account: { type: "string" },
  label: { type: "string" },
  json: { type: "boolean" },
  env: { type: "boolean" },
  "log-level": { type: "string" },
  "log-format": { type: "string" },
  help: { type: "boolean", short: "h" },
  version: { type: "boolean", short: "v" }
} as const

type Option = keyof typeof options

/** What each command takes besides the log. */
const commands = {
  serve: { options: ["config", "host", "port"], argument: "none" },
  check: { options: ["config", "offline"], argument: "none" },
  "keys create": { options: ["config", "account", "label", "json"], argument: "none" },
  "keys list": { options: ["config", "json"], argument: "none" },
  "keys revoke": { options: ["config", "json"], argument: "the id of a key" },
  "keys seal": { options: ["json"], argument: "none" },
  devnet: { options: ["env"], argument: "maybe" }
} as const satisfies Record<string, { readonly options: ReadonlyArray<Option>; readonly argument: string }>

type Command = keyof typeof commands

const logLevels = ["debug", "info", "warn", "error"] as const
const logFormats = ["json", "pretty"] as const

export interface Log {
  readonly level: (typeof logLevels)[number]
  readonly format: (typeof logFormats)[number]
}

/** The options, as far as they are given. */
export interface Flags {
  readonly config?: string | undefined
  readonly host?: string | undefined
  readonly port?: number | undefined
  readonly offline?: boolean | undefined
  readonly account: string
  readonly label?: string | undefined
  readonly json?: boolean | undefined
  readonly env?: boolean | undefined
}

export interface Line {
  readonly command: Command
  readonly flags: Flags
  /** What follows the command; empty where nothing does. */
  readonly argument: string
  readonly log: Log
}

const isOneOf = <A extends string>(list: ReadonlyArray<A>, text: string): text is A => list.some((one) => one === text)

const parse = (args: ReadonlyArray<string>) => {
  try {
    return parseArgs({ args: [...args], strict: true, allowPositionals: true, options })
  } catch (error) {
    const [words = ""] = (error instanceof Error ? error.message : String(error)).split(/\. |\n/)
    return { problem: `${words.replace(/\.$/, "")}.` }
  }
}

type Values = Exclude<ReturnType<typeof parse>, { readonly problem: string }>["values"]

/** What is wrong with the values of options. */
const problemOf = (command: Command, { account, host, port, ...values }: Values): string | undefined => {
  const { "log-format": format = "json", "log-level": level = "info" } = values
  if (!isOneOf(logLevels, level)) return `--log-level is "${level}"; give debug, info, warn or error.`
  if (!isOneOf(logFormats, format)) return `--log-format is "${format}"; give json or pretty.`
  if (port !== undefined && !(/^\d{1,5}$/.test(port) && Number(port) <= 65_535)) {
    return `--port is "${port}"; give a number from 0 to 65535.`
  }
  // Node would listen on every address.
  if (host?.trim() === "") return "--host is empty; give an address, 127.0.0.1 or 0.0.0.0 say."
  return command === "keys create" && account === undefined ? "keys create needs --account <name>." : undefined
}

/** The id of a key, also where somebody gives the key itself: that is not said again. */
const keyIdOf = (text: string): string | undefined => /^(?:gsk_)?([a-z0-9]{12})(?:_[\w-]{43})?$/.exec(text)?.[1]

/** Reads what follows the name of the program. */
export const readLine = (
  args: ReadonlyArray<string>
): Line | { readonly print: "help" | "version" } | { readonly problem: string } => {
  const parsed = parse(args)
  if ("problem" in parsed) return parsed
  const { positionals, values } = parsed
  if (values.help === true) return { print: "help" }
  if (values.version === true) return { print: "version" }

  const length = positionals[0] === "keys" ? 2 : 1
  const command = positionals.slice(0, length).join(" ") || "serve"
  const [argument = "", ...more] = positionals.slice(length)
  if (command === "keys") return { problem: "Which one: keys create, keys list, keys revoke <id> or keys seal?" }
  if (!Object.hasOwn(commands, command)) return { problem: `There is no command "${command}".` }
  const known = command as Command

  const takes = commands[known]
  const stray = takes.argument === "none" ? [argument, ...more] : more
  if (stray[0]) return { problem: `${command} does not take "${stray[0]}".` }
  if (argument === "" && takes.argument !== "none" && takes.argument !== "maybe") {
    return { problem: `${command} needs ${takes.argument}.` }
  }
  const allowed: ReadonlyArray<string> = [...takes.options, "log-level", "log-format"]
  const foreign = Object.keys(values).find((option) => !allowed.includes(option))
  if (foreign !== undefined) return { problem: `--${foreign} is not an option of ${command}.` }
  const problem = problemOf(known, values)
  if (problem !== undefined) return { problem }
  const id = known === "keys revoke" ? keyIdOf(argument) : argument
  if (id === undefined)
    return { problem: "That is no id of a key: 12 small letters and digits, as keys list shows it." }

  const { "log-format": format = "json", "log-level": level = "info", account = "", port, ...flags } = values
  return {
    command: known,
    argument: id,
    flags: { ...flags, account, port: port === undefined ? undefined : Number(port) },
    log: { level, format } as Log
  }
}
