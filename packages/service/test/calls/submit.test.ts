import { describe, expect, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as TestClock from "effect/testing/TestClock"
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts"
import { keccak256, stringToHex } from "viem/utils"
import * as Seal from "../../src/accounts/Seal.js"
import type { Dependencies } from "../../src/calls/Dependencies.js"
import { submit } from "../../src/calls/submit.js"
import { Impossible } from "../../src/chains/ChainError.js"
import type { Chain } from "../../src/chains/Chains.js"
import type { WalletDelegation } from "../../src/chains/Wallet.js"
import { javaScript, Recovery } from "../../src/crypto/Recovery.js"
import { type Claim, keyOf } from "../../src/domain/Claim.js"
import type { Accepted, SwapRecord } from "../../src/domain/SwapRecord.js"
import { type EvmContext, seal } from "../../src/operations/tokenContents.js"
import type { Acceptance } from "../../src/store/acceptance/Acceptance.js"
import { plainChain } from "../../src/testing/plainChain.js"
import { bytes, order } from "../../src/testing/storeContract/fixture.js"

const account = "account-1"
const until = 90_000
const wallet = privateKeyToAccount(generatePrivateKey())
const delegate = `0x${"d".repeat(40)}` as const
const target = `0x${"E".repeat(40)}`
const { inputToken, originChain, destinationChain, output, outputToken } = order(1)

const recordOf = (swap: Accepted): SwapRecord => ({
  ...swap,
  state: "accepted",
  version: 1,
  updatedAt: swap.createdAt,
  reserved: true
})

/** What a test changes about the chains, the venue and the store. */
interface State {
  delegation: WalletDelegation
  price: bigint
  /** The gas that the simulated delivery needs. */
  gas: bigint
  /** Why a simulation refuses a job of this kind. */
  refusals: { collect?: Impossible["code"]; deliver?: Impossible["code"] }
  /** The swap of the order, once the order is locked. Without the lock, it is found only if `isCommitted`. */
  found: SwapRecord | undefined
  isCommitted: boolean
  /** The store reports the swap of an order only after this. */
  answersAfter: Effect.Effect<void>
  answers: Array<Acceptance>
  target: string | undefined
}

const prepare = Effect.gen(function* () {
  const state: State = {
    delegation: { delegation: "ours", delegatedTo: delegate },
    price: output,
    gas: 100n,
    refusals: {},
    found: undefined,
    isCommitted: true,
    answersAfter: Effect.void,
    answers: [],
    target: undefined
  }
  /** The calls to `accept`, and the payment methods that were checked. */
  const accepted: Array<{ readonly swap: Accepted; readonly claims: ReadonlyArray<Claim>; readonly until: unknown }> =
    []
  const checks: Array<unknown> = []
  const held = (since: bigint) => Effect.succeed({ amount: 10n ** 30n, block: since })
  const chainOf = (id: number, address: string): Chain => {
    const plain = plainChain({
      family: "evm",
      id,
      name: `chain ${id}`,
      tokens: [{ address, symbol: "ABC", decimals: 6 }],
      costOf: () => Effect.succeed(0n),
      balanceOf: () => Effect.succeed(0n)
    })
    if (plain.family !== "evm") throw new Error("It is an EVM chain.")
    return {
      ...plain,
      delegationOf: () => Effect.sync(() => state.delegation),
      balanceAt: (_token, _owner, since) => held(since),
      heldAt: (_token, since) => held(since),
      deliverableAt: (_token, since) => held(since),
      refundableAt: (_token, since) => held(since),
      fundsAt: (since) => held(since),
      mostCostOf: () => Effect.succeed(1n),
      prepare: (job) =>
        Effect.suspend(() => {
          const code = job.kind === "refund" ? undefined : state.refusals[job.kind]
          // The relayer itself can receive everything.
          return code === undefined || (job.kind === "deliver" && job.to === plain.relayer)
            ? Effect.succeed({ job, relayer: plain.relayer, plan: undefined, gas: state.gas })
            : new Impossible({ chainId: id, code, message: "refused." })
        })
    }
  }
  const sealer = yield* Seal.make({
    environment: "test",
    keys: [{ kid: "k1", key: Redacted.make(new Uint8Array(32).fill(1)) }]
  })
  const dependencies = {
    directory: {
      chains: new Map([
        [originChain, chainOf(originChain, inputToken)],
        [destinationChain, chainOf(destinationChain, outputToken)]
      ]),
      natives: new Map()
    },
    quotes: { maxDriftBps: 1_000 },
    pricing: { reprice: () => Effect.sync(() => state.price) },
    sealer,
    signals: { announce: Effect.void },
    relayersOf: () => Effect.succeed([""]),
    paymentMethods: {
      requireDelegation: () => Effect.void,
      require: (_query: unknown, method: unknown, options: unknown) =>
        Effect.sync(() => {
          checks.push([method, options])
          return state.target === undefined ? {} : { target: state.target }
        })
    },
    store: {
      swapOfOrder: () =>
        Effect.map(state.answersAfter, () => Option.fromUndefinedOr(state.isCommitted ? state.found : undefined)),
      swapOfExpiredOrder: () => Effect.sync(() => Option.fromUndefinedOr(state.found)),
      accept: (swap: Accepted, options: { readonly claims: ReadonlyArray<Claim>; readonly until?: number }) =>
        Effect.sync((): Acceptance => {
          accepted.push({ swap, claims: options.claims, until: options.until })
          return state.answers.shift() ?? { _tag: "Inserted", swap: recordOf(swap) }
        })
    }
  } as unknown as Dependencies
  const call = submit(dependencies)

  /** Signs and submits an operation, or a payment with a method. */
  const send = Effect.fnUntraced(function* (
    over: {
      readonly method?: "eip3009"
      readonly operationHash?: `0x${string}`
      readonly deliveryGas?: bigint
      readonly visitor?: string
    } = {}
  ) {
    const { deliveryGas, method, operationHash = keccak256(stringToHex("operation")), visitor } = over
    const { operation, terms, ...quote } = order(1, { wallet: wallet.address, feeBps: 1_000 })
    if (operation._tag !== "evm") return yield* Effect.die("The order is of an EVM wallet.")
    const context: EvmContext = {
      quote: { ...quote, expiresAt: 30_000, ...(deliveryGas !== undefined && { deliveryGas }) },
      until,
      operationHash,
      terms,
      operation: { ...operation, delegate, ...(method !== undefined && { method }) }
    }
    const geoOpToken = yield* seal(sealer, "operation", { family: "evm", account }, context)
    const signature = yield* Effect.promise(() =>
      method === undefined
        ? wallet.signMessage({ message: { raw: operationHash } })
        : wallet.sign({ hash: operationHash })
    )
    return yield* call(account, { geoOpToken, signature }, visitor)
  })
  const codeOf = (over: Parameters<typeof send>[0] = {}) => Effect.map(Effect.flip(send(over)), ({ code }) => code)
  return { accepted, checks, codeOf, send, state }
})

describe("an operation that was submitted before", () => {
  const operationHash = keccak256(stringToHex("operation"))
  const known = recordOf(order(1, { id: "known", accountId: account, operationHash }))

  it.effect("returns its swap, and nothing is accepted again", () =>
    Effect.gen(function* () {
      const { accepted, send, state } = yield* prepare
      state.found = known
      expect(yield* send()).toMatchObject({ swapId: "known" })
      expect(accepted).toEqual([])
    })
  )

  it.effect("is refused if another operation or another account has used the quote", () =>
    Effect.gen(function* () {
      const { codeOf, state } = yield* prepare
      for (const other of [{ operationHash: bytes(9) }, { accountId: "other" }]) {
        state.found = { ...known, ...other }
        expect(yield* codeOf()).toBe("QUOTE_ALREADY_USED")
      }
    })
  )

  it.effect("shares a running submission only with the same operation", () =>
    Effect.gen(function* () {
      const { accepted, send, state } = yield* prepare
      const other = keccak256(stringToHex("another operation"))
      const submissions = [send(), send(), send({ operationHash: other })]
      // The store answers after the signatures of all submissions are checked and the last one has continued.
      const allChecked = yield* Deferred.make<void>()
      let checked = 0
      const counting: Recovery = {
        recover: (digest, signature) =>
          Effect.tap(javaScript.recover(digest, signature), (signer) => {
            if (signer === wallet.address.toLowerCase()) checked++
            return checked === submissions.length ? Deferred.succeed(allChecked, undefined) : Effect.void
          })
      }
      state.answersAfter = Effect.andThen(Deferred.await(allChecked), Effect.yieldNow)
      yield* Effect.all(submissions, { concurrency: "unbounded" }).pipe(Effect.provideService(Recovery, counting))
      expect(accepted.map(({ swap }) => swap.operationHash).toSorted()).toEqual([operationHash, other].toSorted())
    })
  )

  it.effect("returns after its deadline the swap that another process is still storing", () =>
    Effect.gen(function* () {
      const { codeOf, send, state } = yield* prepare
      yield* TestClock.setTime(until)
      state.isCommitted = false
      expect(yield* codeOf()).toBe("OPERATION_EXPIRED")
      state.found = known
      expect(yield* send()).toMatchObject({ swapId: "known" })
    })
  )
})

describe("an operation", () => {
  it.effect("is accepted until its deadline, for the account and the visitor", () =>
    Effect.gen(function* () {
      const { accepted, send } = yield* prepare
      yield* send({ visitor: "visitor-1" })
      expect(accepted).toMatchObject([{ until, swap: { accountId: account, visitor: "visitor-1" } }])
      const visitors = accepted[0]?.claims.filter(({ kind }) => kind === "visitor exposure")
      expect(visitors).toHaveLength(1)
    })
  )

  it.effect("is refused if the wallet delegates to another contract than the one it was built for", () =>
    Effect.gen(function* () {
      const { accepted, codeOf, state } = yield* prepare
      state.delegation = { delegation: "ours", delegatedTo: `0x${"f".repeat(40)}` }
      expect(yield* codeOf()).toBe("INVALID_AUTHORIZATION")
      expect(accepted).toEqual([])
    })
  )

  it.effect("is refused if the price has fallen", () =>
    Effect.gen(function* () {
      const { accepted, codeOf, state } = yield* prepare
      state.price = output - 1n
      expect(yield* codeOf()).toBe("SLIPPAGE")
      expect(accepted).toEqual([])
    })
  )

  it.effect("is refused if the recipient cannot receive the output, or only for much more gas", () =>
    Effect.gen(function* () {
      const { accepted, codeOf, send, state } = yield* prepare
      state.gas = 126n
      expect(yield* codeOf({ deliveryGas: 100n })).toBe("SLIPPAGE")
      state.refusals = { deliver: "REVERTED" }
      expect(yield* codeOf({ deliveryGas: 100n })).toBe("NO_ROUTE")
      expect(accepted).toEqual([])
      state.refusals = {}
      state.gas = 125n
      yield* send({ deliveryGas: 100n })
      expect(accepted).toHaveLength(1)
    })
  )

  it.effect("is decided again with limits of the block at which another swap's money has left", () =>
    Effect.gen(function* () {
      const { accepted, send, state } = yield* prepare
      const name = `${originChain} ${inputToken.toLowerCase()} ${wallet.address.toLowerCase()}`
      state.answers = [{ _tag: "Outdated", since: [{ kind: "input", name, block: 42n }] }]
      yield* send()
      const blocks = accepted.map(({ claims }) => claims.find((claim) => keyOf(claim) === `input ${name}`)?.limit.block)
      expect(blocks).toEqual([0n, 42n])
    })
  )
})

describe("a payment without a delegation", () => {
  it.effect("is checked as a signed payment, and stored with the wallet's contract and the vault", () =>
    Effect.gen(function* () {
      const { accepted, checks, send, state } = yield* prepare
      state.target = target
      yield* send({ method: "eip3009" })
      expect(checks).toEqual([["eip3009", { isSigned: true }]])
      expect(accepted).toMatchObject([{ swap: { operation: { target: target.toLowerCase(), vault: "vault" } } }])
    })
  )

  it.effect("is refused if the chain would reject its collection", () =>
    Effect.gen(function* () {
      const { accepted, codeOf, state } = yield* prepare
      state.refusals = { collect: "INSUFFICIENT_BALANCE" }
      expect(yield* codeOf({ method: "eip3009" })).toBe("INSUFFICIENT_BALANCE")
      state.refusals = { collect: "ALREADY_DONE" }
      expect(yield* codeOf({ method: "eip3009" })).toBe("NONCE_USED")
      expect(accepted).toEqual([])
    })
  )
})
