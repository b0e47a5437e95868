import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { Chain, type Network, Policy, type Quote, Store, SwapError } from "../src/index.js"
import { checkBudgets, reserveAll } from "../src/programs/budget.js"
import { discard } from "../src/store/wallet.js"
import { ScriptedTransport } from "../src/testing.js"
import { storageStore } from "../src/store/records.js"

const { evmRequest: request, solanaRequest } = ScriptedTransport
/** The costs of a quote whose total is known. */
const costing = (bps: number): Quote.Costs => ({ fee: { bps: 12.5 }, total: { bps } })

const quote: Quote.Quote = {
  geoQuoteToken: "q",
  output: 10_000n,
  minOutput: 9_950n,
  feeBps: 12.5,
  expiresAt: new Date(0),
  costs: costing(100)
}
const upper = (address: string) => `0x${address.slice(2).toUpperCase()}`
const elsewhere = `0x${"99".repeat(20)}`

/** The rule that refuses, or `undefined` if the policy allows it. */
const ruleOf = <A>(judged: Effect.Effect<A, SwapError.PolicyViolation | SwapError.StoreError>) =>
  Effect.match(judged, {
    onSuccess: () => undefined,
    onFailure: (error) => (error._tag === "PolicyViolation" ? error.rule : error._tag)
  })

/** Reserves what a policy reserves for a request, as the swap programs do before they sign. */
const reserve = (store: Store.Store, policy: Policy.Policy, asked: Quote.QuoteRequest, id: string) =>
  Effect.flatMap(
    store.update<SwapError.PolicyViolation | undefined>(asked.walletAddress, (wallet, now) => {
      const spent = reserveAll(wallet.spent, policy.reservations(asked), id, now)
      return SwapError.isSwapError(spent) ? [wallet, spent] : [{ ...wallet, spent }, undefined]
    }),
    (refused) => (refused ? Effect.fail(refused) : Effect.void)
  )

const judgeRequest = (options: Policy.Options, changes: Partial<Quote.QuoteRequest> = {}) =>
  Effect.flatMap(Policy.make(options), (policy) => ruleOf(policy.checkRequest({ ...request, ...changes })))

const judgeQuote = (
  options: Policy.Options,
  changes: Partial<Quote.Quote> = {},
  asked: Partial<Quote.QuoteRequest> = {}
) =>
  Effect.flatMap(Policy.make(options), (policy) =>
    ruleOf(policy.checkQuote({ ...request, ...asked }, { ...quote, ...changes }))
  )

/** A quote without a field. */
const without = (field: keyof Quote.Quote): Quote.Quote => {
  const { [field]: _, ...rest } = quote
  return rest as Quote.Quote
}

describe("a policy without rules", () => {
  it.effect("verifies, pins nothing and allows any valid quote", () =>
    Effect.gen(function* () {
      const policy = yield* Policy.make()
      expect(policy.verification).toBe("required")
      expect(policy.deploymentOf(8453)).toBeUndefined()
      yield* policy.checkRequest(request)
      yield* policy.checkQuote(request, quote)
      yield* policy.checkQuote(request, { ...quote, feeBps: 9_999, costs: costing(9_999) })
      yield* policy.checkQuote(request, { ...quote, costs: { fee: { bps: 12.5 } } })
      expect(policy.reservations({ ...request, amount: 2n ** 255n })).toEqual([])
      yield* policy.approve({ request, quote, reservation: "one" })
    })
  )

  it.effect.each([
    ["an output of one unit", { output: 1n, minOutput: 1n }, undefined],
    ["a minimum of nothing", { minOutput: 0n }, "minOutput"],
    ["an output of nothing", { output: 0n, minOutput: 0n }, "minOutput"],
    ["a minimum as large as the output", { minOutput: 10_000n }, undefined],
    ["a minimum above the output", { minOutput: 10_001n }, "minOutput"]
  ] as const)("checks %s", ([, changes, rule]) =>
    Effect.gen(function* () {
      expect(yield* judgeQuote({}, changes)).toBe(rule)
    })
  )
})

