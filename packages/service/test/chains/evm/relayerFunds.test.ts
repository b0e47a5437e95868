import { describe, it, layer } from "@effect/vitest"
import { Proxy } from "@geoswap/devnet"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as TestClock from "effect/testing/TestClock"
import { parseTransaction } from "viem"
import { generatePrivateKey } from "viem/accounts"
import { expect } from "vitest"
import type { PendingCosts } from "../../../src/chains/Draft.js"
import * as EvmChain from "../../../src/chains/evm/EvmChain.js"
import * as EvmKeys from "../../../src/chains/evm/EvmKeys.js"
import * as RelayerFunds from "../../../src/chains/evm/fees/relayerFunds.js"
import type { Attempt } from "../../../src/domain/SwapRecord.js"
import { EvmFixture, freshAddress, layer as fixtureLayer, native } from "./fixture.js"

const ether = 10n ** 18n

/** A chain with two relayers that have this much. Neither of them has the vault's role. */
const twoRelayers = Effect.fnUntraced(function* (...balances: readonly [bigint, bigint]) {
  const fixture = yield* EvmFixture
  const newKey = Effect.suspend(() => EvmKeys.fromPrivateKey(Redacted.make(generatePrivateKey())))
  const keys = [yield* newKey, yield* newKey] as const
  const [first, second] = [keys[0].address, keys[1].address]
  const setBalance = (address: `0x${string}`, value: bigint) =>
    Effect.promise(() => fixture.client.setBalance({ address, value }))
  yield* setBalance(first, balances[0])
  yield* setBalance(second, balances[1])
  const make = (rpcUrl = fixture.node.rpcUrl, pollMillis = 0) =>
    EvmChain.make({ config: { ...fixture.config, pollMillis, rpcUrls: [rpcUrl] }, keys })
  return { ...fixture, chain: yield* make(), first, make, second, setBalance }
})

/** What is pending, and what the chain adds to it. */
const pendingOf = (costs: Readonly<Record<string, bigint>>) => {
  const added: Array<readonly [relayer: string, cost: bigint, balance: bigint]> = []
  const pending: PendingCosts = {
    of: (relayer) => costs[relayer] ?? 0n,
    add: (relayer, cost, balance) => void added.push([relayer, cost, balance])
  }
  return { added, pending }
}

/** The most that a signed transaction can cost, according to its bytes. */
const costOf = ({ raw }: Attempt) => {
  const { gas = 0n, maxFeePerGas = 0n, value = 0n } = parseTransaction(raw as `0x02${string}`)
  return gas * maxFeePerGas + value
}

