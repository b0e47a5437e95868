/**
 * A process like an MCP server: opens the wallet once, and executes many swaps at once, `agentServer.ts <count>
 * <amount>`. Prints how many settled, and the names of the other results.
 */
import { Client } from "@geoswap/core"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as AgentPolicy from "../src/agent/AgentPolicy.js"
import { Flags, none } from "../src/commands/Flags.js"
import * as services from "../src/node/frameworkServices.js"
import * as Output from "../src/output/Output.js"
import * as Session from "../src/service/Session.js"
import * as StateFiles from "../src/swap/stateFiles.js"

const [count = "", amount = ""] = process.argv.slice(2)

const base = Output.layer.pipe(Layer.provideMerge(Layer.succeed(Flags, none)), Layer.merge(services.layer))

const program = Effect.gen(function* () {
  const policy = yield* AgentPolicy.AgentPolicy
  const wallet = yield* policy.wallet("evm")
  const execute = Client.execute({
    originChain: 8453,
    destinationChain: 42161,
    inputToken: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913",
    outputToken: "0x82aF49447D8a07e3bd95BD0d56f35241523fBab1",
    amount: BigInt(amount),
    walletAddress: wallet.address
  }).pipe(
    Effect.provide(Layer.merge(wallet.layer({ originChain: 8453 }), StateFiles.journal)),
    Effect.match({
      onSuccess: ({ status }): string => status,
      onFailure: (error) => (error._tag === "PolicyViolation" ? error.rule : error._tag)
    })
  )
  const results = yield* Effect.all(
    Array.from({ length: Number(count) }, () => execute),
    { concurrency: "unbounded" }
  )
  process.stdout.write(`${JSON.stringify(results)}\n`)
})

await Effect.runPromise(
  program.pipe(Effect.provide(AgentPolicy.layer.pipe(Layer.provideMerge(Session.reads), Layer.provideMerge(base))))
)
process.exit(0)
