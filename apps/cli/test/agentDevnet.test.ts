/** A policy on the chains of a devnet: swaps, a resumed swap, and a revoked delegation. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { describe, expect, vi } from "vitest"
import { macKeysOf } from "../src/agent/mac.js"
import type { AgentRules } from "../src/agent/PolicyFile.js"
import { pathsOf, writePolicyFiles } from "./agentFixture.js"
import { onDevnet, Fixture } from "./fixture.js"
import { runJson } from "./runCli.js"
import { makeUser } from "./swapFixture.js"

vi.setConfig({ testTimeout: 300_000 })

/** A user whose devnet wallet has a policy: 250 USDC in total, for WETH, to one recipient. */
const makeGoverned = Effect.fnUntraced(function* (name: string) {
  const user = yield* makeUser(name)
  const { devnet } = yield* Fixture
  const devnetFile = join(user.workspace.folder, ".geoswap", "devnet.json")
  const file = JSON.parse(readFileSync(devnetFile, "utf8")) as {
    readonly service: { readonly url: string }
    readonly wallets: ReadonlyArray<{ readonly name: string; readonly address: string; readonly privateKey: string }>
  }
  const { address = "", privateKey = "" } = file.wallets.find((wallet) => wallet.name === name) ?? {}
  const keys = macKeysOf(Buffer.from(privateKey.slice(2), "hex"))
  const paths = pathsOf(`${devnetFile}.${address.toLowerCase()}`)
  const { evmA, evmB } = devnet
  const tokenOf = ({ id, tokens }: typeof evmA, symbol: string) => {
    const { address: at = "", decimals = 0 } = tokens.find((token) => token.symbol === symbol) ?? {}
    return { chainId: id, address: at, symbol, decimals }
  }
  const [usdc, weth] = [tokenOf(evmA, "USDC"), tokenOf(evmB, "WETH")]
  const { account, vault } = evmA.contracts
  const [input, output] = [
    { chainId: usdc.chainId, token: usdc.address },
    { chainId: weth.chainId, token: weth.address }
  ]
  const rules: AgentRules = {
    version: 1,
    revision: 1,
    wallet: { family: "evm", address },
    store: { path: paths.store, id: name },
    service: file.service.url,
    deployments: { [evmA.id]: { delegates: [account], vault } },
    nodes: { [evmA.id]: evmA.rpcUrl },
    chains: [evmA.id, evmB.id],
    tokens: [usdc, weth],
    recipients: [user.recipient],
    budgets: [{ ...input, amount: "250000000", window: "total" }],
    approveAbove: [],
    maxSlippageBps: 500,
    maxFeeBps: 100,
    maxTotalCostBps: 300,
    maxSwapsPerHour: 10,
    pairs: [{ input, output, minRate: "0.0001" }],
    approvalSeconds: 900,
    elicitation: false,
    acceptClaims: true
  }
  yield* writePolicyFiles(paths, rules, keys)
  const policy = Effect.map(
    runJson(user.workspace, "policy", "show", "--devnet", "--wallet", name),
    ({ answer }) =>
      (answer as { readonly policy: { readonly boundary: string; readonly budgets: ReadonlyArray<object> } }).policy
  )
  return { ...user, policy }
})

describe("a devnet wallet with a policy", () => {
  onDevnet((it) => {
    it.effect("pays no more than its budget, and revokes its delegation", () =>
      Effect.gen(function* () {
        const user = yield* makeGoverned("alice")
        for (let times = 0; times < 2; times++) {
          expect((yield* user.json("cli-swap", "swap", ...user.swapArgs, "--yes")).code).toBe(0)
        }
        const over = yield* user.json("cli-error", "swap", ...user.swapArgs, "--yes")
        expect([over.code, over.answer.error?.message]).toEqual([3, expect.stringContaining("50 USDC more")])
        expect(yield* user.policy).toMatchObject({ boundary: "advisory", budgets: [{ spent: "200", left: "50" }] })
        const { evmA } = (yield* Fixture).devnet
        const revoked = yield* user.geoswap("delegation", "revoke", evmA.name, "--yes", "--devnet", "--wallet", "alice")
        expect([revoked.stderr, revoked.code]).toEqual(["", 0])
        expect(yield* user.executions).toEqual({ collected: 2, delivered: 2 })
      })
    )

    it.effect("resumes a swap whose process was killed, in the policy's store", () =>
      Effect.gen(function* () {
        const user = yield* makeGoverned("bob")
        const args = ["swap", ...user.swapArgs, "--yes", "--idempotency-key", "order-1"]
        yield* user.killAt(/swap\/submit/, "after", ...args)
        const resumed = yield* user.json("cli-resume", "resume", "--devnet")
        expect(resumed.answer["resumed"]).toMatchObject([{ swap: { status: "settled" } }])
        // The key belongs to the resumed swap.
        expect((yield* user.json("cli-swap", ...args)).code).toBe(0)
        expect(yield* user.executions).toEqual({ collected: 1, delivered: 1 })
        expect(yield* user.policy).toMatchObject({ budgets: [{ spent: "100", left: "150" }] })
      })
    )
  })
})
