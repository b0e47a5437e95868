/** `demo`: starts everything, makes five swaps, shows their results, and stops everything. */
import { Devnet } from "@geoswap/devnet"
import * as Effect from "effect/Effect"
import * as References from "effect/References"
import type { Hex } from "viem"
import { Failure } from "../Failure.js"
import type { DemoOptions } from "../parseArgs.js"
import * as Stack from "../Stack.js"
import { connect } from "./client.js"
import { routeOf, scenarios, walletOf } from "./scenarios.js"
import * as Progress from "./progress.js"
import { deployPausableToken, listToken, type PausableDemoToken } from "./pausableToken.js"
import { type Outcome, runSwap } from "./swap.js"
import { formatTable } from "./table.js"
import { describeStep, describeTransactions, describeWait } from "./formatSwap.js"

/** Chain timings that are faster than those of real chains, to keep the demo short. */
const chainTimings: Devnet.Options = { ports: "free", blockTime: 250, slotTime: 100, finalitySlots: 8 }

/** Configures the service to poll often and to give up early on deliveries that a chain rejects. */
const withShortPolling = (file: Stack.ConfigFile): Stack.ConfigFile => {
  const [first, ...rest] = file.chains.map((chain) => ({ ...chain, pollMillis: 50 }))
  const execution = { ...file.execution, deliveryRetryMillis: 1_000 }
  return first === undefined ? file : { ...file, chains: [first, ...rest], execution }
}

/** A swap in the `--json` output. */
const summaryOf = ({ ms, scenario, swap }: Outcome) => ({
  route: routeOf(scenario),
  status: swap.status,
  originTxHash: swap.originTxHash,
  deliveryTxHash: swap.deliveryTxHash,
  refundTxHash: swap.refundTxHash,
  ms
})

/** Makes the swaps one by one, as a user would. */
const swapAll = async (
  devnet: Devnet.Devnet,
  description: Stack.StackDescription,
  pausable: PausableDemoToken,
  progress: Progress.Progress,
  signal: AbortSignal
): Promise<ReadonlyArray<Outcome>> => {
  const client = await connect(description, {
    evm: walletOf(description, "alice"),
    solana: walletOf(description, "erin")
  })
  const all = scenarios(description, devnet, pausable)
  const outcomes: Array<Outcome> = []
  for (const scenario of all) {
    progress.line(`\n${outcomes.length + 1}/${all.length} ${scenario.title}: ${routeOf(scenario)}`)
    progress.line(`  ${scenario.note}`)
    progress.wait("requesting a quote")
    const shown = new Set<string>()
    const show = (text: string | undefined) => {
      if (text === undefined || shown.has(text)) return
      shown.add(text)
      progress.done(text)
    }
    const outcome = await runSwap(
      client,
      scenario,
      (event) => {
        show(describeStep(scenario, event))
        if ("swap" in event) for (const text of describeTransactions(scenario, event.swap)) show(text)
        if (event.type !== "done") progress.wait(describeWait(scenario, event))
      },
      signal
    )
    const summary = `${outcome.swap.status} in ${(outcome.ms / 1000).toFixed(1)} s`
    progress.done(outcome.swap.status === "refunded" ? `${summary}; nothing was lost` : summary)
    outcomes.push(outcome)
  }
  return outcomes
}

/** The private key of the vault's owner, who pays for deploying the pausable token. */
const ownerKeyOf = ({ operators }: Devnet.Devnet): Hex => {
  const owner = operators.find(({ family, role }) => family === "evm" && role === "owner")
  if (owner === undefined) throw new Error("The devnet has no owner key.")
  return owner.privateKey as Hex
}

const secondsSince = (began: number): string => `${((performance.now() - began) / 1000).toFixed(1)} s`

const inPromise = <A>(run: (signal: AbortSignal) => Promise<A>) =>
  Effect.tryPromise({
    try: run,
    catch: (error) => new Failure({ message: error instanceof Error ? error.message : String(error) })
  })

const swapsOn = Effect.fnUntraced(function* (devnet: Devnet.Devnet, progress: Progress.Progress, began: number) {
  const pausable = yield* inPromise(() => deployPausableToken(devnet.evmB, ownerKeyOf(devnet)))
  const list = listToken(devnet.evmB.id, pausable)
  const { description } = yield* Stack.make(devnet, {
    port: 0,
    change: (file) => list(withShortPolling(file))
  })
  progress.line(`Two EVM chains, a Solana chain and the service are running on this machine (${secondsSince(began)}).`)
  return yield* inPromise((signal) => swapAll(devnet, description, pausable, progress, signal))
})

const runAll = Effect.fnUntraced(function* (progress: Progress.Progress) {
  progress.wait("starting two EVM chains, a Solana chain and the service")
  const began = performance.now()
  const devnet = yield* Devnet.make(chainTimings)
  return yield* Effect.raceFirst(swapsOn(devnet, progress, began), devnet.died)
})

/** Runs the demo. Fails if a swap does not finish as expected. */
export const demo = Effect.fn("demo")(function* ({ full, json }: DemoOptions) {
  const colours = (process.env["NO_COLOR"] ?? "") === ""
  const progress = Progress.make(json ? process.stderr : process.stdout, { colours })
  const outcomes = yield* Effect.scoped(runAll(progress)).pipe(
    Effect.provideService(References.MinimumLogLevel, "None"),
    Effect.ensuring(Effect.sync(progress.stop))
  )
  if (json) process.stdout.write(`${JSON.stringify({ swaps: outcomes.map(summaryOf) })}\n`)
  else {
    const width = process.stdout.isTTY ? process.stdout.columns : Number.POSITIVE_INFINITY
    process.stdout.write(`\n${formatTable(outcomes, { full, width })}\n`)
  }
  const problems = outcomes.flatMap((outcome) => outcome.problems)
  if (problems.length > 0) return yield* new Failure({ message: problems.join("\n") })
  if (!json) process.stdout.write("\nAll five swaps finished as expected, and the balances on the chains match.\n")
})
