import { describe, expect, it } from "@effect/vitest"
import { Chain as CoreChain, type Quote } from "@geoswap/core"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as TestClock from "effect/testing/TestClock"
import * as Seal from "../../src/accounts/Seal.js"
import * as PaymentMethods from "../../src/admission/paymentMethods.js"
import { indicativeQuote } from "../../src/calls/indicativeQuote.js"
import { quote } from "../../src/calls/quote.js"
import { cachedChains } from "../../src/chains/cachedChains.js"
import { ChainUnavailable } from "../../src/chains/ChainError.js"
import type { Chain } from "../../src/chains/Chains.js"
import type { CostQuery } from "../../src/chains/Draft.js"
import * as OrderIds from "../../src/operations/orderIds.js"
import * as Pricing from "../../src/pricing/Pricing.js"
import type * as Venue from "../../src/venue/Venue.js"
import { address, asset, chain, config, venue } from "../pricing/fixture.js"

const gwei = 1_000_000_000n
const usdc = 1_000_000n
/** A wallet that is delegated, holds every token except GEO, and has USDC. */
const delegated = address("a")
/** A wallet that is not delegated and has the highest discount, but no USDC. */
const holder = address("b")
/** A wallet that has nothing. */
const poor = address("c")
/** Solana addresses with and without a token account. */
const known = "Vote111111111111111111111111111111111111111"
const stranger = "So11111111111111111111111111111111111111112"
const vault = address("d")

/** What a test changes while the service runs. */
interface State {
  height: bigint
  gasPrice: bigint
  inventory: bigint
  largest: bigint
  down: boolean
}

const gasOf = ({ gas, kind, party }: CostQuery): bigint =>
  gas ?? (kind === "deliver" ? deliveryGas(party) : party === holder || party === poor ? 116_000n : 76_000n)

/** Only the first wallet and an unknown recipient hold the output token. */
const deliveryGas = (to: string | undefined): bigint => (to === undefined || to === delegated ? 75_000n : 92_000n)

const evmChain = (id: 1 | 2, state: State): Chain => {
  const geo = asset(1, "GEO").address
  const plain = chain(id, {
    costOf: (query) => Effect.sync(() => gasOf(query) * state.gasPrice),
    balanceOf: (token, owner) =>
      Effect.succeed(
        owner === delegated && token !== geo ? 10n ** 30n : owner === holder && token === geo ? 10n ** 30n : 0n
      )
  })
  if (plain.family !== "evm") throw new Error("It is an EVM chain.")
  return {
    ...plain,
    vault,
    vaults: [vault],
    relayer: vault,
    inventoryOf: () => Effect.sync(() => state.inventory),
    heldAt: () => Effect.sync(() => ({ amount: 2n ** 256n, block: state.height })),
    deliverableAt: () => Effect.sync(() => ({ amount: state.inventory, block: state.height })),
    balanceAt: (token, owner) =>
      Effect.map(plain.balanceOf(token, owner), (amount) => ({ amount, block: state.height })),
    delegationOf: () => Effect.succeed({ delegation: "ours" }),
    largestInput: () => Effect.sync(() => state.largest),
    height: Effect.suspend(() =>
      state.down
        ? Effect.fail(new ChainUnavailable({ chainId: id, message: "No node responds.", timeout: false }))
        : Effect.succeed(state.height)
    ),
    deliveryGas: ({ to }) => Effect.succeed({ charged: deliveryGas(to), needed: 1n })
  }
}

const rent = 2_000_000n

const solanaChain = (state: State): Chain => {
  const plain = chain(3, { costOf: ({ opensAccount }) => Effect.succeed(10_000n + (opensAccount ? rent : 0n)) })
  if (plain.family !== "solana") throw new Error("It is Solana.")
  return {
    ...plain,
    inventoryOf: () => Effect.sync(() => state.inventory),
    largestInput: () => Effect.sync(() => state.largest),
    height: Effect.sync(() => state.height),
    lacksAccount: (_, owner) => Effect.succeed(owner === stranger)
  }
}

/** The calls on three chains, with the states of the chains and the prices that the venue was asked for. */
const prepare = Effect.gen(function* () {
  const initial: State = { height: 7n, gasPrice: gwei, inventory: 10n ** 40n, largest: 10n ** 40n, down: false }
  const [first, second, solana] = [{ ...initial }, { ...initial }, { ...initial }]
  const chains = new Map([
    [1, evmChain(1, first)],
    [2, evmChain(2, second)],
    [3, solanaChain(solana)]
  ])
  const asked: Array<bigint> = []
  const counted: Venue.Venue = {
    price: (input, output, amount) => {
      if (input.address !== CoreChain.nativeToken.evm && input.address !== CoreChain.nativeToken.solana) {
        asked.push(amount)
      }
      return venue.price(input, output, amount)
    }
  }
  const directory = { chains, natives: new Map<number, string>() }
  const pricing = Pricing.fromVenue(config, counted)
  const key = { kid: "k1", key: Redacted.make(new Uint8Array(32).fill(7)) }
  const sealer = Context.get(yield* Layer.build(Seal.layer({ environment: "test", keys: [key] })), Seal.Seal)
  const cached = yield* cachedChains(directory)
  const losses = { record: () => Effect.succeed(true), since: () => Effect.succeed([]) }
  const clock = yield* Clock.Clock
  const orderIds = OrderIds.make()
  const paymentMethods = PaymentMethods.make(clock, { losses })
  const firm = quote({ directory, paymentMethods, pricing, sealer }, cached, orderIds)
  return {
    first,
    second,
    asked,
    indicative: indicativeQuote({ directory, paymentMethods, pricing }, cached, orderIds, clock),
    firm: (request: Quote.QuoteRequest) => firm("account", request)
  }
})

