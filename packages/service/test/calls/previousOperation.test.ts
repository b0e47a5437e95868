/** Operations with the same nonce: how they are built, and that only one of them becomes a swap. */
import { describe, expect, it } from "@effect/vitest"
import { Chain as CoreChain, type Operation, type Quote } from "@geoswap/core"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as TestClock from "effect/testing/TestClock"
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts"
import * as Sqlite from "../../../../apps/server/src/storage/Sqlite.js"
import { memory } from "../../../../apps/server/src/storage/sqlite/file.js"
import * as Seal from "../../src/accounts/Seal.js"
import * as Service from "../../src/calls/Service.js"
import type * as Chains from "../../src/chains/Chains.js"
import * as SwapSignals from "../../src/concurrency/SwapSignals.js"
import type * as Pricing from "../../src/pricing/Pricing.js"
import * as SqlStore from "../../src/store/SqlStore.js"
import * as Store from "../../src/store/Store.js"
import { plainChain } from "../../src/testing/plainChain.js"
import { Checkpoints } from "../../src/tracing/Checkpoints.js"

const account = privateKeyToAccount(generatePrivateKey())
const stranger = privateKeyToAccount(generatePrivateKey())
const address = (digit: string) => `0x${digit.repeat(40)}` as const
const token = CoreChain.checksum(address("a"))
const recipient = CoreChain.checksum(address("b"))

/** The state of a test's chains, which it may change. */
interface Shown {
  used: bigint
  delegate: `0x${string}`
}

/** A chain with large balances, whose wallets are delegated. */
const scripted = (id: number, shown: Shown): Chains.EvmChain => {
  const plenty = 10n ** 30n
  const plain = plainChain({
    family: "evm",
    id,
    name: `chain ${id}`,
    tokens: [{ symbol: "USDC", address: token.toLowerCase(), decimals: 6 }],
    costOf: () => Effect.succeed(0n),
    balanceOf: () => Effect.succeed(plenty)
  })
  if (plain.family !== "evm") throw new Error("It is an EVM chain.")
  const [vault, relayer] = [address("c"), address("d")]
  return {
    ...plain,
    vault,
    vaults: [vault],
    relayer,
    relayers: [relayer],
    delegate: shown.delegate,
    accounts: [{ delegate: shown.delegate, vault }],
    inventoryOf: () => Effect.succeed(plenty),
    largestInput: () => Effect.succeed(plenty),
    height: Effect.succeed(1n),
    balanceAt: () => Effect.succeed({ amount: plenty, block: 1n }),
    heldAt: () => Effect.succeed({ amount: plenty, block: 1n }),
    deliverableAt: () => Effect.succeed({ amount: plenty, block: 1n }),
    refundableAt: () => Effect.succeed({ amount: plenty, block: 1n }),
    mostCostOf: () => Effect.succeed(1n),
    fundsAt: () => Effect.succeed({ amount: plenty, block: 1n }),
    exposure: {
      gasPerWallet: 10_000_000,
      gasPerVisitor: 10_000_000,
      gasPerAccount: 10_000_000,
      gasPerChain: 10_000_000
    },
    exposureOf: () => 1n,
    prepare: (job) => Effect.succeed({ job, relayer, plan: undefined }),
    deliveryGas: () => Effect.succeed({ charged: 1n, needed: 1n }),
    delegationOf: () => Effect.sync(() => ({ delegation: "ours", delegatedTo: shown.delegate })),
    walletState: () => Effect.sync(() => ({ delegation: "ours", delegatedTo: shown.delegate, nonce: 1 })),
    usedNonces: () => Effect.sync(() => shown.used)
  }
}

const pricing: Pricing.Pricing = {
  price: ({ amount }) =>
    Effect.succeed({ output: amount, minOutput: amount, feeBps: 10, networkCost: 0n, warnings: [] }),
  reprice: ({ amount }) => Effect.succeed(amount)
}

const request: Quote.QuoteRequest = {
  originChain: 1,
  destinationChain: 2,
  inputToken: token,
  outputToken: token,
  amount: 10_000_000n,
  walletAddress: account.address,
  recipient
}

