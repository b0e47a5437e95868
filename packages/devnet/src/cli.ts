#!/usr/bin/env node
/** The command line: starts a devnet, prints its addresses, and stops on Ctrl-C. */
import { enableCompileCache } from "node:module"
import { parseArgs } from "node:util"
import type { Description } from "./Description.js"
import { finalityTags, profileNames } from "./internal/evm/profiles.js"

const help = `Runs two EVM chains and one SVM on this machine, with contracts, tokens and funded wallets, until you press Ctrl-C.

Usage: geoswap-devnet [options]

  --port-evm-a <port>      port for the first EVM chain (default: 8545)
  --port-evm-b <port>      port for the second EVM chain (default: 8546)
  --port-solana <port>     port for the SVM's JSON-RPC server (default: 8899)
  --port-solana-ws <port>  port for the SVM's websocket server (default: 8900)
  --free-ports             use any free ports, except for the ports set above
  --profile <name>         public chain that both EVM chains imitate: base, arbitrum, ethereum or polygon
  --profile-evm-a <name>   public chain that the first EVM chain imitates
  --profile-evm-b <name>   public chain that the second EVM chain imitates
  --speed <n>              how many times faster than on the public chain its blocks are (default: 1)
  --tags <how>             blocks that "safe" and "finalized" return: lagging, latest or missing (default: lagging)
  --block-time <ms>        time between empty EVM blocks (default: 1000, or the profile's); 0 means no empty blocks
  --idle-block-time <ms>   time between empty EVM blocks after 12 of them in a row (default: same as --block-time)
  --slot-time <ms>         time between SVM slots (default: 400)
  --finality-slots <n>     number of slots until an SVM transaction is final (default: 32)
  --evm <edr|anvil>        EVM that runs the chains (default: edr)
  --anvil <path>           path to anvil; implies --evm anvil (default: from its npm package, otherwise from the PATH)
  --file <path>            file for the addresses and keys (default: .geoswap/devnet.json); removed on exit
  --json                   when ready, print the contents of that file as one line of JSON
  --help                   print this help

The keys are in the source code: never send anything of value to these wallets on a real chain.
`

// Ignore write errors, because standard output may be a pipe whose reading end is already closed.
process.stdout.on("error", () => undefined)

const say = (text: string) => void process.stdout.write(`${text}\n`)

const fail = (message: string, code: number): never => {
  process.stderr.write(`${message}\n`)
  process.exit(code)
}

const causeMessage = (error: unknown): string => (error instanceof Error ? error.message : String(error))

const read = () => {
  try {
    return parseArgs({
      strict: true,
      allowPositionals: false,
      options: {
        "port-evm-a": { type: "string" },
        "port-evm-b": { type: "string" },
        "port-solana": { type: "string" },
        "port-solana-ws": { type: "string" },
        "free-ports": { type: "boolean" },
        profile: { type: "string" },
        "profile-evm-a": { type: "string" },
        "profile-evm-b": { type: "string" },
        speed: { type: "string" },
        tags: { type: "string" },
        "block-time": { type: "string" },
        "idle-block-time": { type: "string" },
        "slot-time": { type: "string" },
        "finality-slots": { type: "string" },
        evm: { type: "string" },
        anvil: { type: "string" },
        file: { type: "string", default: ".geoswap/devnet.json" },
        json: { type: "boolean" },
        help: { type: "boolean", short: "h" }
      }
    }).values
  } catch (error) {
    return fail(`${causeMessage(error)}\nSee --help.`, 2)
  }
}

type Values = ReturnType<typeof read>

const number = (values: Values, name: keyof Values): number | undefined => {
  const value = values[name]
  if (value === undefined) return undefined
  return typeof value === "string" && /^\d+$/.test(value)
    ? Number(value)
    : fail(`--${name} is invalid: expected a whole number, got "${value}". See --help.`, 2)
}

const oneOf = <A extends string>(values: Values, name: keyof Values, allowed: ReadonlyArray<A>): A | undefined => {
  const value = values[name]
  const found = allowed.find((one) => one === value)
  return value === undefined || found !== undefined
    ? found
    : fail(`--${name} is invalid: expected ${allowed.join(", ")}, got "${value}". See --help.`, 2)
}

