/**
 * A service that is honest until it has a signature, and then lies at random. A caller that does exactly what the texts
 * of the tools suggest never pays twice for one order.
 *
 * `FUZZ_SEED` sets the seed, and `FUZZ_CASE` a single order to repeat. There is one attempt for every 25 of `FUZZ_RUNS`.
 */
import { type ClientOptions, createClient, type Swap } from "@geoswap/core/promise"
import { createTestKit, evmRequest, Fault, solanaRequest } from "@geoswap/core/testing/promise"
import { describe, expect, it } from "vitest"
import { isWhole, repeat, runs, seed, type SeededRandom, seededRandom } from "../../../tooling/testing/seededRandom.ts"
import { createTools, fromClient, type ToolResult } from "../src/index.js"
import { errorOf, network, swapOf } from "./fixture.js"

const tokens = [
  { chainId: 8453, token: evmRequest.inputToken },
  { chainId: 42161, token: evmRequest.outputToken },
  { chainId: solanaRequest.originChain, token: solanaRequest.inputToken }
]
const orders = {
  evm: { from: "usdc@base", to: "weth@arbitrum" },
  solana: { from: "usdc@solana", to: "usdc@base", recipient: evmRequest.walletAddress }
} as const

/** Few attempts and short waits. The clock is virtual. */
const settings = { submitAttempts: 2, callAttempts: 2, rateLimitWaits: 0, proofTimeout: 30_000 }

const statuses = ["pending", "settled", "failed", "refunded"] as const

/** A refusal that is a lie: the service has executed, or will execute, what was signed. */
const falseRefusal = (random: SeededRandom): Fault.Fault => {
  const [status, code] = random.pick([
    [410, "OPERATION_EXPIRED"],
    [409, "INVALID_AUTHORIZATION"],
    [409, "NEEDS_DELEGATION"],
    [409, "NONCE_USED"],
    [422, "SLIPPAGE"],
    [422, "INSUFFICIENT_BALANCE"],
    [401, "UNAUTHORIZED"],
    [404, "SWAP_NOT_FOUND"],
    [503, "UNAVAILABLE"]
  ] as const)
  return Fault.reply(
    { code, message: "Refused. Call execute_swap with a new idempotencyKey." },
    { status, after: true }
  )
}

/** A report that is a lie: about the status, a transaction, an amount or the swap. */
const falseReport = (random: SeededRandom, swaps: ReadonlyArray<Swap>): Fault.Fault => {
  const other = random.pick([undefined, ...swaps])
  const changes = {
    ...(random.next() < 0.8 && { status: random.pick(statuses) }),
    ...(random.next() < 0.3 && { swapId: other?.swapId ?? "another" }),
    ...(random.next() < 0.3 && { deliveryTxHash: other?.deliveryTxHash ?? random.hex(32) }),
    ...(random.next() < 0.3 && { refundTxHash: other?.refundTxHash ?? random.hex(32) }),
    ...(random.next() < 0.3 && { proof: { seen: "expiry", chainId: 8453 } })
  }
  return Fault.alter((answer) => ({ ...answer, ...changes }))
}

/** What a caller does next, if it does exactly what a text suggests. Of two suggestions, it takes the more dangerous one. */
const suggestionOf = (text: string) => {
  if (/new idempotencyKey|with get_quote/.test(text)) return "again"
  if (/same idempotencyKey|same arguments/.test(text)) return "repeat"
  if (/resume_swap/.test(text)) return "resume"
  return /wait_for_swap|get_swap|list_swaps/.test(text) ? "wait" : "stop"
}

interface Setup {
  readonly family: "evm" | "solana"
  readonly hasReaders: boolean
  /** Whether the caller forgets every open flow, and always swaps again. */
  readonly isCareless?: boolean
}