describe("the policy's verification and network", () => {
  it.effect("are those of the caller", () =>
    Effect.gen(function* () {
      const deployment = { delegates: [elsewhere], vault: elsewhere }
      const network: Network.Network = { chains: [{ id: 8453, name: "base", family: "evm", deployment }] }
      const policy = yield* Policy.make({ verification: "when-possible", network })
      expect(policy.verification).toBe("when-possible")
      expect(policy.deploymentOf(8453)).toBe(deployment)
      expect(policy.deploymentOf(42161)).toBeUndefined()
    })
  )

  it.effect("can be provided as a layer", () =>
    Effect.gen(function* () {
      const policy = yield* Policy.Policy.pipe(Effect.provide(Policy.layer({ verification: "when-possible" })))
      expect(policy.verification).toBe("when-possible")
      expect((yield* Policy.Policy.pipe(Effect.provide(Policy.layer()))).verification).toBe("required")
    })
  )
})

describe("allowedChains", () => {
  it.effect.each([
    [[8453, 42161], undefined],
    [[8453], "allowedChains"],
    [[42161], "allowedChains"],
    [[], "allowedChains"]
  ] as const)("%j for a swap from 8453 to 42161", ([allowedChains, rule]) =>
    Effect.gen(function* () {
      expect(yield* judgeRequest({ allowedChains })).toBe(rule)
    })
  )
})

describe("allowedTokens", () => {
  const paid = { chainId: 8453, token: request.inputToken }
  const received = { chainId: 42161, token: request.outputToken }

  it.effect.each([
    ["both tokens", [paid, received], undefined],
    ["both tokens in upper case", [{ ...paid, token: upper(paid.token) }, received], undefined],
    ["only the token that is paid", [paid], "allowedTokens"],
    ["only the token that is received", [received], "allowedTokens"],
    ["both tokens, one of them on another chain", [paid, { ...received, chainId: 8453 }], "allowedTokens"],
    ["none", [], "allowedTokens"]
  ] as const)("with %s", ([, allowedTokens, rule]) =>
    Effect.gen(function* () {
      expect(yield* judgeRequest({ allowedTokens })).toBe(rule)
    })
  )

  it.effect("distinguishes Solana addresses by case", () =>
    Effect.gen(function* () {
      const refs = (token: string) => [
        { chainId: Chain.solanaMainnet, token },
        { chainId: 8453, token: solanaRequest.outputToken }
      ]
      const { inputToken } = solanaRequest
      expect(yield* judgeRequest({ allowedTokens: refs(inputToken) }, solanaRequest)).toBeUndefined()
      expect(yield* judgeRequest({ allowedTokens: refs(inputToken.toLowerCase()) }, solanaRequest)).toBe(
        "allowedTokens"
      )
    })
  )
})

describe("allowedRecipients", () => {
  it.effect.each([
    ["the recipient among others", [elsewhere, request.inputToken], { recipient: request.inputToken }, undefined],
    ["the recipient in upper case", [upper(request.inputToken)], { recipient: request.inputToken }, undefined],
    ["another", [elsewhere], { recipient: request.inputToken }, "allowedRecipients"],
    ["none", [], { recipient: request.inputToken }, "allowedRecipients"],
    ["the wallet, which receives where no recipient is named", [request.walletAddress], {}, undefined],
    ["another than the wallet, where no recipient is named", [elsewhere], {}, "allowedRecipients"],
    ["the wallet, but not the recipient", [request.walletAddress], { recipient: elsewhere }, "allowedRecipients"]
  ] as const)("with %s", ([, allowedRecipients, changes, rule]) =>
    Effect.gen(function* () {
      expect(yield* judgeRequest({ allowedRecipients }, changes)).toBe(rule)
    })
  )
})

describe("maxTotalCostBps of 100", () => {
  it.effect.each([
    [100, undefined],
    [100.01, "maxTotalCostBps"],
    [101, "maxTotalCostBps"],
    [0, undefined],
    [-500, undefined],
    [Number.NaN, "maxTotalCostBps"]
  ] as const)("for a cost of %d", ([bps, rule]) =>
    Effect.gen(function* () {
      expect(yield* judgeQuote({ maxTotalCostBps: 100 }, { costs: costing(bps) })).toBe(rule)
    })
  )

  it.effect("refuses an unknown cost", () =>
    Effect.gen(function* () {
      const policy = yield* Policy.make({ maxTotalCostBps: 10_000 })
      expect(yield* ruleOf(policy.checkQuote(request, { ...quote, costs: { fee: { bps: 12.5 } } }))).toBe(
        "maxTotalCostBps"
      )
    })
  )

  it.effect("differs from a maximum of zero, which refuses any cost", () =>
    Effect.gen(function* () {
      expect(yield* judgeQuote({ maxTotalCostBps: 0 }, { costs: costing(0) })).toBeUndefined()
      expect(yield* judgeQuote({ maxTotalCostBps: 0 }, { costs: costing(1) })).toBe("maxTotalCostBps")
    })
  )
})

