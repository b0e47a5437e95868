/** A conformance suite for stores: what the swap programs rely on. The stores of this package also pass this suite. */
import * as Effect from "effect/Effect"
import type { QuoteRequest } from "../Quote.js"
import * as Store from "../Store.js"
import type { StoreError } from "../SwapError.js"
import { ContractViolation } from "./contractAssertions.js"
import { evmRequest, solanaRequest } from "./ScriptedTransport.js"

type AnyStore = Store.Store | Store.PromiseStore | Store.FlowsOnlyStore

/** Opens a new, empty store twice, as two processes open it. Every case opens a new store. */
export type OpenTwice = () => readonly [AnyStore, AnyStore] | Promise<readonly [AnyStore, AnyStore]>

/** One rule for stores. Pass `name` and `run` to a test runner. */
export interface StoreCase {
  readonly name: string
  /** Rejects with a `ContractViolation` if the store breaks the rule. */
  readonly run: () => Promise<void>
}

const toStore = (store: AnyStore): Store.Store => ("names" in store ? Store.fromPromise(store) : store)

type Check = (one: Store.Store, other: Store.Store) => Effect.Effect<void, StoreError | ContractViolation>

const fail = (message: string) => Effect.fail(new ContractViolation(message))
const holds = (condition: boolean, message: string) => (condition ? Effect.void : fail(message))

const flowOf = (id: string, createdAt: number, request: QuoteRequest = evmRequest): Store.Flow => ({
  id,
  state: "signed",
  createdAt,
  signedAt: Number.MAX_SAFE_INTEGER,
  request: { ...request, amount: 2n ** 256n - 1n },
  output: 2n ** 200n + 1n,
  submission: { family: "evm", geoOpToken: "go1.🔑", signature: "0x01" }
})

const put = (store: Store.Store, flow: Store.Flow) =>
  store.update(flow.request.walletAddress, (wallet) => [
    { ...wallet, flows: [...wallet.flows.filter(({ id }) => id !== flow.id), flow] },
    undefined
  ])

const remove = (store: Store.Store, { id: removed, request }: Store.Flow) =>
  Effect.andThen(
    store.update(request.walletAddress, (wallet) => [
      { ...wallet, flows: wallet.flows.filter(({ id }) => id !== removed) },
      undefined
    ]),
    store.release(removed)
  )

/** A value as text, to compare it. The order of the fields does not matter. */
const textOf = (value: unknown): string =>
  JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === "bigint"
      ? `${inner}n`
      : typeof inner === "object" && inner !== null && !Array.isArray(inner)
        ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
        : inner
  )

const hasFlows = (store: Store.Store, flows: ReadonlyArray<Store.Flow>) =>
  Effect.flatMap(store.flows, (found) =>
    holds(textOf(found) === textOf(flows), `expected the flows ${textOf(flows)}, got ${textOf(found)}.`)
  )

const [first, second, foreign] = [flowOf("1-1", 1), flowOf("2-2", 2), flowOf("3-3", 3, solanaRequest)]

/** The rules for every store. */
const flowChecks: Readonly<Record<string, Check>> = {
  "is empty at first": (one) =>
    Effect.gen(function* () {
      yield* hasFlows(one, [])
      yield* remove(one, first)
      yield* hasFlows(one, [])
    }),
  "returns the exact flows of all wallets, oldest first, also to another process": (one, other) =>
    Effect.gen(function* () {
      for (const flow of [foreign, second, first]) yield* put(one, flow)
      yield* hasFlows(one, [first, second, foreign])
      yield* hasFlows(other, [first, second, foreign])
    }),
  "keeps the last version of a flow": (one, other) =>
    Effect.gen(function* () {
      const { submission: _, ...accepted } = { ...first, state: "accepted" as const, swapId: "swap-1" }
      yield* put(one, first)
      yield* put(one, accepted)
      yield* hasFlows(other, [accepted])
    }),
  "removes only the flow with that id": (one, other) =>
    Effect.gen(function* () {
      for (const flow of [first, second, foreign]) yield* put(one, flow)
      yield* remove(one, second)
      yield* hasFlows(other, [first, foreign])
    }),
  "keeps every flow of two processes that write at the same time": (one, other) =>
    Effect.gen(function* () {
      const flows = Array.from({ length: 20 }, (_, index) => flowOf(`${index}-${index}`, index))
      yield* Effect.forEach(flows, (flow, index) => put(index % 2 === 0 ? one : other, flow), {
        concurrency: "unbounded"
      })
      yield* hasFlows(one, flows)
    }),
  "returns flows that later changes do not affect": (one) =>
    Effect.gen(function* () {
      const before = yield* one.flows
      yield* put(one, first)
      yield* holds(before.length === 0, "a list of flows has changed.")
    }),
  "leaves everything unchanged if a change throws": (one) =>
    Effect.gen(function* () {
      yield* put(one, first)
      const result = yield* Effect.result(
        one.update(first.request.walletAddress, () => {
          throw new Error("refused")
        })
      )
      yield* holds(result._tag === "Failure", "an update succeeded although its change threw.")
      yield* hasFlows(one, [first])
    })
}

