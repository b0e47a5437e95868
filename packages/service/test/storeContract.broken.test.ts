import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Sqlite from "../../../apps/server/src/storage/Sqlite.js"
import { memory } from "../../../apps/server/src/storage/sqlite/file.js"
import type { Claim, Kind } from "../src/domain/Claim.js"
import * as SqlStore from "../src/store/SqlStore.js"
import { Store } from "../src/store/Store.js"
import { StoreUnavailable } from "../src/store/StoreError.js"
import { ContractViolation, storeContract } from "../src/testing.js"

const working = SqlStore.layer.pipe(Layer.provide(Sqlite.layer({ path: memory })))

/** A store that works, except for what `change` replaces. */
const broken = (change: (store: Store) => Partial<Store>) =>
  Layer.effect(
    Store,
    Effect.map(Store, (store) => ({ ...store, ...change(store) }))
  ).pipe(Layer.provide(working))

const fails = Effect.fail(new StoreUnavailable({ message: "The store does not answer." }))

/** The same members, each of which fails. */
const failing = (members: object): object =>
  Object.fromEntries(
    Object.entries(members).map(([name, member]: [string, unknown]) => [
      name,
      typeof member === "function" ? () => fails : Effect.isEffect(member) ? fails : failing(member as object)
    ])
  )

/** Creating the tables takes longer than most cases, and a store whose every call fails needs them only once. */
const members = Effect.runPromise(Effect.scoped(Effect.provide(Store, working)))

/** A store whose every call fails. */
const silent = Layer.effect(
  Store,
  Effect.map(
    Effect.promise(() => members),
    (store) => ({ ...store, ...failing(store) })
  )
)

const namesOf = (empty: Layer.Layer<Store, unknown>) => storeContract(empty).map(({ name }) => name)

/** The names of the cases that fail, of those that match. Any other error is a defect of the suite. */
const failuresOf = (empty: Layer.Layer<Store, unknown>, patterns: ReadonlyArray<RegExp>) =>
  Effect.forEach(
    storeContract(empty).filter(({ name }) => patterns.some((pattern) => pattern.test(name))),
    ({ name, run }) =>
      Effect.match(run, {
        onSuccess: () => [],
        onFailure: (error) => {
          expect(error).toBeInstanceOf(ContractViolation)
          return [name]
        }
      })
  ).pipe(Effect.map((names) => names.flat()))

/** A store that changes the claims of the swaps that it accepts. */
const claiming = (change: (claim: Claim) => Claim) =>
  broken((store) => ({
    accept: (swap, { claims, until }) => store.accept(swap, { claims: claims.map(change), until })
  }))

const unlimited =
  (...kinds: ReadonlyArray<Kind>) =>
  (claim: Claim): Claim =>
    kinds.includes(claim.kind) ? { ...claim, limit: { ...claim.limit, amount: 2n ** 300n } } : claim