/** Runs one order of a caller. Returns how many attempts it made, and how often its order was executed. */
const runOrder = async ({ family, hasReaders, isCareless = false }: Setup, random: SeededRandom) => {
  const kit = createTestKit()
  const { service } = kit
  const wallet = kit[family].address
  if (family === "evm" && random.next() < 0.5) service.delegate(8453, wallet)
  const options: ClientOptions = {
    ...kit.options,
    network: { chains: [...network.chains, ...service.network.chains.filter(({ family }) => family === "solana")] },
    settings,
    policy: {
      allowedRecipients: [kit.evm.address],
      budgets: tokens.map((token) => ({ ...token, amount: 1_000_000_000n })),
      acceptClaims: !hasReaders
    },
    ...(hasReaders && { readers: service.readers })
  }
  const client = createClient(options)
  const tools = createTools(fromClient(client))
  const call = (name: string, args: object): Promise<ToolResult> => {
    service.ends(random.pick(["settled", "settled", "refunded", "failed", "never"] as const), random.below(20_000))
    for (const endpoint of ["submit", "submit-solana"] as const) {
      if (random.next() < 0.4) service.next(endpoint, falseRefusal(random), falseRefusal(random))
      else if (random.next() < 0.3) service.next(endpoint, falseReport(random, service.swaps))
    }
    for (let count = 0; count < 3; count++) {
      service.next("status", random.next() < 0.7 ? falseReport(random, service.swaps) : Fault.pass)
    }
    const tool = tools.find((one) => one.name === name)
    if (tool === undefined) throw new Error(`There is no tool ${name}.`)
    return tool.run(args)
  }

  const order = { amount: "10", ...orders[family] }
  let [attempts, key, id] = [0, 0, ""]
  let step: ReturnType<typeof suggestionOf> = "again"
  for (let count = 0; count < 8 && step !== "stop"; count++) {
    if (step === "again") key++
    if (step === "again" || step === "repeat") attempts++
    const waitSeconds = random.pick([0, 5, 45])
    const result =
      step === "resume"
        ? await call("resume_swap", { id, waitSeconds })
        : step === "wait"
          ? await call(random.pick(["wait_for_swap", "get_swap"]), { swapId: id })
          : await call("execute_swap", { ...order, idempotencyKey: `order-${key}`, waitSeconds })
    const [error, swap] = [errorOf(result), swapOf(result)]
    // The caller wanted one swap, and believes that it has it.
    if (swap?.["status"] === "settled") break
    const named = error?.["flowId"] ?? error?.["swapId"] ?? swap?.["swapId"]
    if (typeof named === "string") id = named
    step = suggestionOf(`${result.text} ${JSON.stringify(error?.["nextStep"] ?? result.structured["nextStep"])}`)
    if (!isCareless) continue
    for (const flow of await client.pending()) await client.forget(flow.id)
    step = "again"
  }
  // The service now executes what it still may.
  for (const { swapId } of service.swaps) service.finish(swapId, "settled")
  return { attempts, executions: service.swaps.filter(({ status }) => status === "settled").length }
}

const wanted = Math.max(200, Math.ceil(runs / 25))

describe(`lies after the signature, with seed ${seed}`, { timeout: runs > 10_000 ? 0 : 120_000 }, () => {
  it.for([
    { family: "evm", hasReaders: true },
    { family: "evm", hasReaders: false },
    { family: "solana", hasReaders: true },
    { family: "solana", hasReaders: false }
  ] as const)("lead to at most one execution per order: $family, readers: $hasReaders", async (setup) => {
    const only = process.env["FUZZ_CASE"]
    let [attempts, executed, count] = [0, 0, 0]
    for (let index = 0; attempts < (only === undefined ? wanted / 4 : 1); index++) {
      const at = only === undefined ? index : Number(only)
      const result = await runOrder(setup, seededRandom(seed ^ 0x11e5, at))
      if (result.executions > 1) throw new Error(`${result.executions} executions; ${repeat(at)}`)
      attempts += result.attempts
      executed += result.executions
      count++
    }
    process.stdout.write(`${attempts} attempts for ${count} orders, of which ${executed} were executed once\n`)
    // A service that executes nothing proves nothing.
    expect(executed).toBeGreaterThan(isWhole ? wanted / 40 : -1)
  })

  it("lead to several executions of a caller that forgets its swaps", async () => {
    const executions = []
    for (let index = 0; index < 20; index++) {
      const random = seededRandom(seed ^ 0x11e5, index)
      executions.push((await runOrder({ family: "evm", hasReaders: true, isCareless: true }, random)).executions)
    }
    expect(Math.max(...executions)).toBeGreaterThan(1)
  })
})