describe("maxFeeBps of 12.5", () => {
  it.effect.each([
    [12.5, undefined],
    [12.51, "maxFeeBps"],
    [0, undefined]
  ] as const)("for a fee of %d", ([feeBps, rule]) =>
    Effect.gen(function* () {
      expect(yield* judgeQuote({ maxFeeBps: 12.5 }, { feeBps })).toBe(rule)
    })
  )

  it.effect("differs from a maximum of zero, which refuses any fee", () =>
    Effect.gen(function* () {
      expect(yield* judgeQuote({ maxFeeBps: 0 }, { feeBps: 0 })).toBeUndefined()
      expect(yield* judgeQuote({ maxFeeBps: 0 }, { feeBps: 0.1 })).toBe("maxFeeBps")
    })
  )
})

describe("minOutput", () => {
  it.effect.each([
    ["as much as the minimum of the quote", 9_950n, undefined],
    ["one unit more than the minimum of the quote", 9_951n, "minOutput"],
    ["no limit", undefined, undefined]
  ] as const)("of %s", ([, least, rule]) =>
    Effect.gen(function* () {
      expect(yield* judgeQuote({ minOutput: () => least })).toBe(rule)
    })
  )

  it.effect("uses the output if the quote has no minimum, and depends on the request", () =>
    Effect.gen(function* () {
      const policy = yield* Policy.make({ minOutput: ({ amount }) => amount })
      const offered = without("minOutput")
      expect(yield* ruleOf(policy.checkQuote({ ...request, amount: 10_000n }, offered))).toBeUndefined()
      expect(yield* ruleOf(policy.checkQuote({ ...request, amount: 10_001n }, offered))).toBe("minOutput")
    })
  )
})

describe("the slippage of the request", () => {
  it.effect.each([
    ["50 basis points and the minimum they allow", 50, 9_950n, undefined],
    ["50 basis points and a unit less, which is rounding", 50, 9_949n, undefined],
    ["50 basis points and two units less", 50, 9_948n, "slippageBps"],
    ["none at all and the whole output", 0, 10_000n, undefined],
    ["none at all and two units less", 0, 9_998n, "slippageBps"],
    ["everything and the least minimum", 10_000, 1n, undefined],
    ["nothing said and the minimum of 50 basis points", undefined, 9_950n, undefined],
    ["nothing said and two units less than that", undefined, 9_948n, "slippageBps"]
  ] as const)("%s", ([, slippageBps, minOutput, rule]) =>
    Effect.gen(function* () {
      const asked = slippageBps === undefined ? {} : { slippageBps }
      expect(yield* judgeQuote({}, { minOutput }, asked)).toBe(rule)
    })
  )
})

describe("the limit of a violation", () => {
  it.effect.each([
    ["a minimum below the policy's", 9_949n, { amount: 9_951n, found: 9_949n }],
    ["a minimum below the slippage", 9_948n, { amount: 9_949n, found: 9_948n }]
  ] as const)("has the amounts for %s", ([, minOutput, limit]) =>
    Effect.gen(function* () {
      const policy = yield* Policy.make({ minOutput: () => 9_951n })
      const refused = yield* Effect.flip(policy.checkQuote(request, { ...quote, minOutput }))
      expect(refused.limit).toEqual(limit)
    })
  )

  it.effect("has the remaining budget", () =>
    Effect.gen(function* () {
      const { amount, inputToken: token, originChain: chainId } = request
      const policy = yield* Policy.make({ budgets: [{ chainId, token, amount: amount + 1n }] })
      const store = yield* Store.makeMemory
      yield* reserve(store, policy, request, "first")
      const refused = yield* Effect.flip(reserve(store, policy, request, "second"))
      expect(refused).toMatchObject({ limit: { amount: 1n, found: amount, window: "total" } })
    })
  )

  it.effect("is absent if the rule sets no amount", () =>
    Effect.gen(function* () {
      const policy = yield* Policy.make({ maxFeeBps: 0 })
      expect((yield* Effect.flip(policy.checkQuote(request, { ...quote, feeBps: 1 }))).limit).toBeUndefined()
    })
  )
})

