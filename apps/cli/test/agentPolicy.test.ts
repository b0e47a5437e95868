/** The policy of a wallet in a keystore, against the built program and the scripted service. */
import { describe, it } from "@effect/vitest"
import { Vectors } from "@geoswap/core/testing"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, vi } from "vitest"
import { digestOf } from "../../../tooling/testing/evm/chainLibrary.js"
import { macKeysOf } from "../src/agent/mac.js"
import * as PolicyFile from "../src/agent/PolicyFile.js"
import { chains, friend, macKeys, makeAgent, pathsOf, rulesOf, writePolicyFiles } from "./agentFixture.js"
import { schemaErrors } from "./jsonSchema.js"
import { call, connect } from "./mcpFixture.js"
import { runJson } from "./runCli.js"
import { open as openService, usdc, weth } from "./scriptedServer.js"
import * as ServiceProxy from "./serviceProxy.js"
import { spendAtOnce } from "./spendAtOnce.js"

vi.setConfig({ testTimeout: 300_000 })

/** An address that the policy does not allow. */
const thief = "0x90F79bf6EB2c4f870365E785982E1f101E93b906"

/** A wallet with the policy of the tests. */
const withPolicy = (changes: Partial<PolicyFile.AgentRules> = {}) =>
  Effect.tap(makeAgent, ({ writePolicy }) => writePolicy(changes))

const refusedBy = (rule: string) => ({
  code: 3,
  answer: { error: { name: "PolicyViolation", message: expect.stringContaining(rule) as unknown } }
})

const tampered = { code: 3, answer: { error: { name: "PolicyTampered" } } }

