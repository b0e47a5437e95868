/** What our transactions offer for each compute unit, and how many they ask for. */
import { describe, expect, it, layer } from "@effect/vitest"
import { Proxy } from "@geoswap/devnet"
import * as Effect from "effect/Effect"
import { TestClock } from "effect/testing"
import type { SolanaChain } from "../../../src/chains/Chains.js"
import { budgetIn } from "../../../src/chains/solana/transactions/instructions.js"
import { marketPrice, raised } from "../../../src/chains/solana/transactions/priorityFee.js"
import { read } from "../../../src/chains/solana/transactions/wireTransaction.js"
import type { Job } from "../../../src/domain/Job.js"
import { chainAt, collectJob, person, relayer, sendJob, stranger, Svm, tokenAccountOf, usdc, vault } from "./fixture.js"

const limits = { floor: 1_000n, cap: 100_000n }

describe("the price for a compute unit", () => {
  it("is three quarters of the 75th percentile, so that our own transactions do not hold it up", () => {
    expect(marketPrice([])).toBe(0n)
    expect(marketPrice([4_000n])).toBe(3_000n)
    expect(marketPrice([0n, 8_000n, 0n, 4_000n])).toBe(6_000n)
    expect(marketPrice([0n, 0n, 0n, 0n, 8_000n])).toBe(0n)
  })

  it("doubles with every transaction that did not land, up to the cap", () => {
    expect([0, 1, 2, 6, 7, 1_000].map((tries) => raised(1_000n, limits, tries))).toEqual([
      1_000n,
      2_000n,
      4_000n,
      64_000n,
      100_000n,
      100_000n
    ])
  })
})

/** A chain behind a node that reports this price for every slot. */
const chainWith = Effect.fnUntraced(function* (price: number) {
  const node = yield* Proxy.make({ target: (yield* Svm).rpcUrl })
  const asked: Array<ReadonlyArray<string>> = []
  const setPrice = (prioritizationFee: number) =>
    node.set(
      "getRecentPrioritizationFees",
      Proxy.change((_, params) => {
        asked.push(params[0] as ReadonlyArray<string>)
        return [{ slot: 1, prioritizationFee }]
      })
    )
  yield* setPrice(price)
  const chain = yield* chainAt([node.rpcUrl], { computeUnitPrice: { floor: "1000", cap: "100000" } })
  return { asked, chain, node, setPrice }
})

const budgetOf = Effect.fnUntraced(function* (chain: SolanaChain, job: Job) {
  const { maxCost, raw } = yield* chain.sign(yield* chain.prepare(job), undefined)
  const wire = read(raw)
  if (wire === undefined) return yield* Effect.die("The attempt is not a transaction.")
  return { ...budgetIn(wire), maxCost }
})

layer(Svm.layer)("a transaction on Solana", (it) => {
  it.effect("offers the price of the accounts that it writes, which is read once in five seconds", () =>
    Effect.gen(function* () {
      const { asked, chain, setPrice } = yield* chainWith(40_000)
      const to = person(0).address
      const job = sendJob("deliver", to, 5n)
      expect(yield* budgetOf(chain, job)).toMatchObject({ price: 30_000n })
      const accounts = [relayer.address, yield* tokenAccountOf(vault.address), yield* tokenAccountOf(to)]
      expect(asked).toEqual([accounts.toSorted()])
      yield* setPrice(80_000)
      // A quote for the same accounts uses the same price, and covers the transaction.
      const cost = yield* chain.costOf({ kind: "deliver", token: usdc, party: to, opensAccount: false })
      expect(cost).toBe(10_000n + (200_000n * 30_000n) / 1_000_000n)
      expect((yield* budgetOf(chain, { ...job, opensAccount: false })).maxCost).toBeLessThan(cost)
      expect(asked).toHaveLength(1)
      yield* TestClock.adjust("5 seconds")
      expect(yield* budgetOf(chain, job)).toMatchObject({ price: 60_000n })
      expect(asked).toHaveLength(2)
    })
  )

  it.effect("offers more for a job whose transactions did not land, but never more than the cap", () =>
    Effect.gen(function* () {
      const { chain } = yield* chainWith(0)
      const job = sendJob("deliver", person(1).address, 5n)
      for (const [tries, price] of [
        [0, 1_000n],
        [1, 2_000n],
        [3, 8_000n],
        [20, 100_000n]
      ] as const) {
        expect(yield* budgetOf(chain, { ...job, tries })).toMatchObject({ price })
      }
      const { chain: congested } = yield* chainWith(1_000_000_000)
      expect(yield* budgetOf(congested, job)).toMatchObject({ price: 100_000n })
    })
  )

  it.effect("keeps the price that the wallet signed", () =>
    Effect.gen(function* () {
      const { asked, chain, setPrice } = yield* chainWith(40_000)
      const job = yield* collectJob(chain, person(2), 5n)
      const wallets = yield* tokenAccountOf(person(2).address)
      expect(asked).toEqual([[relayer.address, yield* tokenAccountOf(vault.address), wallets].toSorted()])
      yield* setPrice(100_000)
      yield* TestClock.adjust("1 minute")
      const fee = 10_000n + (80_000n * 30_000n) / 1_000_000n
      expect(yield* budgetOf(chain, job)).toEqual({ price: 30_000n, units: 80_000, maxCost: fee })
      expect(asked).toHaveLength(1)
    })
  )

  it.effect("asks for a quarter more compute units than its simulation used, and keeps those for an account", () =>
    Effect.gen(function* () {
      const { chain, node } = yield* chainWith(0)
      const use = (units: number | null) =>
        node.set(
          "simulateTransaction",
          Proxy.change((result) => {
            const { value, ...rest } = result as { readonly value: object }
            return { ...rest, value: { ...value, unitsConsumed: units } }
          })
        )
      const to = person(3).address
      const held = { ...sendJob("deliver", to, 5n), opensAccount: false }
      const opened = sendJob("deliver", stranger("budget").address, 5n)
      yield* use(20_000)
      expect(yield* budgetOf(chain, held)).toMatchObject({ units: 26_000 })
      expect(yield* budgetOf(chain, opened)).toMatchObject({ units: 86_000 })
      const drafts = [yield* chain.prepare(held), yield* chain.prepare(held)] as const
      const { count, plan } = yield* chain.combine(drafts, [chain.relayer])
      expect([count, plan]).toMatchObject([2, { units: 26_000 }])
      // Neither what a node reports nor what it omits exceeds the highest limit.
      for (const units of [10_000_000, null]) {
        yield* use(units)
        expect(yield* budgetOf(chain, held)).toMatchObject({ units: 200_000 })
      }
    })
  )

  it.effect("reserves the rent that the chain asks for", () =>
    Effect.gen(function* () {
      const { chain, node } = yield* chainWith(0)
      yield* node.set(
        "getMinimumBalanceForRentExemption",
        Proxy.change((_, [size]) => (size === 165 ? 1_000_000 : 400_000))
      )
      const opened = sendJob("deliver", stranger("rent").address, 5n)
      const { maxCost, units } = yield* budgetOf(chain, opened)
      expect(maxCost).toBe(1_010_000n + BigInt(Math.ceil(units / 1_000)))
      const cost = yield* chain.costOf({ kind: "deliver", token: usdc, opensAccount: true })
      expect(cost).toBe(1_010_200n)
      const before = yield* chain.balanceOf("11111111111111111111111111111111", relayer.address)
      expect((yield* chain.fundsAt(0n)).amount).toBe(before - 400_000n)
    })
  )
})