describe("onHighCost", () => {
  const warnings = [{ code: "SOMETHING" }, { code: "HIGH_PRICE_IMPACT" }]

  it.effect("is called for a quote with the warning, with the quote and the request", () =>
    Effect.gen(function* () {
      const asked: Array<unknown> = []
      const policy = yield* Policy.make({
        onHighCost: (...about) =>
          Effect.sync(() => {
            asked.push(about)
            return true
          })
      })
      const warned = { ...quote, warnings }
      yield* policy.checkQuote(request, warned)
      yield* policy.checkQuote(request, quote)
      yield* policy.checkQuote(request, { ...quote, warnings: [{ code: "SOMETHING" }] })
      expect(asked).toStrictEqual([[warned, request]])
    })
  )

  it.effect("refuses the quote by returning false", () =>
    Effect.gen(function* () {
      const onHighCost = () => Effect.succeed(false)
      expect(yield* judgeQuote({ onHighCost }, { warnings })).toBe("onHighCost")
      expect(yield* judgeQuote({ onHighCost })).toBeUndefined()
    })
  )

  it.effect("is not called for a quote that another rule refuses", () =>
    Effect.gen(function* () {
      const onHighCost = () => Effect.die("asked")
      expect(yield* judgeQuote({ onHighCost, maxFeeBps: 1 }, { warnings })).toBe("maxFeeBps")
    })
  )

  it.effect("accepts a quote with the warning if it is omitted", () =>
    Effect.gen(function* () {
      expect(yield* judgeQuote({}, { warnings })).toBeUndefined()
    })
  )
})

describe("maxSlippageBps", () => {
  it.effect.each([
    ["5000 without a rule", {}, 5_000, undefined],
    ["5001 without a rule", {}, 5_001, "maxSlippageBps"],
    ["10000 without a rule", {}, 10_000, "maxSlippageBps"],
    ["10000 with a rule that allows it", { maxSlippageBps: 10_000 }, 10_000, undefined],
    ["101 with a rule of 100", { maxSlippageBps: 100 }, 101, "maxSlippageBps"],
    ["no word with a rule below the default", { maxSlippageBps: 49 }, undefined, "maxSlippageBps"]
  ] as const)("checks %s", ([, options, slippageBps, rule]) =>
    Effect.gen(function* () {
      expect(yield* judgeRequest(options, slippageBps === undefined ? {} : { slippageBps })).toBe(rule)
    })
  )
})