const prepare = Effect.gen(function* () {
  const shown: Shown = { used: 0n, delegate: address("e") }
  const chains = new Map<number, Chains.Chain>([1, 2].map((id) => [id, scripted(id, shown)]))
  const key = { kid: "k1", key: Redacted.make(new Uint8Array(32).fill(7)) }
  const stored = yield* Layer.build(Layer.fresh(SqlStore.layer.pipe(Layer.provide(Sqlite.layer({ path: memory })))))
  const store = Context.get(stored, Store.Store)
  const process = Service.layer({
    config: {
      delegations: { gasPerDay: 1_000_000 },
      quotes: { defaultSlippageBps: 50, highPriceImpactBps: -300, maxDriftBps: 10 }
    },
    directory: { chains, natives: new Map() },
    pricing
  }).pipe(
    Layer.provide([
      SwapSignals.layer,
      Seal.layer({ environment: "test", keys: [key] }),
      Layer.succeed(Store.Store, store)
    ])
  )
  const started = Effect.map(Layer.build(Layer.fresh(process)), (context) => Context.get(context, Service.Service))
  // Two processes on one database.
  const [service, other] = [yield* started, yield* started]

  const build = Effect.fnUntraced(function* (
    previousGeoOpToken?: string,
    over: Partial<Quote.QuoteRequest> = {},
    caller: string = "account-1"
  ) {
    const { geoQuoteToken } = yield* service.quote(caller, { ...request, ...over })
    return yield* service.buildGeoOp(caller, {
      geoQuoteToken,
      ...(previousGeoOpToken !== undefined && { previousGeoOpToken })
    })
  })
  const submit = Effect.fnUntraced(function* (
    { geoOpHash, geoOpToken }: Operation.BuiltOperation,
    by: Service.Service = service
  ) {
    const signature = yield* Effect.promise(() => account.signMessage({ message: { raw: geoOpHash } }))
    return yield* by.submit("account-1", { geoOpToken, signature })
  })
  /** Finishes the one open swap. */
  const end = Effect.fnUntraced(function* (to: "failed" | "settled") {
    const [swap] = yield* store.claim({ owner: "test", leaseMillis: 1_000, limit: 1 })
    if (swap === undefined) return yield* Effect.die("There is an open swap.")
    const detail = "by the test"
    if (to === "failed") return yield* store.change({ swap, owner: "test", to, detail })
    const final = yield* store.change({ swap, owner: "test", to: "origin_final", detail })
    return yield* store.change({ swap: final, owner: "test", to, detail })
  })
  return { build, end, other, service, shown, store, submit }
})

const used = { code: "NONCE_USED", status: 409 }
const invalidToken = { code: "INVALID_TOKEN", status: 401 }
const invalid = { code: "VALIDATION", status: 400 }

