/** `start`: runs the chains and the service until Ctrl-C, and prints their addresses. */
import { Description, Devnet } from "@geoswap/devnet"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as References from "effect/References"
import { Failure } from "../Failure.js"
import type { StartOptions } from "../parseArgs.js"
import * as Stack from "../Stack.js"
import { assertNotRunning } from "./assertNotRunning.js"
import { follow } from "./swapLog.js"
import { overview } from "./overview.js"

/**
 * Chain timings with which blocks become final within two seconds. As on a real chain, a Solana blockhash is valid for
 * a minute.
 */
const chainTimings: Devnet.Options = { blockTime: 500, slotTime: 400, finalitySlots: 4 }

/** Logs only the service's warnings. Swaps are logged separately. */
const warnings = Layer.merge(
  Logger.layer([Logger.map(Logger.formatLogFmt, (line) => void process.stderr.write(`${line}\n`))]),
  Layer.succeed(References.MinimumLogLevel, "Warn")
)

/** The options to suggest if a port is already in use, by the tag of the error. */
const portHints: Readonly<Record<string, string>> = {
  ListenFailed: "Use --port and --admin-port to choose the service's ports.",
  PortTaken: "Use --free-ports to run the chains on any free ports."
}

const hinted = (error: { readonly _tag: string; readonly message: string }): Failure => {
  const hint = portHints[error._tag]
  return new Failure({ message: hint === undefined ? error.message : `${error.message} ${hint}` })
}

const serve = Effect.fnUntraced(function* (
  devnet: Devnet.Devnet,
  { adminPort, file, json, port }: StartOptions,
  began: number
) {
  const stack = yield* Stack.make(devnet, { port, adminPort, web: true })
  // Written last, so that everything is running once the file exists.
  yield* Description.write(file, stack.description)
  const seconds = ((performance.now() - began) / 1000).toFixed(1)
  const text = `${overview(stack.description, { adminPort, file })} (Ready in ${seconds} s.)\n\nSwaps:`
  process.stdout.write(`${json ? JSON.stringify(stack.description) : text}\n`)
  return yield* follow(stack, (line) => void (json ? process.stderr : process.stdout).write(`${line}\n`))
})

const running = Effect.fnUntraced(function* (options: StartOptions) {
  const began = performance.now()
  if (!options.json) process.stdout.write("Starting two EVM chains, a Solana chain, the service and its page …\n\n")
  const devnet = yield* Devnet.make({ ...chainTimings, ports: options.freePorts ? "free" : "default" })
  // If a chain dies, this command fails, because the service cannot complete swaps without all of its chains.
  return yield* Effect.raceFirst(serve(devnet, options, began), devnet.died)
})

/** Runs the chains and the service until the program is interrupted. */
export const start = Effect.fn("start")(function* (options: StartOptions): Effect.fn.Return<never, Failure> {
  yield* assertNotRunning(options.file)
  return yield* Effect.scoped(running(options)).pipe(Effect.provide(warnings), Effect.mapError(hinted))
})