const pair = {
  originChain: 1,
  destinationChain: 2,
  inputToken: asset(1, "USDC").address,
  outputToken: asset(2, "WETH").address,
  amount: 100n * usdc
}
const anyone: Quote.IndicativeQuoteRequest = { ...pair, indicative: true }
const toSolana = { ...pair, destinationChain: 3, outputToken: asset(3, "USDC").address }

/** The quote without what an indicative quote without a wallet does not have. */
const priceOf = (quoted: Quote.QuoteResponse) => {
  const { geoQuoteToken: _, expiresAt: __, paymentMethods: ___, ...price } = quoted
  return price
}

describe("an indicative quote", () => {
  it.effect("without a wallet has the price of a quote for a delegated wallet that has no discount, and no token", () =>
    Effect.gen(function* () {
      const { firm, indicative } = yield* prepare
      const priced = yield* indicative(anyone)
      expect(priced).toEqual({ indicative: true, ...priceOf(yield* firm({ ...pair, walletAddress: delegated })) })
      expect(Object.keys(priced).toSorted()).toEqual([
        "feeBps",
        "indicative",
        "inputUsd",
        "minOutput",
        "networkCost",
        "origin",
        "output",
        "outputUsd",
        "priceImpactBps",
        "warnings"
      ])
      // 76,000 gas and 75,000 gas at 1 gwei, at 2,000 USDC per ETH.
      expect(priced.networkCost).toBe(302_000n)
    })
  )

  it.effect("has the price of a quote for exactly the same amount, at every size", () =>
    Effect.gen(function* () {
      const { firm, indicative } = yield* prepare
      // The venue has little of this token, so the price per unit depends on the amount.
      const thin = { ...pair, outputToken: asset(2, "THIN").address }
      for (const amount of [usdc, usdc + 1n, 10n * usdc, 10n * usdc + 1n, 999n * usdc, 1_000n * usdc]) {
        const { output } = yield* indicative({ ...thin, amount, indicative: true })
        expect(output).toBe((yield* firm({ ...thin, amount, walletAddress: delegated })).output)
      }
    })
  )

  it.effect("with a wallet includes its discount and its first delegation, and does not need its balance", () =>
    Effect.gen(function* () {
      const { firm, indicative } = yield* prepare
      const request = { ...pair, walletAddress: holder }
      expect(yield* Effect.flip(firm(request))).toMatchObject({
        code: "INSUFFICIENT_BALANCE",
        status: 422,
        details: { token: request.inputToken, balance: "0", required: `${request.amount}` }
      })
      const priced = yield* indicative({ ...request, indicative: true })
      expect(priced).toMatchObject({ feeBps: 0, feeDiscount: { tier: "gold" } })
      // 116,000 gas for the delegation, and 92,000 gas for a recipient that does not hold the token.
      expect(priced.networkCost).toBe(416_000n)
      const { feeDiscount, networkCost } = yield* indicative({ ...request, recipient: delegated, indicative: true })
      expect([feeDiscount?.tier, networkCost]).toEqual(["gold", 382_000n])
    })
  )

  it.effect(
    "needs no recipient on a chain of the other family, and includes the token account of a new recipient",
    () =>
      Effect.gen(function* () {
        const { firm, indicative } = yield* prepare
        const without = yield* indicative({ ...toSolana, indicative: true })
        const withWallet = yield* indicative({ ...toSolana, walletAddress: delegated, indicative: true })
        expect(withWallet).toEqual({ ...without, paymentMethods: ["delegation"] })
        expect(yield* Effect.flip(firm({ ...toSolana, walletAddress: delegated }))).toMatchObject({
          code: "VALIDATION"
        })
        expect(yield* indicative({ ...toSolana, recipient: known, indicative: true })).toEqual(without)
        const opened = yield* indicative({ ...toSolana, recipient: stranger, indicative: true })
        // 0.002 SOL at 100 USDC.
        expect((opened.networkCost ?? 0n) - (without.networkCost ?? 0n)).toBe(200_000n)
      })
  )

  it.effect("is refused for the same reasons as a quote, except for the balance", () =>
    Effect.gen(function* () {
      const { first, firm, indicative, second } = yield* prepare
      const wallet = { walletAddress: delegated }
      const typo = CoreChain.checksum(address("b")).replace(/[A-F]/, (digit) => digit.toLowerCase())
      const cases: ReadonlyArray<readonly [Partial<Quote.QuoteRequest>, string, string]> = [
        [{ amount: 1n }, "NEEDS_LARGER_SIZE", "does not cover the network cost"],
        [{ originChain: 9 }, "NO_ROUTE", "Chain 9 is not supported"],
        [{ destinationChain: 9 }, "NO_ROUTE", "Chain 9 is not supported"],
        [{ destinationChain: 1, outputToken: pair.inputToken }, "VALIDATION", "outputToken"],
        [{ destinationChain: 3 }, "VALIDATION", "outputToken"],
        [{ outputToken: address("9") }, "NO_ROUTE", "is not supported on Arbitrum"],
        [{ walletAddress: typo }, "VALIDATION", "walletAddress"],
        [{ walletAddress: vault }, "VALIDATION", "walletAddress: belongs to this service"],
        [{ walletAddress: known }, "VALIDATION", "walletAddress"],
        [{ recipient: vault }, "VALIDATION", "recipient: is a token or belongs to this service"],
        [{ recipient: asset(2, "USDC").address }, "VALIDATION", "recipient: is a token or belongs to this service"],
        [{ recipient: CoreChain.nativeToken.evm }, "VALIDATION", "recipient"],
        [{ inputToken: CoreChain.nativeToken.evm }, "VALIDATION", "inputToken"],
        [{ slippageBps: 10_001 }, "VALIDATION", "slippageBps"]
      ]
      for (const [change, code, message] of cases) {
        const refused = yield* Effect.flip(indicative({ ...anyone, ...change }))
        expect(refused).toMatchObject({ code, message: expect.stringContaining(message) as string })
        expect(yield* Effect.flip(firm({ ...pair, ...wallet, ...change }))).toEqual(refused)
      }
      expect(yield* Effect.flip(firm({ ...toSolana, ...wallet }))).toMatchObject({
        code: "VALIDATION",
        message: expect.stringContaining("recipient") as string
      })
      first.largest = 5n
      first.height++
      yield* TestClock.adjust("1 second")
      expect(yield* Effect.flip(indicative(anyone))).toMatchObject({
        code: "NEEDS_SMALLER_SIZE",
        details: { maximum: "5" }
      })
      first.largest = 10n ** 40n
      first.height++
      second.inventory = 5n
      second.height++
      yield* TestClock.adjust("1 second")
      expect(yield* Effect.flip(indicative(anyone))).toMatchObject({
        code: "NEEDS_SMALLER_SIZE",
        message: expect.stringContaining("does not have enough WETH") as string
      })
      first.down = true
      yield* TestClock.adjust("1 second")
      expect(yield* Effect.flip(indicative(anyone))).toMatchObject({ code: "UNAVAILABLE", status: 503 })
    })
  )

  it.effect("is computed once per block of each chain, and again after a block on either chain", () =>
    Effect.gen(function* () {
      const { asked, first, firm, indicative, second } = yield* prepare
      const before = yield* indicative(anyone)
      second.gasPrice = 2n * gwei
      yield* TestClock.adjust("1 second")
      expect(yield* indicative(anyone)).toEqual(before)
      expect(asked).toHaveLength(1)
      second.height++
      yield* TestClock.adjust("1 second")
      const after = yield* indicative(anyone)
      expect(after.output).toBeLessThan(before.output)
      expect(asked).toHaveLength(2)
      expect(after).toEqual({ indicative: true, ...priceOf(yield* firm({ ...pair, walletAddress: delegated })) })
      first.height++
      yield* TestClock.adjust("1 second")
      yield* indicative(anyone)
      expect(asked).toHaveLength(4)
    })
  )

  it.effect("is computed again after three seconds without a block", () =>
    Effect.gen(function* () {
      const { asked, indicative } = yield* prepare
      yield* indicative(anyone)
      yield* TestClock.adjust("2999 millis")
      yield* indicative(anyone)
      expect(asked).toHaveLength(1)
      yield* TestClock.adjust("1 millis")
      yield* indicative(anyone)
      expect(asked).toHaveLength(2)
    })
  )

  it.effect("is computed once for concurrent calls, and separately for everything that changes the price", () =>
    Effect.gen(function* () {
      const { asked, indicative } = yield* prepare
      const same = yield* Effect.all(
        Array.from({ length: 50 }, () => indicative(anyone)),
        { concurrency: "unbounded" }
      )
      expect(asked).toHaveLength(1)
      expect(new Set(same).size).toBe(1)
      for (const change of [
        { amount: 100n * usdc + 1n },
        { outputToken: asset(2, "USDC").address },
        { slippageBps: 0 },
        { walletAddress: poor },
        { recipient: poor },
        toSolana
      ]) {
        yield* indicative({ ...anyone, ...change })
        yield* indicative({ ...anyone, ...change })
      }
      expect(asked).toHaveLength(7)
      // The same wallet in another case is the same wallet.
      yield* indicative({ ...anyone, walletAddress: CoreChain.checksum(poor) })
      expect(asked).toHaveLength(7)
    })
  )
})
