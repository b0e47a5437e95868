import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { RetrySettings, Store } from "../src/index.js"
import { FileStore } from "../src/node.js"
import { endFlow, openFlow, takeOver, withdrawSignature } from "../src/programs/flows.js"
import { RunningFlows } from "../src/store/runningFlows.js"
import { discard as discardFlow } from "../src/store/wallet.js"
import { makeFixture } from "./fixture.js"
import { flow, put, wallet } from "./node/fixture.js"
import { pageLocks, slowStorage, slowStore } from "./storages.js"
import { storageStore } from "../src/store/records.js"

const scope: Store.Scope = { chainId: 8453, token: "0x8335aa" }
const hourly = (amount: bigint): ReadonlyArray<Store.Limit> => [{ window: "hour", amount }]

const folder = mkdtempSync(join(tmpdir(), "geoswap-spending-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const stores: Readonly<Record<string, () => Store.Store>> = {
  "in memory": () => Effect.runSync(Store.makeMemory),
  "of promises": () => Store.fromPromise(slowStore()),
  "in a page's storage with locks": () => Store.fromPromise(storageStore(slowStorage(), { locks: pageLocks() })),
  "in files": () => FileStore.make(mkdtempSync(join(folder, "l-")))
}

const reserve = (store: Store.Store, reservation: Store.Reservation, of = wallet) =>
  Store.reserve(store, of, reservation)

/** Discards a flow that was never signed, with what was reserved for it. */
const discard = (store: Store.Store, flowId: string) =>
  store.update(wallet, (document) => [discardFlow(document, flowId), undefined])

const keyIn = (store: Store.Store, key: string) => store.updateKey(key, (found) => [found, found])
const flowsIn = (store: Store.Store) => store.update(wallet, (document) => [document, document.flows])
const idsIn = (store: Store.Store) => Effect.map(flowsIn(store), (flows) => flows.map(({ id }) => id))

describe.each(Object.keys(stores))("the spending in a store %s", (name) => {
  const make = stores[name] as () => Store.Store

  it.effect("never reserves more than a limit, even with concurrent reservations", () => {
    const store = make()
    return Effect.gen(function* () {
      const answers = yield* Effect.all(
        Array.from({ length: 20 }, (_, index) =>
          reserve(store, { ...scope, id: `r${index}`, amount: 3n, limits: hourly(10n) })
        ),
        { concurrency: "unbounded" }
      )
      expect(answers.filter((answer) => answer === undefined)).toHaveLength(3)
      expect(answers.find((answer) => answer !== undefined)).toEqual({ window: "hour", left: 1n })
    })
  })

  it.effect("frees an amount after its window, but never in total", () => {
    const store = make()
    const limits: ReadonlyArray<Store.Limit> = [
      { window: "hour", amount: 10n },
      { window: "day", amount: 20n },
      { window: "total", amount: 45n }
    ]
    const spend = (id: string, amount = 10n) => reserve(store, { ...scope, id, amount, limits })
    return Effect.gen(function* () {
      expect(yield* spend("a")).toBeUndefined()
      expect(yield* spend("b")).toEqual({ window: "hour", left: 0n })
      yield* TestClock.adjust("59 minutes")
      expect(yield* spend("b")).toEqual({ window: "hour", left: 0n })
      yield* TestClock.adjust("1 minute")
      expect(yield* spend("b")).toBeUndefined()
      yield* TestClock.adjust("2 hours")
      expect(yield* spend("c")).toEqual({ window: "day", left: 0n })
      yield* TestClock.adjust("22 hours")
      expect(yield* spend("c")).toBeUndefined()
      yield* TestClock.adjust("2 days")
      expect(yield* spend("d")).toBeUndefined()
      yield* TestClock.adjust("400 days")
      expect(yield* spend("e")).toEqual({ window: "total", left: 5n })
      expect(yield* spend("e", 5n)).toBeUndefined()
    })
  })

  it.effect("does not free amounts because the clock was ahead for a moment", () => {
    const store = make()
    const limits: ReadonlyArray<Store.Limit> = [{ window: "hour", amount: 100n }]
    const spend = (id: string, amount: bigint) => reserve(store, { ...scope, id, amount, limits })
    const start = 86_400_000
    return Effect.gen(function* () {
      yield* TestClock.setTime(start)
      expect(yield* spend("a", 99n)).toBeUndefined()
      yield* TestClock.setTime(2 * start)
      expect(yield* spend("b", 1n)).toBeUndefined()
      yield* TestClock.setTime(start + 10_000)
      expect(yield* spend("c", 1n)).toEqual({ window: "hour", left: 0n })
    })
  })

  it.effect("deducts a reservation once, and returns a released one once", () => {
    const store = make()
    const one = { ...scope, id: "a", amount: 6n, limits: hourly(10n) }
    return Effect.gen(function* () {
      yield* reserve(store, one)
      expect(yield* reserve(store, one)).toBeUndefined()
      expect(yield* reserve(store, { ...one, id: "b" })).toEqual({ window: "hour", left: 4n })
      yield* discard(store, one.id)
      yield* discard(store, one.id)
      expect(yield* reserve(store, { ...one, id: "b", amount: 10n })).toBeUndefined()
      expect(yield* reserve(store, { ...one, id: "c", amount: 1n })).toEqual({ window: "hour", left: 0n })
    })
  })

  it.effect("discards what was reserved for every signature of a flow, and nothing else", () => {
    const store = make()
    const one = { ...scope, amount: 2n, limits: hourly(10n) }
    return Effect.gen(function* () {
      for (const id of ["a", "a.1", "ab", "b"]) yield* reserve(store, { ...one, id })
      yield* reserve(store, { ...one, id: "a", token: "0x8336" })
      yield* discard(store, "a")
      expect(yield* Store.left(store, wallet, scope, { window: "hour", amount: 10n })).toBe(6n)
      expect(yield* Store.left(store, wallet, { ...scope, token: "0x8336" }, { window: "hour", amount: 10n })).toBe(10n)
    })
  })

  it.effect("shows what is left of a limit, besides a reservation", () => {
    const store = make()
    const left = (amount: bigint, id?: string) =>
      Store.left(
        store,
        wallet,
        { ...scope, token: scope.token.toUpperCase().replace("0X", "0x") },
        { window: "total", amount },
        id
      )
    return Effect.gen(function* () {
      expect(yield* left(10n)).toBe(10n)
      for (const id of ["a", "b"]) yield* reserve(store, { ...scope, id, amount: 4n, limits: hourly(10n) })
      expect([yield* left(10n), yield* left(10n, "a"), yield* left(10n, "c")]).toEqual([2n, 6n, 2n])
      expect([yield* left(8n), yield* left(1n)]).toEqual([0n, 0n])
    })
  })

  it.effect("renews a repeated reservation, and checks its limits without deducting it twice", () => {
    const store = make()
    const spend = (id: string, amount = 10n) =>
      reserve(store, { ...scope, id, amount, limits: [...hourly(10n), { window: "total", amount: 20n }] })
    return Effect.gen(function* () {
      expect(yield* spend("a")).toBeUndefined()
      yield* TestClock.adjust("50 minutes")
      expect(yield* spend("a")).toBeUndefined()
      yield* TestClock.adjust("50 minutes")
      expect(yield* spend("b")).toEqual({ window: "hour", left: 0n })
      yield* TestClock.adjust("10 minutes")
      expect(yield* spend("b")).toBeUndefined()
      expect(yield* spend("a")).toEqual({ window: "hour", left: 0n })
      yield* TestClock.adjust("2 hours")
      expect(yield* spend("c", 1n)).toEqual({ window: "total", left: 0n })
    })
  })

  it.effect("does not make a repeated reservation older because the clock was set back", () => {
    const store = make()
    const spend = (id: string, amount: bigint) => reserve(store, { ...scope, id, amount, limits: hourly(10n) })
    const day = 86_400_000
    return Effect.gen(function* () {
      for (const time of [2 * day, day]) {
        yield* TestClock.setTime(time)
        expect(yield* spend("a", 10n)).toBeUndefined()
      }
      yield* TestClock.setTime(2 * day + 1_800_000)
      expect(yield* spend("b", 1n)).toEqual({ window: "hour", left: 0n })
    })
  })

  it.effect("separates budgets by wallet, chain and token, and ignores the case of EVM addresses", () => {
    const store = make()
    const one = { ...scope, id: "a", amount: 10n, limits: hourly(10n) }
    return Effect.gen(function* () {
      yield* reserve(store, one)
      expect(yield* reserve(store, { ...one, id: "b" }, wallet.toUpperCase().replace("0X", "0x"))).toEqual({
        window: "hour",
        left: 0n
      })
      expect(yield* reserve(store, { ...one, id: "b" }, `${wallet.slice(0, -1)}0`)).toBeUndefined()
      expect(yield* reserve(store, { ...one, id: "b", chainId: 1 })).toBeUndefined()
      expect(yield* reserve(store, { ...one, id: "b", token: "0x8336aa" })).toBeUndefined()
    })
  })
})

const order = "order-17"
const lease = RetrySettings.defaults.claimLease
const request = flow("f").request

describe.each(Object.keys(stores))("the keys and flows in a store %s", (name) => {
  const make = stores[name] as () => Store.Store
  /** A store with the programs that use it, as of a call that works on the flow `f`. */
  const opened = () => {
    const store = make()
    const { layer } = makeFixture({ store })
    const call = <A, E, R>(program: Effect.Effect<A, E, R>) =>
      program.pipe(Effect.provide(layer), Effect.provideService(RunningFlows, new Set(["f"])))
    const open = Effect.gen(function* () {
      yield* openFlow({ id: "f", request, idempotencyKey: order, until: (yield* Clock.currentTimeMillis) + lease })
    })
    return { call, open: call(open), store }
  }

  it.effect("let one of two concurrent calls take a key whose flow is gone", () => {
    const store = make()
    const take = (from: string | undefined, flowId: string) =>
      store.updateKey(order, (key) =>
        key?.flowId === from ? [{ key: order, wallet, requestHash: "a", flowId }, true] : [key, false]
      )
    return Effect.gen(function* () {
      expect(yield* take(undefined, "f")).toBe(true)
      const taken = yield* Effect.all([take("f", "g"), take("f", "h")], { concurrency: "unbounded" })
      expect(taken.filter(Boolean)).toHaveLength(1)
      expect(yield* keyIn(store, order)).toMatchObject({ flowId: taken[0] ? "g" : "h" })
    })
  })

  it.effect("let an unsigned flow be taken over once its lease is over, with what it reserved", () => {
    const { call, open, store } = opened()
    const one = { ...scope, amount: 6n, limits: hourly(10n) }
    return Effect.gen(function* () {
      yield* open
      yield* call(reserve(store, { ...one, id: "f" }))
      yield* call(reserve(store, { ...one, id: "g", amount: 1n }))
      yield* TestClock.adjust(lease - 1)
      expect(yield* call(takeOver({ id: "f", request }))).toBe(false)
      expect(yield* call(idsIn(store))).toEqual(["f"])
      yield* TestClock.adjust(1)
      expect(yield* call(takeOver({ id: "f", request }))).toBe(true)
      expect(yield* call(idsIn(store))).toEqual([])
      expect(yield* Store.left(store, wallet, scope, { window: "hour", amount: 10n })).toBe(9n)
      expect(yield* call(takeOver({ id: "f", request }))).toBe(true)
    })
  })

  it.effect.each(["signed", "resumed", "accepted", "unproved"] as const)(
    "never let a flow that is %s be taken over",
    (state) => {
      const { call, store } = opened()
      return Effect.gen(function* () {
        yield* call(put(store, { ...flow("f"), state, until: 0 }))
        yield* TestClock.adjust("10 days")
        expect(yield* call(takeOver({ id: "f", request }))).toBe(false)
        expect(yield* call(idsIn(store))).toEqual(["f"])
      })
    }
  )

  it.effect("do not let a flow block its key for a day because the clock was ahead for a moment", () => {
    const { call, open } = opened()
    const start = 86_400_000
    return Effect.gen(function* () {
      yield* TestClock.setTime(2 * start)
      yield* open
      yield* TestClock.setTime(start)
      expect(yield* call(takeOver({ id: "f", request }))).toBe(true)
    })
  })

  it.effect("keep a flow if the clock of another process is behind by up to one lease", () => {
    const { call, open } = opened()
    const start = 86_400_000
    return Effect.gen(function* () {
      yield* TestClock.setTime(start)
      yield* open
      for (const behind of [lease / 2, lease]) {
        yield* TestClock.setTime(start - behind)
        expect(yield* call(takeOver({ id: "f", request }))).toBe(false)
      }
    })
  })

  it.effect("keep how the swap of a key has ended", () => {
    const { call, store } = opened()
    const accepted: Store.Flow = { ...flow("f"), state: "accepted", idempotencyKey: order, swapId: "s1" }
    return Effect.gen(function* () {
      const key = { key: order, wallet, requestHash: "a", flowId: "f" }
      yield* store.updateKey(order, () => [key, undefined])
      yield* call(put(store, accepted))
      expect(yield* call(endFlow(accepted, { swapId: "s1", status: "settled" }))).toBe(true)
      expect(yield* call(idsIn(store))).toEqual([])
      expect(yield* call(endFlow(accepted, { swapId: "s2", status: "failed" }))).toBe(true)
      yield* TestClock.adjust("400 days")
      expect(yield* keyIn(store, order)).toEqual({ ...key, swapId: "s1", status: "settled" })
    })
  })

  it.effect("record no end for an unknown key, or for the key of another flow", () => {
    const { call, store } = opened()
    const accepted: Store.Flow = { ...flow("f"), state: "accepted", idempotencyKey: order, swapId: "s1" }
    const ending = call(endFlow(accepted, { swapId: "s1", status: "settled" }))
    return Effect.gen(function* () {
      expect(yield* ending).toBe(true)
      expect(yield* keyIn(store, order)).toBeUndefined()
      const key = { key: order, wallet, requestHash: "a", flowId: "g" }
      yield* store.updateKey(order, () => [key, undefined])
      yield* ending
      expect(yield* keyIn(store, order)).toEqual(key)
    })
  })

  it.effect("keep a flow that has changed since it was read", () => {
    const { call, store } = opened()
    const read: Store.Flow = { ...flow("f"), signatures: 1 }
    const changes: ReadonlyArray<Store.Flow> = [
      { ...read, signatures: 2 },
      { ...read, signatures: 2, state: "accepted", swapId: "s1" }
    ]
    return Effect.gen(function* () {
      for (const changed of changes) {
        yield* call(put(store, changed))
        expect(yield* call(endFlow(read))).toBe(false)
        expect(yield* call(flowsIn(store))).toEqual([changed])
      }
      expect(yield* call(endFlow({ ...read, signatures: 2, swapId: "s2" }))).toBe(false)
      expect(yield* call(endFlow({ ...read, signatures: 2, swapId: "s1" }))).toBe(true)
    })
  })

  const next = { id: "f", idempotencyKey: undefined, number: 1, request, reservation: "f" }
  const hour: Store.Limit = { window: "hour", amount: 10n }
  const spend = (store: Store.Store, ids: ReadonlyArray<string>) =>
    Effect.forEach(ids, (id) => reserve(store, { ...scope, id, amount: 3n, limits: [hour] }))

  it.effect.each([
    ["signing", true],
    ["signed", true],
    ["resumed", false],
    ["accepted", false],
    ["unproved", false]
  ] as const)("withdraw the first signature of a flow that is %s: %s", ([state, isWithdrawn]) => {
    const { call, store } = opened()
    return Effect.gen(function* () {
      yield* spend(store, ["f", "g"])
      yield* call(put(store, { ...flow("f"), state, signatures: 1 }))
      expect(yield* call(withdrawSignature(next, undefined, false))).toBe(isWithdrawn)
      expect(yield* call(idsIn(store))).toEqual(isWithdrawn ? [] : ["f"])
      expect(yield* Store.left(store, wallet, scope, hour)).toBe(isWithdrawn ? 7n : 4n)
    })
  })

  it.effect.each([
    ["returns its own reservation", "f.1", false, 7n],
    ["keeps the reservation of a signature that was sent", "f", true, 4n]
  ] as const)("withdraw a second signature, which %s", ([, reservation, isReserved, left]) => {
    const { call, store } = opened()
    const earlier: Store.Flow = { ...flow("f"), signatures: 1 }
    return Effect.gen(function* () {
      yield* spend(store, isReserved ? ["f", "g"] : ["f.0", "f.1"])
      yield* call(put(store, { ...earlier, signatures: 2, output: 8n }))
      const second = { ...next, number: 2, reservation }
      expect(yield* call(withdrawSignature(second, earlier, isReserved))).toBe(true)
      expect(yield* call(flowsIn(store))).toEqual([earlier])
      expect(yield* Store.left(store, wallet, scope, hour)).toBe(left)
      // Once another call has taken the signatures, this one may be sent.
      yield* spend(store, [reservation])
      const taken: Store.Flow = { ...earlier, state: "resumed", signatures: 2 }
      yield* call(put(store, taken))
      expect(yield* call(withdrawSignature(second, earlier, isReserved))).toBe(false)
      expect(yield* call(flowsIn(store))).toEqual([taken])
      expect(yield* Store.left(store, wallet, scope, hour)).toBe(4n)
    })
  })
})

it.effect("reads the time when a change is made, not before it waits for the record", () => {
  const store = Store.make({
    names: Effect.succeed([]),
    update: (_, change) =>
      Effect.delay(
        Effect.sync(() => change(undefined)[1]),
        1_000
      )
  })
  return Effect.gen(function* () {
    const reading = yield* Effect.forkChild(store.update(wallet, (document, now) => [document, now]))
    yield* TestClock.adjust(1_000)
    expect(yield* Fiber.join(reading)).toBe(1_000)
  })
})

it.effect("fails with a damaged record, and leaves it unchanged", () => {
  let text: string | undefined = "{"
  const store = Store.fromPromise({
    names: async () => [],
    update: async (_, change) => {
      const [next, answer] = change(text)
      text = next
      return answer
    }
  })
  return Effect.gen(function* () {
    expect(yield* Effect.flip(keyIn(store, order))).toMatchObject({ _tag: "StoreError", retry: "now" })
    expect(yield* Effect.flip(reserve(store, { ...scope, id: "a", amount: 1n, limits: [] }))).toMatchObject({
      _tag: "StoreError"
    })
    expect(text).toBe("{")
  })
})