describe("budgets", () => {
  const { inputToken: token } = request
  const budgets = [{ chainId: 8453, token: upper(token), amount: 100n }]
  let serial = 0
  /** Reserves amounts for one policy in a store, each under a new id. */
  const spending = (options: Policy.Options = { budgets }, store = Effect.runSync(Store.makeMemory)) =>
    Effect.map(
      Policy.make(options),
      (policy) =>
        (amount: bigint, asked: Partial<Quote.QuoteRequest> = {}, id = `r${serial++}`) =>
          reserve(store, policy, { ...request, ...asked, amount }, id)
    )

  it.effect("can be spent up to the last unit", () =>
    Effect.gen(function* () {
      const spend = yield* spending()
      yield* spend(60n)
      expect(yield* ruleOf(spend(41n))).toBe("budgets")
      yield* spend(40n)
      expect(yield* ruleOf(spend(1n))).toBe("budgets")
    })
  )

  it.effect("get the amount back once of a flow that was never signed", () =>
    Effect.gen(function* () {
      const store = yield* Store.makeMemory
      const spend = yield* spending({ budgets }, store)
      yield* spend(60n, {}, "one")
      yield* spend(40n)
      const discarding = store.update(request.walletAddress, (wallet) => [discard(wallet, "one"), undefined])
      yield* discarding
      yield* discarding
      expect(yield* ruleOf(spend(61n))).toBe("budgets")
      yield* spend(60n)
    })
  )

  it.effect("are not changed by a refused reservation, or by a check", () =>
    Effect.gen(function* () {
      const store = yield* Store.makeMemory
      const spend = yield* spending({ budgets }, store)
      const check = (amount: bigint) =>
        checkBudgets({ ...request, amount }).pipe(
          Effect.provide(Policy.layer({ budgets })),
          Effect.provideService(Store.Store, store)
        )
      yield* check(100n)
      expect(yield* ruleOf(check(101n))).toBe("budgets")
      expect(yield* ruleOf(spend(101n))).toBe("budgets")
      expect(yield* store.records.names).toEqual([])
      yield* spend(100n)
      expect(yield* ruleOf(check(1n))).toBe("budgets")
      expect(budgets).toStrictEqual([{ chainId: 8453, token: upper(token), amount: 100n }])
    })
  )

  it.effect("and the number of swaps are reserved together or not at all", () =>
    Effect.gen(function* () {
      const store = yield* Store.makeMemory
      const one = yield* spending({ budgets, maxSwapsPerHour: 1 }, store)
      expect(yield* ruleOf(one(101n))).toBe("budgets")
      yield* one(40n)
      expect(yield* ruleOf(one(1n))).toBe("maxSwapsPerHour")
      const more = yield* spending({ budgets, maxSwapsPerHour: 2 }, store)
      yield* more(60n)
    })
  )

  it.effect("refuse tokens and chains that are not listed", () =>
    Effect.gen(function* () {
      const spend = yield* spending()
      expect(yield* ruleOf(spend(1n, { inputToken: elsewhere }))).toBe("budgets")
      expect(yield* ruleOf(spend(1n, { originChain: 42161 }))).toBe("budgets")
      expect(yield* judgeRequest({ budgets }, { inputToken: elsewhere })).toBe("budgets")
      expect(yield* judgeRequest({ budgets: [] })).toBe("budgets")
      expect(yield* judgeRequest({ budgets })).toBeUndefined()
    })
  )

  it.effect("are shared by all policies with the same store", () =>
    Effect.gen(function* () {
      const store = yield* Store.makeMemory
      const [one, other] = [yield* spending({ budgets }, store), yield* spending({ budgets }, store)]
      yield* one(60n)
      expect(yield* ruleOf(other(41n))).toBe("budgets")
      yield* other(40n)
      yield* (yield* spending())(100n)
    })
  )

  it.effect("of several windows are all enforced", () =>
    Effect.gen(function* () {
      const spend = yield* spending({
        budgets: budgets.flatMap((each) => [
          { ...each, amount: 10n, window: "hour" },
          { ...each, amount: 15n, window: "day" }
        ])
      })
      yield* spend(10n)
      expect(yield* ruleOf(spend(1n))).toBe("budgets")
      yield* TestClock.adjust("1 hour")
      expect(yield* ruleOf(spend(6n))).toBe("budgets")
      yield* spend(5n)
    })
  )

  it.effect("refuse everything if the store cannot be written, or has no locks", () =>
    Effect.gen(function* () {
      const rejecting = () => Promise.reject(new Error("disk full"))
      const storage = { getItem: () => null, setItem: () => undefined, removeItem: () => undefined, keys: () => [] }
      for (const store of [{ update: rejecting, names: rejecting }, storageStore(storage)]) {
        const spend = yield* spending({ budgets }, Store.fromPromise(store))
        expect((yield* Effect.flip(spend(1n)))._tag).toBe("StoreError")
      }
    })
  )
})

describe("a violation", () => {
  it.effect("names the rule, what it allows and what was found", () =>
    Effect.gen(function* () {
      const policy = yield* Policy.make({ maxFeeBps: 10 })
      const error = yield* Effect.flip(policy.checkQuote(request, quote))
      expect(error).toMatchObject({ _tag: "PolicyViolation", rule: "maxFeeBps", found: "12.5", retry: "never" })
      expect(error.expected).toContain("10")
      for (const part of ["maxFeeBps", "10", "12.5"]) expect(error.message).toContain(part)
    })
  )

  it.effect("uses the configured chain families", () =>
    Effect.gen(function* () {
      const allowedRecipients = [solanaRequest.walletAddress.toLowerCase()]
      const asked = { destinationChain: 900, recipient: solanaRequest.walletAddress }
      expect(yield* judgeRequest({ allowedRecipients }, asked)).toBeUndefined()
      const network: Network.Network = { chains: [{ id: 900, name: "solana", family: "solana" }] }
      expect(yield* judgeRequest({ allowedRecipients, network }, asked)).toBe("allowedRecipients")
    })
  )
})