describe("an EVM relayer", () => {
  layer(fixtureLayer, { timeout: 120_000 })((it) => {
    it.effect("signs if it is the first that can pay in addition to its pending transactions", () =>
      Effect.gen(function* () {
        const { chain: known, key, sendJob, usdc } = yield* EvmFixture
        const job = sendJob("deliver", usdc, freshAddress(), 1n)
        const draft = yield* known.prepare(job)
        const attempt = yield* known.sign(draft, 0)
        const cost = costOf(attempt)
        expect(attempt.maxCost).toBe(cost)
        const own = yield* known.balanceOf(native, key.address)
        // The balance covers the transaction, but not with the pending ones.
        const { added, pending } = pendingOf({ [key.address]: own - cost + 1n })
        const error = yield* Effect.flip(known.prepare(job, undefined, pending))
        expect(error.message).toMatch(
          /^The relayer 0x\w{40} has [\d.]+ ETH on chain 31337 \(devnet-a\)\. Its pending transactions may cost [\d.]+ ETH, and the deliver transaction may cost 0\.\d+ ETH\. Top up the relayer\.$/
        )
        const { pending: less } = pendingOf({ [key.address]: own - cost })
        expect((yield* known.prepare(job, undefined, less)).relayer).toBe(key.address)
        // A prepared transaction may be combined with others, so nothing is added yet.
        expect(added).toEqual([])

        const { chain, first, second } = yield* twoRelayers(ether, 2n * ether)
        const both = [first, second] as const
        const chosen = pendingOf({ [first]: ether - cost + 1n, [second]: 5n })
        const combined = yield* chain.combine([draft], both, chosen.pending)
        expect([combined.count, combined.relayer]).toEqual([1, second])
        const signed = yield* chain.sign(combined, 0)
        expect(chosen.added).toEqual([[second, costOf(signed), 2n * ether]])
        const none = pendingOf({ [first]: ether, [second]: 2n * ether })
        expect((yield* Effect.flip(chain.combine([draft], both, none.pending))).message).toContain(first.toLowerCase())
        expect(none.added).toEqual([])
      })
    )

    it.effect("combines only as many jobs as it can pay for in addition to its pending transactions", () =>
      Effect.gen(function* () {
        const { chain: known, sendJob, usdc } = yield* EvmFixture
        const job = () => sendJob("deliver", usdc, freshAddress(), 1n)
        const [one, two] = [yield* known.prepare(job()), yield* known.prepare(job())]
        const { chain, first } = yield* twoRelayers(ether, 0n)
        const all = pendingOf({})
        expect((yield* chain.combine([one, two], [first], all.pending)).count).toBe(2)
        const cost = all.added[0]?.[1] ?? 0n
        const less = pendingOf({ [first]: ether - cost + 1n })
        expect((yield* chain.combine([one, two], [first], less.pending)).count).toBe(1)
        expect(less.added).toHaveLength(1)
      })
    )

    it.effect("signs a delegation change if it is the first that can pay", () =>
      Effect.gen(function* () {
        const { chain, delegate, first, newWallet, node, second } = yield* twoRelayers(ether, ether)
        const wallet = yield* newWallet(0n)
        const {
          r,
          s,
          yParity = 0
        } = yield* Effect.promise(() => wallet.signAuthorization({ address: delegate, chainId: node.id, nonce: 0 }))
        const authorization = {
          chainId: node.id,
          address: delegate,
          nonce: 0,
          yParity: yParity === 1 ? 1 : 0,
          r,
          s
        } as const
        const chosen = pendingOf({ [first]: ether })
        const draft = yield* chain.delegations.prepare(authorization, [first, second], chosen.pending)
        const signed = yield* chain.delegations.sign(draft, 0)
        expect(signed.maxCost).toBe(costOf(signed))
        expect(chosen.added).toEqual([[second, costOf(signed), ether]])
        const none = pendingOf({ [first]: ether, [second]: ether })
        const error = yield* Effect.flip(chain.delegations.prepare(authorization, [first, second], none.pending))
        expect(error.message).toContain("the delegation transaction may cost")
      })
    )

    it.effect("raises the most that a nonce can cost when it replaces a transaction", () =>
      Effect.gen(function* () {
        const { chain, node, send, sendJob, usdc } = yield* EvmFixture
        const job = sendJob("deliver", usdc, freshAddress(), 1n)
        const first = yield* send(job)
        yield* TestClock.adjust("1 minute")
        const bump = yield* chain.replace(job, [first], false)
        const cancel = yield* chain.replace(job, [first], true)
        if (bump === undefined || cancel === undefined) return yield* Effect.die("There is no replacement.")
        expect([first, bump, cancel].map(({ maxCost }) => maxCost)).toEqual([first, bump, cancel].map(costOf))
        expect(bump.maxCost).toBeGreaterThan(first.maxCost ?? 0n)
        expect(cancel.maxCost).toBeLessThan(first.maxCost ?? 0n)
        yield* node.mine()
      })
    )

    const height = Effect.flatMap(EvmFixture, ({ client }) => Effect.promise(() => client.getBlockNumber()))

    it.effect("holds funds that are read at one block, for all relayers or for those that are given", () =>
      Effect.gen(function* () {
        const { chain, first, node, second } = yield* twoRelayers(7n, 5n)
        const block = yield* height
        expect(yield* chain.fundsAt(0n)).toEqual({ amount: 12n, block })
        expect(yield* chain.fundsAt(block, [second])).toEqual({ amount: 5n, block })
        expect(yield* Effect.flip(chain.fundsAt(block + 1n, [first]))).toMatchObject({ behind: true })
        yield* node.mine()
        expect(yield* chain.fundsAt(block + 1n)).toEqual({ amount: 12n, block: block + 1n })
      })
    )

    it.effect("holds funds that are read with one call per block", () =>
      Effect.gen(function* () {
        const { make, node, setBalance, first } = yield* twoRelayers(7n, 5n)
        const proxy = yield* Proxy.make({ target: node.rpcUrl })
        const chain = yield* make(proxy.rpcUrl, 60_000)
        const query = { token: native, opensAccount: false, gas: 70_000n } as const
        const read = Effect.all(
          [chain.fundsAt(0n), chain.fundsAt(0n), chain.mostCostOf({ kind: "deliver", ...query })],
          { concurrency: "unbounded" }
        )
        yield* read
        const calls = { eth_getBlockByNumber: 1, eth_call: 1, eth_feeHistory: 1 }
        expect(yield* proxy.callsByMethod).toEqual(calls)
        yield* read
        expect(yield* proxy.callsByMethod).toEqual(calls)
        yield* setBalance(first, 10n)
        yield* node.mine()
        expect(yield* chain.fundsAt(yield* height)).toMatchObject({ amount: 15n })
      }).pipe(Effect.scoped)
    )
  })

  it.effect("holds funds that are read again if a block arrives between the reads", () =>
    Effect.gen(function* () {
      const asked: Array<bigint> = []
      // An ether moves from the first relayer to the second one in block 11.
      const fundsAt = RelayerFunds.make(
        {
          balanceAt: (_, relayer, since) =>
            Effect.sync(() => {
              asked.push(since)
              const block = since > 10n || relayer === "two" ? 11n : 10n
              return { amount: (relayer === "one") === (block === 10n) ? ether : 0n, block }
            })
        },
        ["one", "two"]
      )
      expect(yield* fundsAt(3n)).toEqual({ amount: ether, block: 11n })
      expect(asked).toEqual([3n, 3n, 11n, 11n])
    })
  )
})
