/** What each command takes, and what is wrong with the values that it is given. */
import type { ParseArgsConfig } from "node:util"
import type { SwapRecord } from "@geoswap/service"
import { readTime } from "../terminal/time.js"

export const options = {
  config: { type: "string" },
  host: { type: "string" },
  port: { type: "string" },
  "admin-port": { type: "string" },
  web: { type: "boolean" },
  offline: { type: "boolean" },
  account: { type: "string" },
  label: { type: "string" },
  state: { type: "string" },
  open: { type: "boolean" },
  ended: { type: "boolean" },
  wallet: { type: "string" },
  since: { type: "string" },
  until: { type: "string" },
  limit: { type: "string" },
  raw: { type: "boolean" },
  transaction: { type: "string" },
  reason: { type: "string" },
  "min-gas": { type: "string" },
  format: { type: "string" },
  output: { type: "string" },
  yes: { type: "boolean" },
  json: { type: "boolean" },
  env: { type: "boolean" },
  "log-level": { type: "string" },
  "log-format": { type: "string" },
  help: { type: "boolean", short: "h" },
  version: { type: "boolean", short: "v" }
} as const satisfies ParseArgsConfig["options"]

type Option = keyof typeof options

/** The options of a line, as they are written. */
export type Values = {
  readonly [O in Option]?: ((typeof options)[O]["type"] extends "boolean" ? boolean : string) | undefined
}

/** What each command takes besides the log. */
export const commands = {
  serve: { options: ["config", "host", "port", "admin-port", "web"], argument: "none" },
  check: { options: ["config", "offline", "web", "json"], argument: "none" },
  "keys create": { options: ["config", "account", "label", "json"], argument: "none" },
  "keys list": { options: ["config", "json"], argument: "none" },
  "keys revoke": { options: ["config", "json"], argument: "the id of a key" },
  "keys seal": { options: ["json"], argument: "none" },
  "swaps list": {
    options: ["config", "state", "open", "ended", "account", "wallet", "since", "until", "limit", "json"],
    argument: "none"
  },
  "swaps show": {
    options: ["config", "raw", "json"],
    argument: "a swap: its id, its order id, or the hash of a transaction of it"
  },
  "swaps fail": {
    options: ["config", "json"],
    argument: "a swap: its id, its order id, or the hash of a transaction of it"
  },
  "swaps close": {
    options: ["config", "transaction", "reason", "json"],
    argument: "a swap: its id, its order id, or the hash of a transaction of it"
  },
  inventory: { options: ["config", "min-gas", "json"], argument: "none" },
  export: { options: ["config", "since", "until", "format", "output", "json"], argument: "none" },
  "rotate-seal-key add": { options: ["json"], argument: "none" },
  "rotate-seal-key promote": { options: ["json"], argument: "maybe" },
  "rotate-seal-key retire": { options: ["yes", "json"], argument: "none" },
  devnet: { options: ["env"], argument: "maybe" }
} as const satisfies Record<string, { readonly options: ReadonlyArray<Option>; readonly argument: string }>

export type Command = keyof typeof commands

/** Commands of two words, and what to ask where only the first is given. */
export const groups: Readonly<Record<string, string>> = {
  keys: "Which one: keys create, keys list, keys revoke <id> or keys seal?",
  swaps: "Which one: swaps list, swaps show <swap>, swaps fail <swap> or swaps close <swap>?",
  "rotate-seal-key": "Which stage: rotate-seal-key add, then promote, then retire?"
}

const logLevels = ["debug", "info", "warn", "error"] as const
const logFormats = ["json", "pretty"] as const
const exportFormats = ["jsonl", "csv"] as const

export interface Log {
  readonly level: (typeof logLevels)[number]
  readonly format: (typeof logFormats)[number]
}

type ExportFormat = (typeof exportFormats)[number]

// Written down here, as `--help` must not load the service; a state that is missing does not compile.
const states: Readonly<Record<SwapRecord.State, true>> = {
  accepted: true,
  origin_prepared: true,
  origin_sent: true,
  origin_final: true,
  delivery_prepared: true,
  delivery_sent: true,
  settled: true,
  failed: true,
  refund_prepared: true,
  refund_sent: true,
  refunded: true
}

const isState = (text: string): text is SwapRecord.State => Object.hasOwn(states, text)

const isOneOf = <A extends string>(list: ReadonlyArray<A>, text: string): text is A => list.some((one) => one === text)

const isPort = (text: string): boolean => /^\d{1,5}$/.test(text) && Number(text) <= 65_535

const isAddress = (text: string): boolean => /^(0x[0-9a-fA-F]{40}|[1-9A-HJ-NP-Za-km-z]{32,44})$/.test(text)

const isEvmHash = (text: string): boolean => /^0x[0-9a-fA-F]{64}$/.test(text)

const mostReason = 500

/** What is wrong with the options of `swaps close`. */
const closeProblem = ({ reason, transaction }: Values): string | undefined => {
  if (transaction === undefined) return "swaps close needs --transaction <hash>: the one with the vault's payment."
  if (!isEvmHash(transaction)) return "--transaction is not a hash of an EVM chain: 0x and 64 hexadecimal digits."
  if (reason?.trim() === "") return "--reason is empty; say how the rest was paid."
  return reason !== undefined && reason.length > mostReason
    ? `--reason is longer than ${mostReason} characters.`
    : undefined
}

