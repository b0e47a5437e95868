/**
 * A wallet with a policy, a service that can lie, and the tools of `geoswap mcp` in this process. The service, the
 * agent, the files and the clock belong to the adversary. Only the key and the person do not.
 */
import { type Chain, type Operation, RetrySettings, Transport } from "@geoswap/core"
import { AuthenticatedStore } from "@geoswap/core/node"
import { ScriptedTransport, Vectors } from "@geoswap/core/testing"
import { createTools, type ToolResult } from "@geoswap/tools"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Scope from "effect/Scope"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { library } from "../../../../tooling/testing/evm/chainLibrary.js"
import type { SeededRandom } from "../../../../tooling/testing/seededRandom.ts"
import * as AgentPolicy from "../../src/agent/AgentPolicy.js"
import * as Approvals from "../../src/agent/Approvals.js"
import { macKeysOf } from "../../src/agent/mac.js"
import * as PolicyFile from "../../src/agent/PolicyFile.js"
import { networkOf } from "../../src/chains/networkOf.js"
import { Flags, none } from "../../src/flags/Flags.js"
import { KeyError, openWallet } from "../../src/keys/Keys.js"
import { encrypt } from "../../src/keys/Keystore.js"
import { makeBackend, type Services } from "../../src/mcp/backend.js"
import * as framework from "../../src/node/frameworkServices.js"
import { fromProcess, Host } from "../../src/node/Host.js"
import * as Output from "../../src/output/Output.js"
import * as Session from "../../src/service/Session.js"
import * as StateFiles from "../../src/swap/stateFiles.js"
import { friend, macKeys, password, pathsOf } from "../agentFixture.js"
import { usdc, weth } from "../scriptedServer.js"
import { Oracle } from "./oracle.js"
import { recording } from "./signatures.js"

const { address, privateKey } = Vectors.evmKey

/** A wallet of the adversary, and the keys of its policy. */
export const thief = "0x90F79bf6EB2c4f870365E785982E1f101E93b906"
export const thiefKeys = macKeysOf(new Uint8Array(32).fill(1))

/** Contracts of the adversary. */
export const evil = {
  delegate: "0x00000000000000000000000000000000deadbeef",
  vault: "0x00000000000000000000000000000000badc0ffe"
} as const

/** Tokens: pinned with a rate, with prices, and without a price; and one that only the configuration pins. */
export const wbtc = "0x2f2a2543B76A4166549F7aaB2e75Bef0aefC5B0f"
export const usdt = "0xfde4C96c8593536E31F229EA8f37b2ADa2699bb2"
export const geo = "0xCcCCccccCCCCcCCCCCCcCcCccCcCCCcCcccccccC"

/** Optimism: configured and with pinned contracts, but not allowed by the policy. */
const optimism = 10

export { friend, optimism, usdc, weth }

const configured = {
  8453: {
    family: "evm",
    name: "Base",
    tokens: [
      { symbol: "USDC", address: usdc, decimals: 6 },
      { symbol: "USDT", address: usdt, decimals: 6 },
      { symbol: "GEO", address: geo, decimals: 9 }
    ]
  },
  42161: {
    family: "evm",
    name: "Arbitrum",
    tokens: [
      { symbol: "WETH", address: weth, decimals: 18 },
      { symbol: "WBTC", address: wbtc, decimals: 8 }
    ]
  },
  [optimism]: { family: "evm", name: "Optimism", tokens: [{ symbol: "USDC", address: usdc, decimals: 6 }] }
}

const deployments: Record<number, Operation.Deployment> = {
  8453: Vectors.evmDeployment,
  42161: Vectors.evmDeployment,
  [optimism]: Vectors.evmDeployment
}

const url = "http://127.0.0.1:9"

const at = (chainId: number, token: string) => ({ chainId, token })