describe("build with the token of a refused operation", () => {
  it.effect("keeps the chain, wallet, delegate and nonce, and creates another operation", () =>
    Effect.gen(function* () {
      const { build } = yield* prepare
      const first = yield* build()
      const again = yield* build(first.geoOpToken)
      const third = yield* build(again.geoOpToken)
      const identity = ({ geoOp }: Operation.BuiltOperation) => [
        geoOp?.chainId,
        geoOp?.wallet,
        geoOp?.delegate,
        geoOp?.nonce
      ]
      expect(identity(again)).toEqual([1, account.address.toLowerCase(), address("e"), 0n])
      expect([identity(again), identity(third)]).toEqual([identity(first), identity(first)])
      expect(new Set([first, again, third].map(({ geoOpHash }) => geoOpHash)).size).toBe(3)
      // Other builds take the next nonce, as usual.
      expect((yield* build()).geoOp?.nonce).toBe(1n)
    })
  )

  it.effect("accepts an expired token", () =>
    Effect.gen(function* () {
      const { build, submit } = yield* prepare
      const first = yield* build()
      yield* TestClock.adjust("30 days")
      expect(yield* Effect.flip(submit(first))).toMatchObject({ code: "OPERATION_EXPIRED" })
      const again = yield* build(first.geoOpToken)
      expect(again.geoOp?.nonce).toBe(first.geoOp?.nonce)
      expect((yield* submit(again)).status).toBe("pending")
    })
  )

  it.effect("refuses a token that was changed, is too long, or belongs to another call or account", () =>
    Effect.gen(function* () {
      const { build, service } = yield* prepare
      const { geoOpToken } = yield* build()
      const foreign = yield* build(undefined, {}, "account-2")
      const { geoQuoteToken } = yield* service.quote("account-1", request)
      const tokens = [
        foreign.geoOpToken,
        geoQuoteToken,
        `${geoOpToken}A`,
        geoOpToken.slice(0, -1),
        geoOpToken.replace("go1", "gq1"),
        "x",
        geoOpToken + "A".repeat(16_385)
      ]
      for (const previous of tokens) expect(yield* Effect.flip(build(previous))).toMatchObject(invalidToken)
    })
  )

  it.effect("refuses an operation of another wallet, chain or delegate", () =>
    Effect.gen(function* () {
      const { build, shown } = yield* prepare
      const { geoOpToken } = yield* build()
      for (const over of [{ walletAddress: stranger.address }, { originChain: 2, destinationChain: 1 }]) {
        expect(yield* Effect.flip(build(geoOpToken, over))).toMatchObject(invalid)
      }
      shown.delegate = address("f")
      expect(yield* Effect.flip(build(geoOpToken))).toMatchObject(invalid)
    })
  )

  it.effect("is refused while the nonce has a swap that has not failed", () =>
    Effect.gen(function* () {
      const { build, end, submit } = yield* prepare
      const first = yield* build()
      const again = yield* build(first.geoOpToken)
      yield* submit(again)
      // Neither of the two tokens allows another operation while one of them is a swap.
      for (const { geoOpToken } of [first, again]) {
        expect(yield* Effect.flip(build(geoOpToken))).toMatchObject(used)
      }
      yield* end("failed")
      const last = yield* build(first.geoOpToken)
      expect(last.geoOp?.nonce).toBe(first.geoOp?.nonce)
      yield* submit(last)
      yield* end("settled")
      expect(yield* Effect.flip(build(first.geoOpToken))).toMatchObject(used)
    })
  )

  it.effect("is refused if the nonce is used on chain", () =>
    Effect.gen(function* () {
      const { build, shown } = yield* prepare
      yield* build()
      const second = yield* build()
      shown.used = 0b01n
      expect((yield* build(second.geoOpToken)).geoOp?.nonce).toBe(1n)
      shown.used = 0b10n
      expect(yield* Effect.flip(build(second.geoOpToken))).toMatchObject(used)
    })
  )
})

describe("operations with the same nonce", () => {
  it.effect("refuse the second with 409 until the swap of the first has failed", () =>
    Effect.gen(function* () {
      const { build, end, submit } = yield* prepare
      const first = yield* build()
      const second = yield* build(first.geoOpToken)
      const { swapId } = yield* submit(first)
      expect(yield* Effect.flip(submit(second))).toMatchObject(used)
      // The same bytes still return the swap.
      expect((yield* submit(first)).swapId).toBe(swapId)
      yield* end("failed")
      const next = yield* submit(second)
      expect(next).toMatchObject({ status: "pending" })
      expect(next.swapId).not.toBe(swapId)
      expect(yield* submit(first)).toMatchObject({ swapId, status: "failed" })
    })
  )

  it.effect("refuse the original with 409 after the rebuilt one", () =>
    Effect.gen(function* () {
      const { build, end, submit } = yield* prepare
      const first = yield* build()
      yield* submit(yield* build(first.geoOpToken))
      expect(yield* Effect.flip(submit(first))).toMatchObject(used)
      yield* end("settled")
      expect(yield* Effect.flip(submit(first))).toMatchObject(used)
    })
  )

  it.effect("produce one swap if all are submitted at once", () =>
    Effect.gen(function* () {
      const { build, store, submit } = yield* prepare
      const first = yield* build()
      const others = yield* Effect.forEach(Array.from({ length: 7 }), () => build(first.geoOpToken))
      const answers = yield* Effect.forEach([first, ...others], (one) => Effect.result(submit(one)), {
        concurrency: "unbounded"
      })
      const failures = answers.flatMap((answer) => (answer._tag === "Failure" ? [answer.failure] : []))
      expect(failures).toHaveLength(7)
      for (const failure of failures) expect(failure).toMatchObject(used)
      expect(yield* store.list({ limit: 10 })).toHaveLength(1)
    })
  )
})

