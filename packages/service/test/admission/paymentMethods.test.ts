import { describe, expect, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as TestClock from "effect/testing/TestClock"
import * as PaymentMethods from "../../src/admission/paymentMethods.js"
import { ChainUnavailable } from "../../src/chains/ChainError.js"
import type { EvmChain } from "../../src/chains/Chains.js"
import type { PaymentMethod, WalletDelegation } from "../../src/chains/Wallet.js"
import type { LostCollection } from "../../src/domain/LostCollection.js"
import { plainChain } from "../../src/testing/plainChain.js"

const wallet = `0x${"a".repeat(40)}`
const token = `0x${"b".repeat(40)}`
const target = `0x${"c".repeat(40)}` as const
const amount = 100n
const hour = 3_600_000
const all: ReadonlyArray<PaymentMethod> = ["eip3009", "permit2", "erc2612"]

/** What a test changes about the chain and the store. */
interface State {
  listed: ReadonlyArray<PaymentMethod>
  delegation: WalletDelegation
  /** The delegation at the latest block, if it differs. */
  fresh: WalletDelegation | undefined
  allowance: bigint
  asks: boolean | string
  losses: ReadonlyArray<LostCollection>
  down: boolean
}

const prepare = Effect.gen(function* () {
  const state: State = {
    listed: all,
    delegation: { delegation: "none" },
    fresh: undefined,
    allowance: 0n,
    asks: false,
    losses: [],
    down: false
  }
  const plain = plainChain({
    family: "evm",
    id: 1,
    name: "one",
    tokens: [],
    costOf: () => Effect.succeed(0n),
    balanceOf: () => Effect.succeed(0n)
  })
  if (plain.family !== "evm") throw new Error("It is an EVM chain.")
  const origin: EvmChain = {
    ...plain,
    losses: { gasPerHour: 100, strikes: 2 },
    delegationOf: () => Effect.sync(() => state.delegation),
    walletState: () => Effect.sync(() => ({ ...(state.fresh ?? state.delegation), nonce: 0 })),
    payments: {
      ...plain.payments,
      limits: { inFlightPerTarget: 1, strikesPerTarget: 3 },
      methodsOf: () => state.listed,
      allowanceOf: () => Effect.sync(() => state.allowance),
      allowanceAt: () => Effect.sync(() => ({ amount: state.allowance, block: 0n })),
      askCode: () =>
        Effect.suspend(() => {
          if (state.down) return new ChainUnavailable({ chainId: 1, message: "No overrides.", timeout: false })
          return Effect.succeed(
            typeof state.asks === "string"
              ? { _tag: "Impossible" as const, message: state.asks }
              : { _tag: "Works" as const, asks: state.asks }
          )
        })
    }
  }
  const methods = PaymentMethods.make(yield* Clock.Clock, {
    losses: {
      record: () => Effect.succeed(true),
      since: (_, time) => Effect.sync(() => state.losses.filter(({ at }) => at >= time))
    }
  })
  const query = {
    account: "me",
    origin,
    destination: { family: "evm" as const },
    wallet,
    token,
    amount,
    recipient: wallet
  }
  const list = (over: Partial<PaymentMethods.PaymentQuery> = {}) => methods.list({ ...query, ...over })
  const listed = (over: Partial<PaymentMethods.PaymentQuery> = {}) =>
    Effect.map(list(over), ({ paymentMethods }) => paymentMethods)
  const check = (method: PaymentMethod, options?: { readonly isSigned?: boolean }) =>
    methods.require(query, method, options)
  const requireDelegation = (over: Partial<PaymentMethods.PaymentQuery> = {}) =>
    methods.requireDelegation({ ...query, ...over })
  return { state, list, listed, check, requireDelegation }
})

const lost = (over: Partial<LostCollection> = {}): LostCollection => ({
  swapId: "swap",
  hash: "0x1",
  account: "other",
  chainId: 1,
  method: "eip3009",
  wallet: `0x${"d".repeat(40)}`,
  gas: 1n,
  isStrike: true,
  isFinal: true,
  at: 0,
  ...over
})

describe("the payment methods of a quote", () => {
  it.effect("depend on what the token lists and on the allowance of Permit2", () =>
    Effect.gen(function* () {
      const { listed, state } = yield* prepare
      expect(yield* listed()).toEqual(["delegation", "eip3009", "erc2612"])
      state.allowance = amount - 1n
      expect(yield* listed()).toEqual(["delegation", "eip3009", "erc2612"])
      state.allowance = amount
      expect(yield* listed()).toEqual(["delegation", "eip3009", "permit2"])
      state.delegation = { delegation: "ours" }
      expect(yield* listed()).toEqual(["delegation", "eip3009", "permit2"])
      state.listed = []
      expect(yield* listed()).toEqual(["delegation"])
    })
  )

  it.effect("have eip3009 only if the output returns to the wallet on an EVM chain", () =>
    Effect.gen(function* () {
      const { listed } = yield* prepare
      expect(yield* listed({ recipient: undefined })).toContain("eip3009")
      expect(yield* listed({ recipient: wallet.toUpperCase().replace("X", "x") })).toContain("eip3009")
      expect(yield* listed({ recipient: token })).toEqual(["delegation", "erc2612"])
      const solana = { destination: { family: "solana" as const } }
      const recipient = "So11111111111111111111111111111111111111112"
      expect(yield* listed({ ...solana, recipient })).toEqual(["delegation", "erc2612"])
    })
  )

  it.effect("reject a zero recipient, and a padded EVM address on Solana", () =>
    Effect.gen(function* () {
      const { listed } = yield* prepare
      expect(yield* listed({ recipient: `0x${"0".repeat(40)}` })).toEqual(["delegation"])
      const recipient = "11111111111111111111111111111111"
      expect(yield* listed({ destination: { family: "solana" }, recipient })).toEqual(["delegation"])
    })
  )

  it.effect("depend on the code of a wallet that delegates to another provider", () =>
    Effect.gen(function* () {
      const { list, listed, check, state } = yield* prepare
      state.delegation = { delegation: "foreign", delegatedTo: target }
      expect(yield* listed()).toEqual(["eip3009", "erc2612"])
      expect(yield* check("eip3009")).toEqual({})
      state.asks = true
      expect(yield* check("eip3009")).toEqual({ target })
      state.asks = "the code says no"
      const { paymentMethods, paymentProblem } = yield* list()
      expect([paymentMethods, paymentProblem?.code]).toEqual([[], "UNSUPPORTED_DELEGATION"])
      expect(paymentProblem?.message).toMatch(/eip3009: the code says no/)
      state.down = true
      expect((yield* list()).paymentProblem?.message).toMatch(/cannot find out/)
      state.delegation = { delegation: "foreign" }
      expect((yield* list()).paymentProblem?.message).toMatch(/is a contract/)
    })
  )

  it.effect("are limited by the gas that was lost in this clock hour, per method", () =>
    Effect.gen(function* () {
      const { listed, check, state } = yield* prepare
      yield* TestClock.adjust(10 * hour + 60_000)
      state.losses = [lost({ gas: 100n, at: 10 * hour - 1, isStrike: false })]
      expect(yield* listed()).toContain("eip3009")
      state.losses = [lost({ gas: 100n, at: 10 * hour, isStrike: false })]
      expect(yield* Effect.flip(check("eip3009"))).toMatchObject({ code: "PAYMENT_METHOD_UNAVAILABLE" })
      expect(yield* check("erc2612")).toEqual({})
      // Quotes read the losses at most every two seconds.
      yield* TestClock.adjust(2_000)
      expect(yield* listed()).toEqual(["delegation", "erc2612"])
      yield* TestClock.adjust(hour)
      expect(yield* listed()).toContain("eip3009")
    })
  )

  it.effect("are limited for an account that has lost half of the gas alone, but not for other accounts", () =>
    Effect.gen(function* () {
      const { listed, state } = yield* prepare
      state.losses = [lost({ gas: 50n, account: "me", isStrike: false })]
      expect(yield* listed()).toEqual(["delegation", "erc2612"])
      expect(yield* listed({ account: "other" })).toContain("eip3009")
      expect(yield* listed({ account: undefined })).toContain("eip3009")
      state.losses = [lost({ gas: 49n, account: "me", isStrike: false })]
      yield* TestClock.adjust(2_000)
      expect(yield* listed()).toContain("eip3009")
    })
  )

  it.effect("are limited for a visitor who has lost a twentieth of the gas, but not for other visitors", () =>
    Effect.gen(function* () {
      const { listed, requireDelegation, state } = yield* prepare
      const visitor = "a visitor"
      const isRefused = (gas: bigint, over = {}) =>
        Effect.gen(function* () {
          state.losses = [lost({ gas, account: "me", visitor, method: "delegation", isStrike: false })]
          yield* TestClock.adjust(2_000)
          return Exit.isFailure(yield* Effect.exit(requireDelegation({ visitor, ...over })))
        })
      expect(yield* isRefused(4n)).toBe(false)
      expect(yield* isRefused(5n)).toBe(true)
      expect(yield* isRefused(5n, { visitor: "another visitor" })).toBe(false)
      expect(yield* listed()).toContain("delegation")
    })
  )

  it.effect("have delegation as long as operations of the wallet and its account have lost little", () =>
    Effect.gen(function* () {
      const { list, listed, requireDelegation, state } = yield* prepare
      const later = TestClock.adjust(2_000)
      state.losses = [lost({ gas: 50n, account: "me", method: "delegation", isStrike: false })]
      expect(yield* listed()).toEqual(["eip3009", "erc2612"])
      expect(yield* Effect.flip(requireDelegation())).toMatchObject({ code: "PAYMENT_METHOD_UNAVAILABLE" })
      yield* requireDelegation({ account: "other" })
      // A strike counts for every method, whichever method it was for.
      state.losses = [lost({ wallet }), lost({ wallet, method: "delegation" })]
      yield* later
      const { paymentMethods, paymentProblem } = yield* list()
      expect([paymentMethods, paymentProblem?.code]).toEqual([[], "PAYMENT_METHOD_UNAVAILABLE"])
      expect(paymentProblem?.message).toMatch(/delegation: too many payments from this wallet/)
      yield* requireDelegation({ wallet: token })
      yield* TestClock.adjust(24 * hour)
      state.losses = []
      expect(yield* listed()).toEqual(["delegation", "eip3009", "erc2612"])
    })
  )

  it.effect("are limited by the strikes of the last 24 hours against the wallet and the contract", () =>
    Effect.gen(function* () {
      const { check, state } = yield* prepare
      yield* TestClock.adjust(48 * hour)
      const at = 24 * hour + 1
      state.losses = [lost({ wallet, at }), lost({ wallet, at: 24 * hour })]
      expect(yield* check("erc2612")).toEqual({})
      state.losses = [lost({ wallet, at }), lost({ wallet, at, isStrike: false })]
      expect(yield* check("erc2612")).toEqual({})
      state.losses = [lost({ wallet, at }), lost({ wallet, at })]
      expect((yield* Effect.flip(check("erc2612"))).message).toMatch(/this wallet/)

      state.delegation = { delegation: "foreign", delegatedTo: target }
      const from = (...wallets: ReadonlyArray<string>) => wallets.map((one) => lost({ wallet: one, target, at }))
      state.losses = from("0x1", "0x2", "0x3")
      expect(yield* check("eip3009")).toEqual({})
      state.asks = true
      // One wallet alone does not rule out the contract for the others.
      state.losses = from("0x1", "0x1", "0x1", "0x2")
      expect(yield* check("eip3009")).toEqual({ target })
      state.losses = from("0x1", "0x2", "0x3")
      expect((yield* Effect.flip(check("eip3009"))).message).toMatch(/that delegate to/)
    })
  )

  it.effect("leave the allowance to the simulation once the wallet has signed", () =>
    Effect.gen(function* () {
      const { check, state } = yield* prepare
      state.allowance = amount
      expect(yield* Effect.flip(check("erc2612"))).toMatchObject({ code: "PAYMENT_METHOD_UNAVAILABLE" })
      expect(yield* check("erc2612", { isSigned: true })).toEqual({})
      // The code is read again, because the wallet may just have delegated.
      state.fresh = { delegation: "foreign", delegatedTo: target }
      state.asks = true
      expect(yield* check("erc2612", { isSigned: true })).toEqual({ target })
    })
  )
})