/** The policy of the person. The service pays one smallest unit for one, less the slippage. */
const rulesFor = (random: SeededRandom, paths: PolicyFile.Paths): PolicyFile.AgentRules => ({
  version: 1,
  revision: 2,
  wallet: { family: "evm", address },
  store: { path: paths.store, id: "store of the world" },
  service: url,
  deployments,
  nodes: {},
  chains: [8453, 42161],
  tokens: [
    { chainId: 8453, address: usdc, symbol: "USDC", decimals: 6 },
    { chainId: 8453, address: usdt, symbol: "USDT", decimals: 6 },
    { chainId: 42161, address: weth, symbol: "WETH", decimals: 18 },
    { chainId: 42161, address: wbtc, symbol: "WBTC", decimals: 8 }
  ],
  recipients: [address, friend],
  budgets: [
    { ...at(8453, usdc), amount: String(200_000_000 + random.below(200_000_000)), window: "total" },
    { ...at(8453, usdc), amount: String(120_000_000 + random.below(60_000_000)), window: "hour" },
    { ...at(8453, usdt), amount: "60000000", window: random.pick(["hour", "day", "total"] as const) }
  ],
  approveAbove: [
    { ...at(8453, usdc), amount: "50000000" },
    ...random.pick([[], [{ ...at(8453, usdc), amount: "100000000", window: random.pick(["hour", "day"] as const) }]])
  ],
  maxSlippageBps: 300,
  maxFeeBps: 50,
  maxTotalCostBps: 200,
  maxSwapsPerHour: 8 + random.below(30),
  pairs: [
    { input: at(8453, usdc), output: at(42161, weth), minRate: "0.0000000000009" },
    {
      input: at(8453, usdc),
      output: at(42161, wbtc),
      prices: { input: { usd: "1" }, output: { usd: "100" } },
      maxLossBps: 1_000
    }
  ],
  approvalSeconds: 900,
  elicitation: false,
  acceptClaims: true
})

/** Changes the body of a response, or replaces the response. */
export type Lie = (
  body: Record<string, unknown>,
  request: Readonly<Record<string, unknown>>
) => Record<string, unknown> | { readonly status: number; readonly answer: unknown }

/** Attempts are retried and polled quickly. */
const hasty: RetrySettings.RetrySettings = {
  ...RetrySettings.defaults,
  callAttempts: 2,
  submitAttempts: 2,
  rateLimitWaits: 1,
  maxRetryAfter: 50,
  backoff: [2, 8],
  proofTimeout: 100,
  waitTimeout: 4_000
}

/** Options of a world. */
export interface WorldOptions {
  /** Changes the policy, for the program and for the oracle. */
  readonly adjust?: (rules: PolicyFile.AgentRules) => PolicyFile.AgentRules
  /** Removes a limit of the policy that the program enforces, but not of the oracle's. */
  readonly weaken?: (rules: PolicyFile.AgentRules) => PolicyFile.AgentRules
}

/** How a server is started. */
export interface ServerOptions {
  readonly config?: object
  readonly url?: string
  readonly stateHome?: string
}

/** The tools of one server. */
export type Server = (name: string, input: Record<string, unknown>) => Promise<ToolResult>

