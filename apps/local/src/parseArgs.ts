/** The command line: what can be asked for, and in which words. */
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

/** What was asked for. */
export type Command =
  | { readonly name: "demo"; readonly options: DemoOptions }
  | { readonly name: "start"; readonly options: StartOptions }
  | { readonly name: "help"; readonly text: string }
  | { readonly name: "invalid"; readonly problem: string }

const warning = "The keys are in the source code: never send anything of value to these wallets on a real chain."

const demoHelp = `Starts two EVM chains, a Solana chain and the service on this machine, makes five swaps through the SDK, shows
what became of them on the chains, and takes everything down. No keys, no internet.

Usage: npm run demo [-- options]

  --full   show transaction hashes in full
  --json   print one object, { swaps: [...] }, and nothing else, on standard output: npm run --silent demo -- --json
  --help   print this

It ends with 0 where every swap ended as it should and every balance on the chains says the same, with 1 where not.
`

const startHelp = `Runs two EVM chains, a Solana chain and the service with its page on this machine until Ctrl-C, and says where everything
is.

Usage: npm start [-- options]

  --port <port>        of the service and its page (8787); 0 for any free one
  --admin-port <port>  of the service's metrics; without it there are none
  --free-ports         any free ports for the chains instead of 8545, 8546, 8899 and 8900
  --file <path>        where to write what runs where (.geoswap/devnet.json); removed at the end
  --json               print what the file holds, as one line of JSON, once everything runs; the log goes to standard error
  --help               print this

${warning}
`

const usage = `Usage: npm run demo, or npm start. Each explains itself: npm run demo -- --help, npm start -- --help\n`

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
  if (!isPort(port)) return invalid(`--port is "${port}"; give a whole number from 0 to 65535.`)
  // Nobody could tell where metrics are that are on any free port.
  if (adminPort !== undefined && (!isPort(adminPort) || Number(adminPort) === 0)) {
    return invalid(`--admin-port is "${adminPort}"; give a whole number from 1 to 65535.`)
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

/** Reads the arguments of the program. */
export const parseArgs = ([command, ...args]: ReadonlyArray<string>): Command => {
  try {
    if (command === "demo") return parseDemo(args)
    if (command === "start") return parseStart(args)
    return command === "--help" || command === "-h" ? { name: "help", text: usage } : invalid(usage.trim())
  } catch (error) {
    return invalid(error instanceof Error ? error.message : String(error))
  }
}
