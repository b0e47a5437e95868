/** Parses the command line. */
import { parseArgs as nodeParseArgs } from "node:util"

export interface DemoOptions {
  readonly full: boolean
  readonly json: boolean
}

export interface StartOptions {
  readonly port: number
  readonly adminPort: number | undefined
  readonly freePorts: boolean
  readonly file: string
  readonly json: boolean
}

/** The parsed command line. */
export type Command =
  | { readonly name: "demo"; readonly options: DemoOptions }
  | { readonly name: "start"; readonly options: StartOptions }
  | { readonly name: "help"; readonly text: string }
  | { readonly name: "invalid"; readonly problem: string }

const warning = "The keys are in the source code: never send anything of value to these wallets on a real chain."

const demoHelp = `Starts two EVM chains, a Solana chain and the service on this machine, makes five swaps through the SDK, shows
the resulting transactions and balances, and stops everything. Requires no keys or internet access.

Usage: npm run demo [-- options]

  --full   show transaction hashes in full
  --json   print only a single object, { swaps: [...] }, to standard output: npm run --silent demo -- --json
  --help   print this help

Exits with 0 if every swap finished as expected and the balances on the chains match, otherwise with 1.
`

const startHelp = `Runs two EVM chains, a Solana chain and the service with its page on this machine until you press Ctrl-C, and prints
their addresses.

Usage: npm start [-- options]

  --port <port>        port for the service and its page (default: 8787); 0 means any free port
  --admin-port <port>  port for the service's metrics (default: no metrics)
  --free-ports         use any free ports for the chains instead of 8545, 8546, 8899 and 8900
  --file <path>        file for the addresses and keys (default: .geoswap/devnet.json); removed on exit
  --json               when ready, print the contents of that file as one line of JSON; log to standard error
  --help               print this help

${warning}
`

const usage = `Usage: npm run demo, or npm start. For help: npm run demo -- --help, or npm start -- --help\n`

const invalid = (problem: string): Command => ({ name: "invalid", problem: `${problem}\nSee --help.` })

const isPort = (text: string): boolean => /^\d{1,5}$/.test(text) && Number(text) <= 65_535

const flag = { type: "boolean", default: false } as const
const help = { type: "boolean", short: "h" } as const

const parseDemo = (args: ReadonlyArray<string>): Command => {
  const { values } = nodeParseArgs({ args: [...args], options: { full: flag, json: flag, help } })
  return values.help === true
    ? { name: "help", text: demoHelp }
    : { name: "demo", options: { full: values.full, json: values.json } }
}

const parseStart = (args: ReadonlyArray<string>): Command => {
  const { values } = nodeParseArgs({
    args: [...args],
    options: {
      port: { type: "string", default: "8787" },
      "admin-port": { type: "string" },
      "free-ports": flag,
      file: { type: "string", default: ".geoswap/devnet.json" },
      json: flag,
      help
    }
  })
  if (values.help === true) return { name: "help", text: startHelp }
  const { "admin-port": adminPort, file, json, port } = values
  if (!isPort(port)) return invalid(`--port is invalid: expected a whole number from 0 to 65535, got "${port}".`)
  // 0 is rejected, because the user would not know which free port serves the metrics.
  if (adminPort !== undefined && (!isPort(adminPort) || Number(adminPort) === 0)) {
    return invalid(`--admin-port is invalid: expected a whole number from 1 to 65535, got "${adminPort}".`)
  }
  return {
    name: "start",
    options: {
      port: Number(port),
      adminPort: adminPort === undefined ? undefined : Number(adminPort),
      freePorts: values["free-ports"],
      file,
      json
    }
  }
}

/** Parses the program's arguments. */
export const parseArgs = ([command, ...args]: ReadonlyArray<string>): Command => {
  try {
    if (command === "demo") return parseDemo(args)
    if (command === "start") return parseStart(args)
    return command === "--help" || command === "-h" ? { name: "help", text: usage } : invalid(usage.trim())
  } catch (error) {
    return invalid(error instanceof Error ? error.message : String(error))
  }
}