/** Starts a world. */
export const makeWorld = async (
  random: SeededRandom,
  { adjust = (rules) => rules, weaken = (rules) => rules }: WorldOptions = {}
) => {
  const home = mkdtempSync(join(tmpdir(), "geoswap-world-"))
  const keystore = join(home, "keys", "main.json")
  const configFile = join(home, ".config", "geoswap", "config.json")
  const paths = pathsOf(keystore)
  const rules = adjust(rulesFor(random, paths))
  let offset = 0
  const now = () => Date.now() + offset
  const system = Clock.Clock.defaultValue()
  const clock: Clock.Clock = {
    currentTimeMillisUnsafe: now,
    currentTimeMillis: Effect.sync(now),
    currentTimeNanosUnsafe: () => system.currentTimeNanosUnsafe(),
    currentTimeNanos: system.currentTimeNanos,
    monotonicTimeNanosUnsafe: () => system.monotonicTimeNanosUnsafe(),
    monotonicTimeNanos: system.monotonicTimeNanos,
    // Short pauses are for real services and nodes. Long ones are timeouts.
    sleep: (duration) => system.sleep(Duration.times(duration, Duration.toMillis(duration) <= 5_000 ? 0.02 : 0.25))
  }
  const oracle = new Oracle(rules, now)
  const service = ScriptedTransport.make({ library, network: networkOf(deployments) })
  service.ends("settled", 0)
  const lies = new Map<string, Lie>()

  const send: Transport.Send = Effect.fnUntraced(function* (request) {
    const honest = yield* service.send(request)
    const sent = JSON.parse(request.body ?? "{}") as Record<string, unknown>
    const body = JSON.parse(honest.body) as Record<string, unknown>
    const told: Record<string, unknown> =
      request.endpoint === "quote" && honest.status === 200 ? { priceImpactBps: -10, ...body } : body
    const lie = lies.get(request.endpoint)?.(told, sent)
    if (lie !== undefined && "answer" in lie && typeof lie["status"] === "number") {
      return { ...honest, status: lie["status"], body: JSON.stringify(lie["answer"]) }
    }
    const answer = (lie ?? told) as Record<string, unknown>
    if (honest.status === 200 && request.endpoint === "quote") oracle.quoted(sent, answer)
    if (honest.status === 200 && request.endpoint === "build-geo-op") oracle.built(sent, answer)
    return { ...honest, body: JSON.stringify(answer) }
  })
  const transport = Transport.make(send)

  mkdirSync(dirname(keystore), { mode: 0o700 })
  mkdirSync(dirname(configFile), { recursive: true, mode: 0o700 })
  const secret = Buffer.from(privateKey.slice(2), "hex")
  const encrypted = await Effect.runPromise(encrypt(secret, address, Redacted.make(password), { n: 2, r: 8, p: 1 }))
  writeFileSync(keystore, JSON.stringify(encrypted), { mode: 0o600 })
  const config = { service: { url }, deployments, chains: configured, keys: { evm: { family: "evm", keystore } } }
  writeFileSync(configFile, JSON.stringify(config), { mode: 0o600 })
  const storeOptions = { id: rules.store.id, key: Redacted.value(macKeys.store) }
  await Effect.runPromise(AuthenticatedStore.create(rules.store.path, storeOptions))
  await Effect.runPromise(PolicyFile.write(paths, weaken(rules), macKeys))

  const scope = Scope.makeUnsafe()
  let serial = 0
  /** Starts a server, like a new process. */
  const start = async (options: ServerOptions = {}): Promise<Server> => {
    const file = options.config === undefined ? configFile : join(home, `config-${++serial}.json`)
    if (options.config !== undefined)
      writeFileSync(file, JSON.stringify({ ...config, ...options.config }), { mode: 0o600 })
    const environment = {
      HOME: home,
      GEOSWAP_API_KEY: "key",
      GEOSWAP_KEYSTORE_PASSWORD: password,
      // The API key is for the service in this variable.
      ...(options.url !== undefined && { GEOSWAP_URL: options.url }),
      ...(options.stateHome !== undefined && { XDG_STATE_HOME: options.stateHome })
    }
    const host = { ...fromProcess(), environment, folder: home, home, write: () => undefined }
    const flags = { ...none, config: file, url: options.url }
    const base = Layer.mergeAll(
      Layer.succeed(Output.Output, Output.make(flags, host)),
      Layer.succeed(Flags, flags),
      Layer.succeed(Host, host),
      framework.layer
    )
    const layer = StateFiles.layer.pipe(Layer.provideMerge(Session.connection), Layer.provideMerge(base))
    const built = await Effect.runPromise(Layer.buildWithScope(layer, scope))
    const context = built.pipe(
      Context.add(Transport.Transport, transport),
      Context.add(RetrySettings.RetrySettings, hasty),
      Context.add(Clock.Clock, clock),
      Context.add(Host, host)
    )
    const opened = await Effect.runPromiseWith(context)(openWallet("evm"))
    if (opened.family !== "evm") throw new Error("This is not an EVM wallet.")
    const account = recording(opened.account, (signed) => oracle.judge(signed))
    const wallet = await Effect.runPromiseWith(context)(AgentPolicy.makeWallet({ ...opened, account }))
    const services: Context.Context<Services> = Context.add(context, AgentPolicy.AgentPolicy, {
      wallet: (family: Chain.Family) =>
        family === "evm"
          ? Effect.succeed(wallet)
          : Effect.fail(new KeyError({ message: "There is no Solana key.", next: "Add one." }))
    })
    // A client that always agrees. Only the policy decides whether its answer is an approval.
    const tools = createTools(makeBackend(services, () => Effect.succeed(true)))
    return async (name, input) => {
      const tool = tools.find((one) => one.name === name)
      if (tool === undefined) throw new Error(`There is no tool ${name}.`)
      return tool.run(input)
    }
  }

  const store = () => AuthenticatedStore.make(rules.store.path, storeOptions)
  const onStore = <A, E>(effect: Effect.Effect<A, E>): Promise<A> =>
    Effect.runPromise(Effect.provideService(effect, Clock.Clock, clock))
  const servers = [await start(), await start()] as const
  return {
    random,
    home,
    keystore,
    paths,
    rules,
    oracle,
    service,
    lies,
    now,
    servers,
    start,
    /** Sets the clock forward or back. */
    shift: (millis: number) => void (offset += millis),
    /** The person answers a request, after reading its terms. */
    answer: async (id: string, state: "approved" | "rejected", seconds = rules.approvalSeconds) => {
      const asked = (await onStore(Approvals.list(store()))).find((one) => one.id === id)
      if (asked === undefined) throw new Error(`There is no request ${id}.`)
      if (state === "approved") {
        oracle.granted({ terms: asked.terms, from: now(), until: now() + seconds * 1000 + 1000 })
      }
      await onStore(Approvals.answer(store(), id, { state, by: "terminal", seconds }))
    },
    close: async () => {
      await Effect.runPromise(Scope.close(scope, Effect.runSyncExit(Effect.void)))
      rmSync(home, { recursive: true, force: true })
    }
  }
}

export type World = Awaited<ReturnType<typeof makeWorld>>