const portsOf = (values: Values) => {
  const fallback = values["free-ports"] === true ? 0 : undefined
  const named = {
    evmA: number(values, "port-evm-a") ?? fallback,
    evmB: number(values, "port-evm-b") ?? fallback,
    solana: number(values, "port-solana") ?? fallback,
    solanaWs: number(values, "port-solana-ws") ?? fallback
  }
  return Object.fromEntries(Object.entries(named).filter(([, port]) => port !== undefined))
}

const overview = ({ chains, operators = [], wallets }: Description, file: string): string => {
  const key = ({ address, name, privateKey }: Description["wallets"][number]) =>
    `  ${name.padEnd(15)} ${address.padEnd(45)} ${privateKey}`
  const ofChain = ({ contracts, id, family, name, rpcUrl, tokens, wsUrl }: Description["chains"][number]) =>
    [
      `${name} (${family}, id ${id})`,
      `  rpc             ${rpcUrl}`,
      ...(wsUrl === undefined ? [] : [`  websocket       ${wsUrl}`]),
      ...Object.entries(contracts).map(([contract, address]) => `  ${contract.padEnd(15)} ${address}`),
      ...tokens.map(({ address, decimals, symbol }) => `  ${symbol.padEnd(15)} ${address} (${decimals} decimals)`)
    ].join("\n")
  return [
    ...chains.map(ofChain),
    ["Wallets (with every token on every chain of their family, but no gas)", ...wallets.map(key)].join("\n"),
    ["The service's keys", ...operators.map(key)].join("\n"),
    `These addresses and keys are in ${file}. Press Ctrl-C to stop.`
  ].join("\n\n")
}

const values = read()
if (values.help === true) {
  process.stdout.write(help)
  process.exit(0)
}

const ports = portsOf(values)
const profile = oneOf(values, "profile", profileNames)
const options = {
  ports,
  profile: {
    evmA: oneOf(values, "profile-evm-a", profileNames) ?? profile,
    evmB: oneOf(values, "profile-evm-b", profileNames) ?? profile
  },
  speed: number(values, "speed"),
  tags: oneOf(values, "tags", finalityTags),
  evm: values.evm as "edr" | "anvil" | undefined,
  anvil: values.anvil,
  blockTime: number(values, "block-time"),
  idleBlockTime: number(values, "idle-block-time"),
  slotTime: number(values, "slot-time"),
  finalitySlots: number(values, "finality-slots"),
  file: values.file
}
const began = performance.now()
// The devnet is loaded only now, so that help and usage errors appear immediately. The compile cache speeds up later
// starts.
enableCompileCache()
const { startDevnet } = await import("./promise.js")

// The signal handlers are registered before the devnet starts, so that Ctrl-C also aborts a startup in progress.
const abort = new AbortController()
const ended = new Promise<void>((resolve) => {
  const end = () => {
    abort.abort()
    resolve()
  }
  // A single Ctrl-C may arrive several times: from the terminal, and from npm and the launcher, which forward it. A
  // second one later ends the process immediately.
  let firstAt: number | undefined
  const onSignal = () => {
    firstAt ??= performance.now()
    if (performance.now() - firstAt > 1_000) process.exit(130)
    end()
  }
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, onSignal)
})
let death: string | undefined
try {
  // `onDeath` does nothing, because the code below reports a chain's death.
  const devnet = await startDevnet({ ...options, onDeath: () => undefined, signal: abort.signal })
  const seconds = ((performance.now() - began) / 1000).toFixed(1)
  const { description } = devnet
  say(
    values.json === true
      ? JSON.stringify(description)
      : `${overview(description, values.file)} (Ready in ${seconds} s.)`
  )
  const died = devnet.died().catch((error: unknown) => void (death = causeMessage(error)))
  await Promise.race([ended, died])
  await devnet.stop()
} catch (error) {
  if (!abort.signal.aborted) fail(`The devnet could not start: ${causeMessage(error)}`, 1)
}
if (death !== undefined) fail(`${death}\nThe devnet has stopped. Start it again.`, 1)
process.exit(0)
