/**
 * A scripted adversary controls the agent, the service, the files and the clock of a wallet with a policy. Every
 * signature is recorded right above the private key, and an oracle compares it with the policy.
 *
 * There is one attempt for every 100 of `FUZZ_RUNS`, and at least one attempt of every kind. `FUZZ_SEED` sets the seed, and `FUZZ_CASE` runs
 * only the world with this number.
 */
import { describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { expect } from "vitest"
import { isWhole, repeat, runs, seed, seededRandom } from "../../../tooling/testing/seededRandom.ts"
import type { AgentRules } from "../src/agent/PolicyFile.js"
import { type Attack, attacks, swap, withFalseOperation, withFalseQuote } from "./adversary/attacks.js"
import { runProcesses } from "./adversary/processes.js"
import { attemptsIn, coveringWorlds, emptyCounts, format, runWorld } from "./adversary/run.js"
import { evil, geo, optimism, thief, usdc, usdt, wbtc, weth } from "./adversary/world.js"
import { macKeys } from "./agentFixture.js"

const attempts = Math.max(60, Math.ceil(runs / 100))

const only = process.env["FUZZ_CASE"]

type Change = (rules: AgentRules) => AgentRules

/** A short run has one control of each kind of lie. */
const isLong = runs > 10_000

/** Makes the same order again and again. */
const ordering =
  (order: Record<string, unknown>): Attack =>
  async (means) => {
    await swap(means, order)
  }

/** A pair whose rate allows everything. */
const withoutRate = (chainId: number, token: string) => ({
  input: { chainId: 8453, token: usdc },
  output: { chainId, token },
  minRate: "0"
})

const timeout = Math.max(300_000, attempts * 1_000)

describe(`an adversary with seed ${seed}`, () => {
  it.live(
    `gets no signature beyond the policy in at least ${attempts} attempts`,
    () =>
      Effect.promise(async () => {
        const counts = emptyCounts()
        const isOpen = (world: number) => world < coveringWorlds || attemptsIn(counts) < attempts
        for (let world = only === undefined ? 0 : Number(only); isOpen(world); world++) {
          // The first worlds share the attempts of a short run.
          const most = (attempts - attemptsIn(counts)) / Math.max(1, coveringWorlds - world)
          await runWorld(world, seededRandom(seed ^ 0xad7e, world), counts, most)
          const [first] = counts.violations
          if (first)
            expect.fail(`${first.limit}: ${first.found}, by ${first.kind}; ${repeat(first.world)}\n${format(counts)}`)
          if (!isWhole) break
        }
        process.stdout.write(`${format(counts)}\n`)
        if (!isWhole) return
        // Where nothing is signed, nothing is shown.
        expect([...counts.kinds.keys()].toSorted()).toEqual(Object.keys(attacks).toSorted())
        const honest = counts.kinds.get("honest swap")
        expect(honest?.swapped).toBeGreaterThan((honest?.attempts ?? 0) * 0.7)
        expect(counts.swaps).toBeGreaterThan(attempts / 20)
      }),
    timeout
  )

  // `approve.test.ts` and `agentPolicy.test.ts` have an approval and a budget that several processes use at once.
  const withProcesses = [{ processes: "several processes of the built program" }]
  it.live.each(isLong ? withProcesses : [])(
    "gets no signature beyond the policy from $processes",
    () =>
      Effect.gen(function* () {
        const counts = emptyCounts()
        const found = yield* runProcesses(seededRandom(seed ^ 0x9c05, 0), counts)
        const { budget, elsewhere, recorded, submitted } = found
        process.stdout.write(`${format(counts)}\n`)
        expect(counts.violations).toEqual([])
        expect(elsewhere).toEqual([])
        // Nothing was sent that was not recorded.
        expect(recorded).toBeGreaterThanOrEqual(submitted.length)
        const paid = submitted.reduce((sum, amount) => sum + amount, 0n)
        expect(paid).toBeLessThanOrEqual(budget)
        expect(paid).toBeGreaterThan((budget * 6n) / 10n)
      }),
    timeout
  )

  /** Each control removes one limit from the program, but not from the oracle, and makes attempts of one kind. */
  const controls: ReadonlyArray<
    readonly [limit: string, what: string, weaken: Change, attack: Attack, adjust?: Change]
  > = [
    [
      "budgets",
      "the budgets",
      (rules) => ({ ...rules, budgets: rules.budgets.map((one) => ({ ...one, amount: "9".repeat(30) })) }),
      ordering({ amount: "45" }),
      (rules) => ({ ...rules, approveAbove: [] })
    ],
    [
      "maxSwapsPerHour",
      "the number of swaps",
      (rules) => ({ ...rules, maxSwapsPerHour: 1_000 }),
      ordering({ amount: "1" }),
      (rules) => ({ ...rules, maxSwapsPerHour: 2 })
    ],
    [
      "recipients",
      "the recipients",
      (rules) => ({ ...rules, recipients: [...rules.recipients, thief] }),
      ordering({ recipient: thief })
    ],
    [
      "chains",
      "the chains",
      (rules) => ({
        ...rules,
        chains: [...rules.chains, optimism],
        tokens: [...rules.tokens, { chainId: optimism, address: usdc, symbol: "USDC", decimals: 6 }],
        pairs: [...rules.pairs, withoutRate(optimism, usdc)]
      }),
      ordering({ to: "usdc@optimism" })
    ],
    [
      "tokens",
      "the tokens",
      (rules) => ({
        ...rules,
        tokens: [...rules.tokens, { chainId: 8453, address: geo, symbol: "GEO", decimals: 9 }],
        pairs: [...rules.pairs, withoutRate(8453, geo)]
      }),
      ordering({ to: "geo@base" })
    ],
    [
      "delegates",
      "the delegates",
      (rules) => ({
        ...rules,
        deployments: Object.fromEntries(
          Object.entries(rules.deployments).map(([chain, one]) => [chain, { ...one, older: [evil] }])
        )
      }),
      (means) => withFalseOperation(means, () => ({ ...evil }), {})
    ],
    [
      "deadline",
      "the lifetime",
      (rules) => ({ ...rules, maxLifetimeSeconds: 99_999 }),
      (means) => withFalseOperation(means, () => ({ deadline: Math.floor(means.world.now() / 1000) + 3_600 }), {})
    ],
    [
      "maxSlippageBps",
      "the slippage",
      (rules) => ({ ...rules, maxSlippageBps: 10_000 }),
      ordering({ slippageBps: 900 })
    ],
    [
      "maxFeeBps",
      "the fee",
      (rules) => ({ ...rules, maxFeeBps: 10_000 }),
      (means) => withFalseQuote(means, () => ({ feeBps: 51 }), {})
    ],
    [
      "maxTotalCostBps",
      "the total cost",
      (rules) => ({ ...rules, maxTotalCostBps: 10_000 }),
      (means) => withFalseQuote(means, () => ({ priceImpactBps: -201 }), {})
    ],
    [
      "minRate",
      "a minimum rate",
      (rules) => ({ ...rules, pairs: [withoutRate(42161, weth)] }),
      (means) => withFalseQuote(means, () => ({ output: "2000000", minOutput: "2000000" }), {})
    ],
    [
      "prices",
      "its prices",
      (rules) => ({ ...rules, pairs: [withoutRate(42161, wbtc)] }),
      (means) => withFalseQuote(means, () => ({ output: "2000000", minOutput: "2000000" }), { to: "wbtc@arbitrum" })
    ],
    [
      "approval",
      "the threshold for approvals",
      (rules) => ({ ...rules, approveAbove: [] }),
      ordering({ amount: "51" })
    ],
    [
      "approval",
      "the threshold for the swaps of an hour",
      (rules) => ({ ...rules, approveAbove: [] }),
      ordering({ amount: "20" }),
      (rules) => ({ ...rules, approveAbove: [{ chainId: 8453, token: usdc, amount: "50000000", window: "hour" }] })
    ],
    [
      "approval",
      "approvals without a price",
      (rules) => ({
        ...rules,
        pairs: [...rules.pairs, { ...withoutRate(42161, weth), input: { chainId: 8453, token: usdt } }]
      }),
      ordering({ from: "usdt@base" })
    ]
  ]
  const short = ["budgets", "deadline", "minRate"]
  it.live.each(controls.filter(([limit]) => isLong || short.includes(limit)))(
    "breaks %s if the program does not enforce %s",
    ([limit, , weaken, only, adjust]) =>
      Effect.promise(async () => {
        const [enforced, ignored] = [emptyCounts(), emptyCounts()]
        const random = () => seededRandom(seed ^ 0xc0de, 0)
        const options = { only, ...(adjust && { adjust }) }
        await runWorld(0, random(), enforced, 4, options)
        expect(enforced.violations).toEqual([])
        await runWorld(0, random(), ignored, 12, { ...options, weaken })
        expect(ignored.violations.map((one) => one.limit)).toContain(limit)
      })
  )

  const stolen: ReadonlyArray<readonly [what: string, kind: string, limits: ReadonlyArray<string>]> = [
    // Its orders are for other recipients, or above the budget or the threshold. The first that is signed ends the run.
    ["a limit", "tampered policy", ["approval", "budgets", "recipients"]],
    ["budgets", "tampered store", ["approval", "budgets"]],
    ["approval", "approval", ["approval"]]
  ]
  it.live.each(isLong ? stolen : stolen.slice(0, 1))(
    "breaks %s once it has the keys of the MACs (%s)",
    ([, kind, limits]) =>
      Effect.promise(async () => {
        const counts = emptyCounts()
        const [, attack] = attacks[kind] ?? []
        if (attack === undefined) return expect.fail(`There is no attack ${kind}.`)
        for (let world = 0; world < 12 && counts.violations.length === 0; world++) {
          await runWorld(world, seededRandom(seed ^ 0x3ac5, world), counts, 40, { stolen: macKeys, only: attack })
        }
        expect(limits).toContain(counts.violations[0]?.limit)
      })
  )
})
