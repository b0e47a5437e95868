import { describe, expect, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as References from "effect/References"
import * as TestClock from "effect/testing/TestClock"
import * as Sqlite from "../../../../apps/server/src/storage/Sqlite.js"
import { memory } from "../../../../apps/server/src/storage/sqlite/file.js"
import { ChainUnavailable } from "../../src/chains/ChainError.js"
import type { Chain } from "../../src/chains/Chains.js"
import type { DelegationResult } from "../../src/chains/Outcome.js"
import * as SwapSignals from "../../src/concurrency/SwapSignals.js"
import { runDelegations } from "../../src/execution/sendDelegationChanges.js"
import * as RelayerLanes from "../../src/execution/transactions/chooseRelayer.js"
import * as SqlStore from "../../src/store/SqlStore.js"
import { Store } from "../../src/store/Store.js"
import { plainChain } from "../../src/testing/plainChain.js"

const id = 31_337
const silentId = 31_338
const relayer = `0x${"0a".repeat(20)}`
const word = `0x${"11".repeat(32)}` as const
const change = {
  id: "00000000-0000-4000-8000-000000000001",
  accountId: "account-1",
  wallet: `0x${"0b".repeat(20)}`,
  authorization: { chainId: id, address: `0x${"0c".repeat(20)}`, nonce: 0, yParity: 0, r: word, s: word },
  gas: 46_000,
  createdAt: 0
} as const

interface SetUp {
  /** Each transaction has the next of these results, and its nonce is used by another transaction. */
  readonly results: ReadonlyArray<DelegationResult>
  /** How many older changes wait on another chain, which does not respond. */
  readonly elsewhere?: number
  readonly minutes?: number
}

const setUp = Effect.fnUntraced(
  function* ({ elsewhere = 0, minutes = 1, results }: SetUp) {
    const context = yield* Layer.build(SqlStore.layer.pipe(Layer.provideMerge(Sqlite.layer({ path: memory }))))
    const store = yield* Effect.provideContext(Store, context)
    const signed: Array<number> = []
    const plain = plainChain({
      family: "evm",
      id,
      name: "A",
      tokens: [],
      costOf: () => Effect.succeed(0n),
      balanceOf: () => Effect.succeed(0n)
    })
    if (plain.family !== "evm") return yield* Effect.die("It is an EVM chain.")
    const chain: Chain = {
      ...plain,
      relayer,
      relayers: [relayer],
      walletState: () => Effect.succeed({ delegation: "none", nonce: 0 }),
      signerOf: () => Effect.succeed(relayer),
      relayerNonce: () => Effect.sync(() => signed.length),
      broadcast: () => Effect.void,
      delegations: {
        prepare: () => Effect.succeed({ plan: {}, relayer, gas: 46_000n }),
        sign: (_, nonce) =>
          Effect.map(Clock.currentTimeMillis, (createdAt) => {
            signed.push(nonce)
            return { raw: `0x${nonce}`, hash: `0x${nonce}`, nonce, maxFeePerGas: 1n, cancels: false, createdAt }
          }),
        observe: () => Effect.sync(() => results[signed.length - 1] ?? { _tag: "Waiting" }),
        replace: () => Effect.undefined
      }
    }
    const silent: Chain = {
      ...chain,
      id: silentId,
      walletState: () =>
        Effect.delay(
          Effect.fail(new ChainUnavailable({ chainId: silentId, message: "No node responds.", timeout: true })),
          10_000
        )
    }
    const directory = {
      chains: new Map([
        [id, chain],
        [silentId, silent]
      ]),
      natives: new Map<number, string>()
    }
    const lanes = yield* RelayerLanes.make(store)
    const signals = yield* SwapSignals.make
    const older = Array.from({ length: elsewhere }, (_, index) => ({
      ...change,
      id: `older-${index}`,
      createdAt: -1,
      wallet: `0x${index.toString(16).padStart(40, "0")}`,
      authorization: { ...change.authorization, chainId: silentId }
    }))
    for (const one of [...older, change]) {
      yield* store.delegations.accept(one, { gas: 10_000_000, kept: 0, periodMillis: 1_000 })
    }
    yield* Effect.forkScoped(runDelegations({ ...directory, lanes, owner: "one", signals, store }))
    yield* TestClock.adjust(`${minutes} minutes`)
    const [first] = older
    const oldest = first === undefined ? Option.none() : yield* store.delegations.byId(first.id)
    return { signed, oldest, stored: Option.getOrThrow(yield* store.delegations.byId(change.id)) }
  },
  Effect.provideService(References.MinimumLogLevel, "None")
)

const unused: DelegationResult = { _tag: "Unused" }

describe("a delegation change", () => {
  it.effect("uses at most three of the relayer's nonces", () =>
    Effect.gen(function* () {
      const { signed, stored } = yield* setUp({ results: [unused, unused, unused, unused, unused] })
      expect(signed).toEqual([0, 1, 2])
      expect(stored).toMatchObject({ state: "failed", failureCode: "NOT_INCLUDED" })
    })
  )

  it.effect("is applied with the last of them", () =>
    Effect.gen(function* () {
      const { signed, stored } = yield* setUp({ results: [unused, unused, { _tag: "Applied", hash: "0x2" }] })
      expect(signed).toEqual([0, 1, 2])
      expect(stored).toMatchObject({ state: "applied", txHash: "0x2" })
    })
  )

  it.effect("is applied while any number of older changes wait for a chain that does not respond", () =>
    Effect.gen(function* () {
      const { oldest, stored } = yield* setUp({ results: [{ _tag: "Applied", hash: "0x1" }], elsewhere: 60 })
      expect(stored).toMatchObject({ state: "applied", txHash: "0x1" })
      expect(oldest).toMatchObject(Option.some({ state: "accepted" }))
    })
  )

  it.effect("fails after ten minutes without a transaction, even if its chain does not respond", () =>
    Effect.gen(function* () {
      const { oldest } = yield* setUp({ results: [], elsewhere: 1, minutes: 11 })
      expect(oldest).toMatchObject(Option.some({ state: "failed", failureCode: "NOT_INCLUDED" }))
    })
  )
})