describe("a wallet with a policy", () => {
  it.live("swaps within its limits, and shows what is left", () =>
    Effect.gen(function* () {
      const { scripted, swap, workspace } = yield* withPolicy()
      expect(yield* swap("40")).toMatchObject({ code: 0, answer: { swap: { status: "settled" } } })
      const shown = yield* runJson(workspace, "policy", "show")
      expect(shown).toMatchObject({
        code: 0,
        answer: {
          policy: {
            boundary: "enforced",
            budgets: [{ symbol: "USDC", amount: "100", spent: "40", left: "60" }],
            swapsLeftThisHour: 999
          }
        }
      })
      expect(yield* swap("40")).toMatchObject({ code: 0 })
      const over = yield* swap("40")
      expect(over).toMatchObject(refusedBy("20 USDC more"))
      expect(over.answer).toMatchObject({ error: { next: expect.stringContaining("geoswap policy show") as unknown } })
      expect(scripted.paid()).toEqual([40_000_000n, 40_000_000n])
    })
  )

  it.live("refuses other recipients, tokens, chains, prices, slippages and too many swaps", () =>
    Effect.gen(function* () {
      const { scripted, swap, workspace, writePolicy, paths } = yield* withPolicy({ maxSwapsPerHour: 1 })
      expect(yield* swap("1", "--recipient", friend)).toMatchObject({ code: 0 })
      expect(yield* swap("1")).toMatchObject(refusedBy("maxSwapsPerHour"))
      // Begins and ends like an allowed address.
      const lookalike = `${friend.slice(0, 8).toLowerCase()}${"0".repeat(28)}${friend.slice(-6).toLowerCase()}`
      for (const recipient of [thief, lookalike]) {
        expect(yield* swap("1", "--recipient", recipient)).toMatchObject(refusedBy("allowedRecipients"))
      }
      expect(yield* swap("1", "--slippage-bps", "501")).toMatchObject(refusedBy("maxSlippageBps"))
      const replace = (rules: Partial<PolicyFile.AgentRules>) =>
        Effect.suspend(() => {
          rmSync(paths.storeFolder, { recursive: true })
          return writePolicy(rules)
        })
      yield* replace({ chains: [8453] })
      expect(yield* swap("1")).toMatchObject(refusedBy("allowedChains"))
      yield* replace({ tokens: [{ chainId: 8453, address: usdc, symbol: "USDC", decimals: 6 }] })
      expect(yield* swap("1")).toMatchObject(refusedBy("allowedTokens"))
      const input = { chainId: 8453, token: usdc }
      yield* replace({ pairs: [{ input, output: { chainId: 42161, token: weth }, minRate: "0.1" }] })
      expect(yield* swap("1")).toMatchObject(refusedBy("minOutput"))
      yield* replace({ maxFeeBps: 0 })
      expect(yield* swap("1")).toMatchObject(refusedBy("maxFeeBps"))
      expect(yield* runJson(workspace, "policy", "check", "101", "usdc@base", "weth@arbitrum")).toMatchObject({
        code: 3,
        answer: { allowed: false, rule: "budgets" }
      })
      expect(yield* runJson(workspace, "policy", "check", "60", "usdc@base", "weth@arbitrum")).toMatchObject({
        code: 0,
        answer: { allowed: true, approval: expect.stringContaining("above 50 USDC") as unknown }
      })
      expect(scripted.paid()).toEqual([1_000_000n])
    })
  )

  it.live("is applied to a dry run, which reserves nothing and asks for no approval", () =>
    Effect.gen(function* () {
      const { scripted, swap, workspace } = yield* withPolicy()
      const dry = (amount: string, ...flags: ReadonlyArray<string>) => swap(amount, "--dry-run", ...flags)
      const within = yield* dry("40")
      expect([within.code, schemaErrors("cli-dry-run", within.answer)]).toEqual([0, []])
      expect(within.answer).not.toHaveProperty("approval")
      const above = yield* dry("60")
      expect([above.code, schemaErrors("cli-dry-run", above.answer)]).toEqual([0, []])
      expect(above.answer).toMatchObject({ approval: expect.stringContaining("above 50 USDC") as unknown })
      expect(yield* runJson(workspace, "approve", "--list")).toMatchObject({ answer: { approvals: [] } })
      expect(yield* dry("101")).toMatchObject(refusedBy("budgets"))
      expect(yield* dry("1", "--recipient", thief)).toMatchObject(refusedBy("allowedRecipients"))
      expect(yield* dry("1", "--slippage-bps", "501")).toMatchObject(refusedBy("maxSlippageBps"))
      const otherService = yield* openService
      const elsewhere = { ...workspace.environment, GEOSWAP_URL: otherService.url }
      const dryArgs = ["swap", "1", "usdc@base", "weth@arbitrum", "--yes", "--dry-run"]
      expect(yield* runJson({ ...workspace, environment: elsewhere }, ...dryArgs)).toMatchObject({
        code: 3,
        answer: { error: { name: "PolicyConflict" } }
      })
      expect(yield* swap("40")).toMatchObject({ code: 0 })
      expect(yield* dry("61")).toMatchObject(refusedBy("60 USDC more"))
      expect(yield* dry("60")).toMatchObject({ code: 0 })
      scripted.rewrite("quote", (body) => JSON.stringify({ ...(JSON.parse(body) as object), priceImpactBps: -301 }))
      expect(yield* dry("1")).toMatchObject(refusedBy("maxTotalCostBps"))
      expect(scripted.paid()).toEqual([40_000_000n])
    })
  )

  it.live("refuses a swap over the budget at once, without asking a person to approve it", () =>
    Effect.gen(function* () {
      const { scripted, swap, workspace } = yield* withPolicy({ maxSwapsPerHour: 1 })
      for (const amount of ["101", "1000"]) {
        const refused = yield* swap(amount)
        expect(refused).toMatchObject(refusedBy("budgets"))
        expect(refused.answer).not.toHaveProperty("error.approvalId")
      }
      expect(yield* swap("1")).toMatchObject({ code: 0 })
      expect(yield* swap("60")).toMatchObject(refusedBy("maxSwapsPerHour"))
      expect(yield* runJson(workspace, "approve", "--list")).toMatchObject({ answer: { approvals: [] } })
      expect(scripted.paid()).toEqual([1_000_000n])
    })
  )

  it.live("signs no delegation on a chain that it does not allow, and nothing that lives longer than it allows", () =>
    Effect.gen(function* () {
      const tokens = [{ chainId: 8453, address: usdc, symbol: "USDC", decimals: 6 }]
      const { scripted, swap, workspace, writePolicy, paths } = yield* withPolicy({ chains: [8453], tokens })
      scripted.service.delegate(42161, Vectors.evmKey.address)
      const revoke = runJson(workspace, "delegation", "revoke", "arbitrum", "--yes")
      expect(yield* revoke).toMatchObject(refusedBy("network"))
      expect(scripted.service.seen("change-delegation")).toEqual([])
      rmSync(paths.storeFolder, { recursive: true })
      yield* writePolicy()
      expect(yield* revoke).toMatchObject({ code: 0, answer: { changed: true } })

      // The configuration allows operations that live longer. It cannot widen the policy.
      const limits = { policy: { maxLifetimeSeconds: 900 } }
      scripted.configure({
        chains,
        keys: { evm: { family: "evm", keystore: paths.policy.replace(".policy.json", "") } },
        ...limits
      })
      scripted.rewrite("build-geo-op", (body) => {
        const built = JSON.parse(body) as { readonly geoOp: Record<string, string> }
        const geoOp: Record<string, unknown> = { ...built.geoOp, deadline: Math.floor(Date.now() / 1000) + 600 }
        const typed = {
          ...geoOp,
          amount: BigInt(built.geoOp["amount"] ?? ""),
          nonce: BigInt(built.geoOp["nonce"] ?? "")
        }
        const geoOpHash = digestOf(typed as unknown as Parameters<typeof digestOf>[0])
        return JSON.stringify({ ...built, geoOp, geoOpHash })
      })
      expect(yield* swap("1")).toMatchObject({
        code: 3,
        answer: { error: { name: "UnsafeOperation", message: expect.stringContaining("deadline") as unknown } }
      })
      expect(scripted.paid()).toEqual([])
    })
  )

  it.live("signs nothing with a policy that was altered, replaced or deleted", () =>
    Effect.gen(function* () {
      const { paths, scripted, swap, workspace } = yield* withPolicy()
      const whole = readFileSync(paths.policy, "utf8")
      const parsed = JSON.parse(whole) as { rules: PolicyFile.AgentRules; mac: string }
      const more = { ...parsed.rules, budgets: [{ ...parsed.rules.budgets[0], amount: "900000000" }] }
      const otherKeys = macKeysOf(new Uint8Array(32).fill(1))
      const altered = [
        whole.replace('"100000000"', '"900000000"'),
        JSON.stringify({ ...parsed, rules: more }),
        JSON.stringify({ rules: parsed.rules }),
        JSON.stringify({ ...parsed, mac: "" }),
        JSON.stringify({ ...parsed, mac: parsed.mac.replace(/^../, "00") }),
        whole.slice(0, -10),
        "null",
        ""
      ]
      for (const text of altered) {
        expect(text).not.toBe(whole)
        writeFileSync(paths.policy, text)
        expect([text.slice(0, 40), yield* swap("1")]).toMatchObject([text.slice(0, 40), tampered])
      }
      // Signed with the key of another wallet.
      yield* Effect.orDie(PolicyFile.write(paths, parsed.rules, otherKeys))
      expect(yield* swap("1")).toMatchObject(tampered)
      rmSync(paths.policy)
      expect(yield* swap("1")).toMatchObject(tampered)
      expect(yield* runJson(workspace, "policy", "show")).toMatchObject(tampered)
      writeFileSync(paths.policy, whole)
      expect(yield* swap("1")).toMatchObject({ code: 0 })
      expect(scripted.paid()).toEqual([1_000_000n])
    })
  )

  it.live("signs nothing with a store that was altered or deleted, or with an older policy", () =>
    Effect.gen(function* () {
      const { paths, scripted, swap } = yield* withPolicy()
      const older = readFileSync(paths.policy, "utf8")
      expect(yield* swap("40")).toMatchObject({ code: 0 })
      const whole = readFileSync(paths.store, "utf8")
      const parsed = JSON.parse(whole) as { records: Record<string, string> }
      for (const name of Object.keys(parsed.records)) {
        const { [name]: _, ...others } = parsed.records
        writeFileSync(paths.store, JSON.stringify({ ...parsed, records: others }))
        expect([name, yield* swap("40")]).toMatchObject([name, tampered])
      }
      writeFileSync(paths.store, whole.replace("40000000", "10000000"))
      expect(yield* swap("40")).toMatchObject(tampered)
      rmSync(paths.store)
      expect(yield* swap("40")).toMatchObject(tampered)
      rmSync(paths.storeFolder, { recursive: true })
      expect(yield* swap("40")).toMatchObject(tampered)
      mkdirSync(paths.storeFolder, { mode: 0o700 })
      writeFileSync(paths.store, whole, { mode: 0o600 })
      // A person lowers the budget. The earlier policy is not accepted again, although its MAC is valid.
      const { rules } = JSON.parse(older) as { rules: PolicyFile.AgentRules }
      const lower = {
        ...rules,
        revision: 2,
        budgets: [{ chainId: 8453, token: usdc, amount: "40000000", window: "total" as const }]
      }
      yield* Effect.orDie(PolicyFile.write(paths, lower, macKeys))
      expect(yield* swap("1")).toMatchObject(refusedBy("budgets"))
      writeFileSync(paths.policy, older)
      expect(yield* swap("1")).toMatchObject(tampered)
      expect(scripted.paid()).toEqual([40_000_000n])
    })
  )

  it.live("is the latest one at the moment of each signature", () =>
    Effect.gen(function* () {
      const { keystore, paths, scripted, swap, workspace, writePolicy } = yield* makeAgent
      const proxy = yield* ServiceProxy.open(scripted.url)
      scripted.configure({ service: { url: proxy.url }, chains, keys: { evm: { family: "evm", keystore } } })
      const rules = yield* writePolicy({ service: proxy.url })
      const held = proxy.hold(/swap\/build/, "before")
      const swapping = yield* Effect.forkChild(swap("1"))
      yield* held.arrived
      // Meanwhile, a person changes the policy, and looks at it.
      yield* Effect.orDie(PolicyFile.write(paths, { ...rules, revision: 2, maxFeeBps: 0 }, macKeys))
      expect(yield* runJson(workspace, "policy", "show")).toMatchObject({ code: 0 })
      held.release()
      expect(yield* Fiber.join(swapping)).toMatchObject(refusedBy("only revision 2"))
      expect(scripted.paid()).toEqual([])
    })
  )

  it.live("applies with another configuration, URL, state folder or path of the keystore", () =>
    Effect.gen(function* () {
      const agent = yield* withPolicy({
        budgets: [{ chainId: 8453, token: usdc, amount: "10000000", window: "total" }]
      })
      const { keystore, scripted, swap, workspace } = agent
      expect(yield* swap("7")).toMatchObject({ code: 0 })
      const otherService = yield* openService
      expect(yield* swap("1", "--url", otherService.url)).toMatchObject({ code: 1 })
      const elsewhere = { ...workspace.environment, GEOSWAP_URL: otherService.url }
      const swapArgs = ["swap", "7", "usdc@base", "weth@arbitrum", "--yes"]
      expect(yield* runJson({ ...workspace, environment: elsewhere }, ...swapArgs)).toMatchObject({
        code: 3,
        answer: { error: { name: "PolicyConflict" } }
      })
      const state = { ...workspace.environment, XDG_STATE_HOME: join(workspace.folder, "state") }
      expect(yield* runJson({ ...workspace, environment: state }, ...swapArgs)).toMatchObject(refusedBy("budgets"))
      // Another configuration: no limits, other contracts, and a link to the keystore.
      const link = join(workspace.folder, "link.json")
      symlinkSync(keystore, link)
      const config = join(workspace.folder, "other.json")
      const write = (fields: object) =>
        writeFileSync(
          config,
          JSON.stringify({
            service: { url: scripted.url },
            chains,
            deployments: {},
            keys: { evm: { family: "evm", keystore: link } },
            policy: { budgets: [{ token: "usdc@base", amount: "1000000" }], verification: "when-possible" },
            ...fields
          }),
          { mode: 0o600 }
        )
      write({})
      expect(yield* swap("7", "--config", config)).toMatchObject(refusedBy("budgets"))
      // A configuration with false decimals: 7 would mean 0.007.
      const [token] = chains[8453].tokens
      write({ chains: { ...chains, 8453: { ...chains[8453], tokens: [{ ...token, decimals: 3 }] } } })
      expect(yield* swap("7", "--config", config)).toMatchObject({
        code: 3,
        answer: { error: { name: "PolicyConflict" } }
      })
      write({ policy: { maxFeeBps: 0 } })
      expect(yield* swap("1", "--config", config)).toMatchObject(refusedBy("maxFeeBps"))
      const server = yield* connect({ workspace, flags: ["--config", config] })
      const order = { amount: "1", from: "usdc@base", to: "weth@arbitrum" }
      expect((yield* call(server, "execute_swap", order)).value.error).toMatchObject({ rule: "maxFeeBps" })
      expect([scripted.paid(), otherService.paid()]).toEqual([[7_000_000n], []])
    })
  )

  it.live("never signs over its budget in 17 swaps of two servers and a command line at once", () =>
    Effect.flatMap(withPolicy(), (agent) => spendAtOnce(agent, { amount: 9, calls: 8 }))
  )
})