/** Broken stores, each with cases that must find it. */
const variants: ReadonlyArray<readonly [string, Layer.Layer<Store, unknown>, ReadonlyArray<RegExp>]> = [
  ["does not answer", silent, [/./]],
  [
    "reports that an expired order has no swap without waiting for its acceptance",
    broken(() => ({ swapOfExpiredOrder: () => Effect.succeed(Option.none()) })),
    [/^Store\.accept waits for an acceptance in progress/]
  ],
  [
    "accepts a swap too late",
    broken((store) => ({ accept: (swap, { claims }) => store.accept(swap, { claims }) })),
    [/^Store\.accept accepts nothing at or after the given time/]
  ],
  [
    "ignores the outputs that are reserved for other swaps",
    claiming(unlimited("output", "vault")),
    [
      /^pending swaps in the .* state .* hold the inventory$/,
      /^pending swaps reduce the destination's inventory/,
      /^pending swaps never exceed the inventory/,
      /^Store\.reserve allows an output to be released early/
    ]
  ],
  [
    "ignores the blocks of balances",
    claiming((claim) => ({ ...claim, limit: { ...claim.limit, block: 2n ** 40n } })),
    [
      /^a released reservation by (origin_final|settled) makes balances/,
      /^a released reservation also makes/,
      /^a released reservation is recorded with the latest block/,
      /^a released reservation affects/,
      /^an input that is in a block but not final against a balance at an older block/,
      /^an input that is in a block but not final is counted again once no block/
    ]
  ],
  [
    "keeps reserved amounts that are wrong",
    broken((store) => ({
      reserved: Effect.map(store.reserved, (all) => all.map((one) => ({ ...one, amount: one.amount + 1n })))
    })),
    [/^the reserved amounts/]
  ],
  [
    "delivers an input that it may have to refund",
    claiming(unlimited("vault")),
    [/^refunds that a vault owes (reduce|are counted)/]
  ],
  ["accepts more than can be refunded", claiming(unlimited("refund")), [/^refunds that a vault owes never exceed/]],
  [
    "fails every concurrent acceptance if one swap cannot be stored",
    broken((store) => {
      let failed = false
      return {
        accept: (swap, limits) =>
          Effect.tapCause(store.accept(swap, limits), () => Effect.sync(() => (failed = true))).pipe(
            Effect.tap(() => (failed ? new StoreUnavailable({ message: "The group failed." }) : Effect.void))
          )
      }
    }),
    [/^concurrent acceptances of which one cannot be stored/]
  ],
  [
    "gives a swap to every worker",
    broken((store) => ({
      claim: ({ limit }) => store.list({ limit, open: true, oldestFirst: true })
    })),
    [/^claiming returns the oldest swaps first/, /^claiming never returns the same swap/]
  ],
  [
    "gives a claimed swap to a worker that names it",
    broken((store) => ({ claimOne: ({ id }) => store.swap(id) })),
    [/^Store\.reserve claims one swap by its id/]
  ],
  [
    "stores amounts as floating point",
    broken((store) => ({
      accept: (swap, limits) => store.accept({ ...swap, amount: BigInt(Number(swap.amount)) }, limits)
    })),
    [/^Store\.accept preserves values that floating point would lose/]
  ],
  [
    "loses the fee",
    broken((store) => ({ accept: (swap, limits) => store.accept({ ...swap, feeBps: 0 }, limits) })),
    [/^Store\.accept stores the swap/, /^Store\.accept stores any amounts/]
  ],
  [
    "hands out an operation index twice",
    broken((store) => ({
      takeOperationNonce: (chainId, wallet) =>
        Effect.map(store.operationWord(chainId, wallet), (word) => ({ _tag: "Taken", index: word << 8n }))
    })),
    [/^operation indices/]
  ],
  [
    "leaves a word of a bitmap after as many builds as it has indices",
    broken(() => {
      let next = 0n
      return {
        operationWord: () => Effect.sync(() => next >> 8n),
        takeOperationNonce: (_chainId, _wallet, { used, word }) =>
          Effect.sync(() => {
            while (next >> 8n === word && ((used >> (next & 0xffn)) & 1n) === 1n) next++
            return next >> 8n === word ? { _tag: "Taken", index: next++ } : { _tag: "Elsewhere", word: next >> 8n }
          })
      }
    }),
    [/^operation indices (are handed out again|are shared evenly|never leave a word)/]
  ],
  [
    "does not store that a key is revoked",
    broken(() => ({ revokeApiKey: () => Effect.succeed(true) })),
    [/^account storage stores API keys/]
  ],
  [
    "loses the attempts of transactions",
    broken(() => ({ attempts: () => Effect.succeed([]) })),
    [/^transactions (take the relayer's|store an attempt only once|have no nonce on Solana|take a nonce for each kind)/]
  ],
  [
    "writes the swaps of a batch one after the other",
    broken((store) => ({
      batches: {
        ...store.batches,
        write: (items, intent) =>
          Effect.forEach(items, (item, index) => store.change(index === 0 ? { ...item, intent } : item))
      }
    })),
    [/^batches (store one transaction|write nothing if (one of|another worker))/]
  ],
  [
    "stores the replacement of a batch for one swap",
    broken((store) => ({
      batches: {
        ...store.batches,
        replace: (item) => Effect.map(store.change(item), (swap) => ({ _tag: "Replaced", swap }))
      }
    })),
    [/^batches store (a replacement for all|one of several concurrent)/]
  ],
  [
    "reports gas as recorded again",
    broken((store) => ({
      spentGas: { ...store.spentGas, record: (entries) => Effect.as(store.spentGas.record(entries), entries) }
    })),
    [/^the ledger of spent gas records a transaction once/]
  ]
]

// The tests of the server run all cases with stores that work.
describe("the contract finds a broken store", () => {
  for (const [name, empty, patterns] of variants) {
    it.effect(`that ${name}`, () =>
      Effect.gen(function* () {
        const names = namesOf(empty)
        expect(patterns.filter((pattern) => !names.some((name) => pattern.test(name)))).toEqual([])
        expect(yield* failuresOf(empty, patterns)).toEqual(
          names.filter((name) => patterns.some((pattern) => pattern.test(name)))
        )
      })
    )
  }

  it("and has unique names for all cases", () => {
    const names = namesOf(working)
    expect(new Set(names).size).toBe(names.length)
  })
})