const wallet = evmRequest.walletAddress
const scope = { chainId: 8453, token: evmRequest.inputToken }
const limits = [{ window: "total", amount: 10n }] as const

const claim = (store: Store.Store, key: string, flowId: string) =>
  store.updateKey(key, (stored) => {
    const held = stored ?? { key, wallet, requestHash: "a", flowId }
    return [held, held.flowId]
  })

/** The rules for a store with locks. */
const lockedChecks: Readonly<Record<string, Check>> = {
  "never reserves more than a limit, even if two processes reserve at the same time": (one, other) =>
    Effect.gen(function* () {
      const answers = yield* Effect.forEach(
        Array.from({ length: 20 }, (_, index) => index),
        (index) =>
          Store.reserve(index % 2 === 0 ? one : other, wallet, { ...scope, id: `r${index}`, amount: 3n, limits }),
        { concurrency: "unbounded" }
      )
      const reserved = answers.filter((answer) => answer === undefined).length
      yield* holds(reserved === 3, `expected 3 reservations, got ${reserved}.`)
      const left = yield* Store.left(other, wallet, scope, limits[0])
      yield* holds(left === 1n, `expected 1 to be left, got ${left}.`)
    }),
  "gives a key to one of many processes": (one, other) =>
    Effect.gen(function* () {
      const flows = yield* Effect.forEach(
        Array.from({ length: 20 }, (_, index) => index),
        (index) => claim(index % 2 === 0 ? one : other, "../order 17 🔑", `flow-${index}`),
        { concurrency: "unbounded" }
      )
      yield* holds(new Set(flows).size === 1, "a key belongs to two flows.")
    }),
  "keeps keys apart, and removes one": (one, other) =>
    Effect.gen(function* () {
      yield* claim(one, "a", "one")
      yield* claim(one, "b", "two")
      yield* one.updateKey("a", () => [undefined, undefined])
      const flows = [yield* claim(other, "a", "three"), yield* claim(other, "b", "three")]
      yield* holds(flows.join() === "three,two", `expected the flows three and two, got ${flows.join(" and ")}.`)
    }),
  "changes flows and spending of a wallet together": (one, other) =>
    Effect.gen(function* () {
      yield* Store.reserve(one, wallet, { ...scope, id: "r1", amount: 4n, limits })
      yield* put(one, first)
      yield* other.update(wallet, (document) => [{ ...document, flows: [], spent: [] }, undefined])
      yield* hasFlows(one, [])
      const left = yield* Store.left(one, wallet, scope, limits[0])
      yield* holds(left === 10n, `expected 10 to be left, got ${left}.`)
    })
}

/** The rules for a store without locks. */
const flowsOnlyChecks: Readonly<Record<string, Check>> = {
  "refuses budgets and keys": (one) =>
    Effect.gen(function* () {
      const reserving = yield* Effect.result(Store.reserve(one, wallet, { ...scope, id: "r1", amount: 1n, limits }))
      yield* holds(reserving._tag === "Failure", "an amount was reserved without locks.")
      const claiming = yield* Effect.result(claim(one, "a", "one"))
      yield* holds(claiming._tag === "Failure", "a key was claimed without locks.")
    })
}

/**
 * Returns the cases for a store. `flowsOnly`: the store has no locks.
 *
 * @example
 * ```ts
 * const twice = () => {
 *   const rows = new Map<string, string>()
 *   return [makeStore(rows), makeStore(rows)] as const
 * }
 * for (const { name, run } of storeContract(twice)) test(name, run)
 * ```
 */
export const storeContract = (
  open: OpenTwice,
  { flowsOnly = false }: { readonly flowsOnly?: boolean | undefined } = {}
): ReadonlyArray<StoreCase> =>
  Object.entries({ ...flowChecks, ...(flowsOnly ? flowsOnlyChecks : lockedChecks) }).map(([name, check]) => ({
    name,
    run: async () => {
      const [one, other] = await open()
      await Effect.runPromise(
        Effect.catchTag(check(toStore(one), toStore(other)), "StoreError", ({ message }) =>
          fail(`the store failed: ${message}`)
        )
      )
    }
  }))