describe("an operation that expires during submit", () => {
  /** How long after the build an operation can be submitted. */
  const submitMillis = 90_000
  /** Runs an effect when a process is about to store a swap. */
  const beforeAccepted = (task: Effect.Effect<unknown, unknown>) => (step: string) =>
    step === "before accepted" ? Effect.orDie(Effect.asVoid(task)) : Effect.void

  it.effect("does not become a swap, because another process may have reported it as expired", () =>
    Effect.gen(function* () {
      const { build, other, store, submit } = yield* prepare
      const built = yield* build()
      const late = Effect.gen(function* () {
        yield* TestClock.adjust(submitMillis)
        expect(yield* Effect.flip(submit(built, other))).toMatchObject({ code: "OPERATION_EXPIRED" })
      })
      const slow = Effect.provideService(submit(built), Checkpoints, beforeAccepted(late))
      expect(yield* Effect.flip(slow)).toMatchObject({ code: "OPERATION_EXPIRED" })
      expect(yield* store.list({ limit: 10 })).toEqual([])
    })
  )

  it.effect("returns the swap that another process accepted in time", () =>
    Effect.gen(function* () {
      const { build, other, store, submit } = yield* prepare
      const built = yield* build()
      const late = Effect.gen(function* () {
        yield* Effect.provideService(submit(built, other), Checkpoints, () => Effect.void)
        yield* TestClock.adjust(submitMillis)
      })
      const { swapId } = yield* Effect.provideService(submit(built), Checkpoints, beforeAccepted(late))
      expect((yield* store.list({ limit: 10 })).map(({ id }) => id)).toEqual([swapId])
    })
  )
})

describe("address with a wrong checksum", () => {
  /** The same address with the case of one letter changed. */
  const mistype = (text: string) =>
    text.replace(/[a-f](?=[0-9a-fA-F]*$)/, (letter) => letter.toUpperCase()).replace(/^0X/, "0x")

  it.effect("is refused in every field of a quote", () =>
    Effect.gen(function* () {
      const { service } = yield* prepare
      for (const field of ["walletAddress", "recipient", "inputToken", "outputToken"] as const) {
        const wrong = mistype(request[field] ?? "")
        expect(CoreChain.isAddress("evm", wrong)).toBe(false)
        const refusal = yield* Effect.flip(service.quote("account-1", { ...request, [field]: wrong }))
        expect(refusal).toMatchObject(invalid)
        expect(refusal.message).toMatch(new RegExp(`^${field}: has a wrong checksum`))
      }
    })
  )

  it.effect("is refused in a delegation request", () =>
    Effect.gen(function* () {
      const { service } = yield* prepare
      const wrong = mistype(account.address)
      const refusal = yield* Effect.flip(service.delegation("account-1", { chainId: 1, walletAddress: wrong }))
      expect(refusal).toMatchObject(invalid)
      expect(refusal.message).toMatch(/^walletAddress: has a wrong checksum/)
    })
  )

  it.effect("is accepted in lower or upper case, which has no checksum", () =>
    Effect.gen(function* () {
      const { service } = yield* prepare
      for (const by of [(text: string) => text.toLowerCase(), (text: string) => `0x${text.slice(2).toUpperCase()}`]) {
        const same = { walletAddress: by(account.address), recipient: by(recipient), inputToken: by(token) }
        expect(yield* service.quote("account-1", { ...request, ...same })).toMatchObject({ output: request.amount })
        yield* service.delegation("account-1", { chainId: 1, walletAddress: same.walletAddress })
      }
    })
  )
})