const mostListed = 10_000

const times = "give 2026-11-01, 2026-11-01T10:00Z, or 30m, 24h or 7d for so long ago."

/** What is wrong with the options that choose swaps. */
const filterProblem = (values: Values, now: number): string | undefined => {
  const { account, ended, limit, open, since, state, until, wallet } = values
  if (state !== undefined && !isState(state)) return `--state is "${state}"; give ${Object.keys(states).join(", ")}.`
  if ([state, open, ended].filter((one) => one !== undefined).length > 1) {
    return "Give one of --state, --open and --ended."
  }
  if (account?.trim() === "") return "--account is empty; give a name that keys list shows."
  if (wallet !== undefined && !isAddress(wallet)) return `--wallet is "${wallet}"; give an address.`
  for (const [name, text] of Object.entries({ since, until })) {
    if (text !== undefined && readTime(text, now) === undefined) return `--${name} is "${text}"; ${times}`
  }
  const [from, to] = [since, until].map((text) => (text === undefined ? undefined : readTime(text, now)))
  if (from !== undefined && to !== undefined && from >= to) return "--since is not before --until: nothing is between."
  return limit !== undefined && !(/^[1-9]\d{0,4}$/.test(limit) && Number(limit) <= mostListed)
    ? `--limit is "${limit}"; give a number from 1 to ${mostListed}. For all swaps: geoswap-server export`
    : undefined
}

/** What is wrong with the values of options. */
export const problemOf = (command: Command, values: Values, now: number): string | undefined => {
  const { account, format, host, json, output, port } = values
  const { "admin-port": adminPort, "log-format": logFormat = "json", "log-level": level = "info" } = values
  if (!isOneOf(logLevels, level)) return `--log-level is "${level}"; give debug, info, warn or error.`
  if (!isOneOf(logFormats, logFormat)) return `--log-format is "${logFormat}"; give json or pretty.`
  for (const [name, text] of Object.entries({ port, "admin-port": adminPort })) {
    if (text !== undefined && !isPort(text)) return `--${name} is "${text}"; give a number from 0 to 65535.`
  }
  // Node would listen on every address.
  if (host?.trim() === "") return "--host is empty; give an address, 127.0.0.1 or 0.0.0.0 say."
  if (format !== undefined && !isOneOf(exportFormats, format)) return `--format is "${format}"; give jsonl or csv.`
  if (format === "csv" && json === true) return "--json and --format csv exclude each other."
  if (output?.trim() === "") return "--output is empty; give the path of a file."
  const gas = values["min-gas"]
  if (gas !== undefined && !/^\d{1,20}(\.\d{1,9})?$/.test(gas)) {
    return `--min-gas is "${gas}"; give an amount of whole native tokens with at most 9 decimals, 0.05 say.`
  }
  if (command === "keys create") return account === undefined ? "keys create needs --account <name>." : undefined
  if (command === "swaps close") return closeProblem(values)
  if (command === "swaps show" && values.raw === true && json !== true) return "--raw is for --json."
  return filterProblem(values, now)
}

/** The options, as far as they are given. */
export interface Flags {
  readonly config?: string | undefined
  readonly host?: string | undefined
  readonly port?: number | undefined
  readonly adminPort?: number | undefined
  readonly web?: boolean | undefined
  readonly offline?: boolean | undefined
  /** Empty where none is named. */
  readonly account: string
  readonly label?: string | undefined
  readonly state?: SwapRecord.State | undefined
  readonly open?: boolean | undefined
  readonly ended?: boolean | undefined
  readonly wallet?: string | undefined
  /** Milliseconds since 1970. */
  readonly since?: number | undefined
  readonly until?: number | undefined
  readonly limit: number
  readonly raw?: boolean | undefined
  /** Empty where none is named. */
  readonly transaction: string
  readonly reason?: string | undefined
  /** In whole native tokens. */
  readonly minGas: string
  readonly format: ExportFormat
  readonly output?: string | undefined
  readonly yes?: boolean | undefined
  readonly json?: boolean | undefined
  readonly env?: boolean | undefined
}

const numberOf = (text: string | undefined): number | undefined => (text === undefined ? undefined : Number(text))

/** The values of options with which nothing is wrong. */
export const flagsOf = (values: Values, now: number): { readonly flags: Flags; readonly log: Log } => {
  const { account = "", format = "jsonl", limit = "50", port, since, state, transaction = "", until, ...rest } = values
  const {
    "admin-port": adminPort,
    "log-format": logFormat,
    "log-level": level,
    "min-gas": minGas = "0",
    ...same
  } = rest
  return {
    flags: {
      ...same,
      account,
      minGas,
      transaction: transaction.toLowerCase(),
      port: numberOf(port),
      adminPort: numberOf(adminPort),
      limit: Number(limit),
      state: state !== undefined && isState(state) ? state : undefined,
      since: since === undefined ? undefined : readTime(since, now),
      until: until === undefined ? undefined : readTime(until, now),
      format: isOneOf(exportFormats, format) ? format : "jsonl"
    },
    log: {
      level: level !== undefined && isOneOf(logLevels, level) ? level : "info",
      format: logFormat !== undefined && isOneOf(logFormats, logFormat) ? logFormat : "json"
    }
  }
}