describe("without a policy", () => {
  it.live("an agent signs nothing, and a person swaps as before", () =>
    Effect.gen(function* () {
      const { scripted, swap, workspace } = yield* makeAgent
      expect(yield* runJson(workspace, "policy", "show")).toMatchObject({
        code: 3,
        answer: { error: { name: "NoPolicy" } }
      })
      const server = yield* connect({ workspace, flags: [] })
      const order = { amount: "3", from: "usdc@base", to: "weth@arbitrum" }
      expect((yield* call(server, "execute_swap", order)).value.error).toMatchObject({ code: "NO_POLICY" })
      expect(scripted.paid()).toEqual([])
      expect(yield* swap("1", "--min-output-raw", "2")).toMatchObject({ code: 0 })
    })
  )
})

describe("a key without a password", () => {
  it.live("has an advisory policy, next to its file or in the configuration folder", () =>
    Effect.gen(function* () {
      const { scripted, workspace } = yield* makeAgent
      const { address, privateKey } = Vectors.evmKey
      const { GEOSWAP_KEYSTORE_PASSWORD: _, ...environment } = workspace.environment
      const inFile = join(workspace.folder, "evm.key")
      writeFileSync(inFile, privateKey, { mode: 0o600 })
      scripted.configure({ chains, keys: { evm: { family: "evm", file: inFile } } })
      const home = join(environment["HOME"] ?? "", ".config/geoswap/policies", address.toLowerCase())
      for (const [base, keys] of [
        [inFile, {}],
        [home, { GEOSWAP_EVM_KEY: privateKey }]
      ] as const) {
        const here = { ...workspace, environment: { ...environment, ...keys } }
        const paths = pathsOf(base)
        yield* writePolicyFiles(paths, rulesOf(scripted.url, paths))
        expect(yield* runJson(here, "policy", "show")).toMatchObject({ answer: { policy: { boundary: "advisory" } } })
        const over = yield* runJson(here, "swap", "101", "usdc@base", "weth@arbitrum", "--yes")
        expect(over).toMatchObject({ code: 3 })
      }
      expect(scripted.paid()).toEqual([])
    })
  )
})
