/** A wallet in a keystore with a policy for agents, in front of the scripted service. */
import { mkdirSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { AuthenticatedStore } from "@geoswap/core/node"
import { Vectors } from "@geoswap/core/testing"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { type MacKeys, macKeysOf } from "../src/agent/mac.js"
import * as PolicyFile from "../src/agent/PolicyFile.js"
import { encrypt } from "../src/keys/Keystore.js"
import { runJson, type Workspace } from "./runCli.js"
import { enter, openHere } from "./terminal.js"
import { open as openService, type Scripted, usdc, weth } from "./scriptedServer.js"

export const password = "correct horse"

const { address, privateKey } = Vectors.evmKey
const secret = Buffer.from(privateKey.slice(2), "hex")

export const macKeys: MacKeys = macKeysOf(secret)

/** A recipient that the policy allows, besides the wallet. */
export const friend = "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC"

export const chains = {
  8453: {
    family: "evm",
    name: "Base",
    tokens: [{ symbol: "USDC", address: usdc, decimals: 6 }]
  },
  42161: { family: "evm", name: "Arbitrum", tokens: [{ symbol: "WETH", address: weth, decimals: 18 }] }
}

const input = { chainId: 8453, token: usdc }
const output = { chainId: 42161, token: weth }

/** The scripted service gives one smallest unit of WETH for one of USDC, less the fee and the slippage. */
const minRate = "0.0000000000009"

/** A wallet with a policy. */
export interface Agent {
  readonly scripted: Scripted
  readonly workspace: Workspace
  readonly keystore: string
  readonly paths: PolicyFile.Paths
  /** Replaces the policy, and starts a new store. */
  readonly writePolicy: (rules?: Partial<PolicyFile.AgentRules>) => Effect.Effect<PolicyFile.AgentRules>
  /** Runs a swap of USDC for WETH, with `--yes --json`. */
  readonly swap: (amount: string, ...flags: ReadonlyArray<string>) => ReturnType<typeof runJson>
}

/** Returns where the policy of a keystore is. */
export const pathsOf = (keystore: string): PolicyFile.Paths => ({
  policy: `${keystore}.policy.json`,
  storeFolder: `${keystore}.store`,
  store: join(`${keystore}.store`, "store.json")
})

/** The rules of the tests: 100 USDC in total, approval above 50 USDC. */
export const rulesOf = (url: string, paths: PolicyFile.Paths): PolicyFile.AgentRules => ({
  version: 1,
  revision: 1,
  wallet: { family: "evm", address },
  store: { path: paths.store, id: "store of the tests" },
  service: url,
  deployments: { 8453: Vectors.evmDeployment, 42161: Vectors.evmDeployment },
  nodes: {},
  chains: [8453, 42161],
  tokens: [
    { chainId: 8453, address: usdc, symbol: "USDC", decimals: 6 },
    { chainId: 42161, address: weth, symbol: "WETH", decimals: 18 }
  ],
  recipients: [address, friend],
  budgets: [{ ...input, amount: "100000000", window: "total" }],
  approveAbove: [{ ...input, amount: "50000000" }],
  maxSlippageBps: 500,
  maxFeeBps: 100,
  maxTotalCostBps: 300,
  maxSwapsPerHour: 1_000,
  pairs: [{ input, output, minRate }],
  approvalSeconds: 900,
  elicitation: false,
  acceptClaims: true
})

/** Writes a policy, and starts a new store. */
export const writePolicyFiles = (paths: PolicyFile.Paths, rules: PolicyFile.AgentRules, keys: MacKeys = macKeys) =>
  Effect.gen(function* () {
    yield* AuthenticatedStore.create(rules.store.path, {
      id: rules.store.id,
      key: Redacted.value(keys.store)
    })
    yield* PolicyFile.write(paths, rules, keys)
    return rules
  }).pipe(Effect.orDie)

/** A wallet in a keystore, without a policy. */
export const makeAgent = Effect.gen(function* () {
  const scripted = yield* openService
  const { environment, folder } = scripted.workspace
  const { GEOSWAP_EVM_KEY: _, ...others } = environment
  const keystore = join(environment["HOME"] ?? "", "keys", "main.json")
  mkdirSync(dirname(keystore), { mode: 0o700 })
  const encrypted = yield* encrypt(secret, address, Redacted.make(password), { n: 2, r: 8, p: 1 })
  writeFileSync(keystore, JSON.stringify(encrypted), { mode: 0o600 })
  scripted.configure({ chains, keys: { evm: { family: "evm", keystore } } })
  const workspace = { folder, environment: { ...others, GEOSWAP_KEYSTORE_PASSWORD: password } }
  const paths = pathsOf(keystore)
  const agent: Agent = {
    scripted,
    workspace,
    keystore,
    paths,
    writePolicy: (changes) => writePolicyFiles(paths, { ...rulesOf(scripted.url, paths), ...changes }),
    swap: (amount, ...flags) => runJson(workspace, "swap", amount, "usdc@base", "weth@arbitrum", "--yes", ...flags)
  }
  return agent
})

/** Types the password at the prompt of a command, and returns its exit code and screen. */
export const typing = (workspace: Workspace, typed: ReadonlyArray<string>, ...args: ReadonlyArray<string>) =>
  Effect.scoped(
    Effect.gen(function* () {
      const terminal = yield* openHere(workspace, ...args)
      yield* terminal.shows("Password for")
      terminal.type(`${typed[0]}${enter}`)
      for (const [at, line] of typed.slice(1).entries()) {
        yield* terminal.shows(at === 0 ? "Type yes" : "?")
        terminal.type(`${line}${enter}`)
      }
      return yield* terminal.ended
    })
  )
