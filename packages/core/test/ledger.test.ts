import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { Store } from "../src/index.js"
import { FileStore } from "../src/node.js"
import { pageLocks, slowStorage, slowStore } from "./storages.js"
import * as Ledger from "./views/Ledger.js"

const claim: Ledger.Claim = { key: "order-17", wallet: "0xf39f", requestHash: "a", owner: "one", lease: 60_000 }
const scope: Store.Scope = { wallet: "0xf39f", chain: 8453, token: "0x8335" }
const hourly = (amount: bigint): ReadonlyArray<Store.Limit> => [{ window: "hour", amount }]

const folder = mkdtempSync(join(tmpdir(), "geoswap-ledger-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const ledgers: Readonly<Record<string, () => Store.Store>> = {
  "in memory": () => Effect.runSync(Store.makeMemory),
  "of promises": () => Store.fromPromise(slowStore()),
  "in a page's storage with locks": () => Store.fromPromise(Store.storageStore(slowStorage(), { locks: pageLocks() })),
  "in files": () => FileStore.make(mkdtempSync(join(folder, "l-")))
}

describe.each(Object.keys(ledgers))("the commitments in a store %s", (name) => {
  const make = () => Ledger.make((ledgers[name] as () => Store.Store)())

  it.effect("gives a key to one of many concurrent claims", () => {
    const ledger = make()
    return Effect.gen(function* () {
      const owners = Array.from({ length: 20 }, (_, index) => `owner-${index}`)
      const entries = yield* Effect.all(
        owners.map((owner) => ledger.claim({ ...claim, owner })),
        { concurrency: "unbounded" }
      )
      expect(new Set(entries.map(({ owner }) => owner)).size).toBe(1)
    })
  })

  it.effect("lets an expired claim be taken over, but not one that is signing", () => {
    const ledger = make()
    return Effect.gen(function* () {
      yield* ledger.claim(claim)
      expect(yield* ledger.claim({ ...claim, owner: "two" })).toMatchObject({ owner: "one", state: "claimed" })
      yield* TestClock.adjust(60_000)
      expect(yield* ledger.claim({ ...claim, requestHash: "b", owner: "two" })).toMatchObject({ requestHash: "a" })
      expect(yield* ledger.claim({ ...claim, owner: "two" })).toMatchObject({ owner: "two", state: "claimed" })
      const signing = { state: "signing", flowId: "f" } as const
      expect(yield* ledger.advance("order-17", { owner: "one", state: "claimed" }, signing)).toBe(false)
      expect(yield* ledger.advance("order-17", { owner: "two", state: "claimed" }, signing)).toBe(true)
      yield* TestClock.adjust("10 days")
      expect(yield* ledger.claim({ ...claim, owner: "three" })).toMatchObject({ owner: "two", ...signing })
    })
  })

  it.effect("lets one of two concurrent updates of an entry win", () => {
    const ledger = make()
    return Effect.gen(function* () {
      yield* ledger.claim(claim)
      const moves = ["f1", "f2"].map((flowId) =>
        ledger.advance("order-17", { state: "claimed" }, { state: "signing", flowId })
      )
      const moved = yield* Effect.all(moves, { concurrency: "unbounded" })
      expect(moved.filter(Boolean)).toHaveLength(1)
    })
  })

  it.effect("keeps the key, request, swap and status of a swap that has ended", () => {
    const ledger = make()
    return Effect.gen(function* () {
      yield* ledger.claim(claim)
      yield* ledger.advance("order-17", { state: "claimed" }, { state: "signing", flowId: "f" })
      expect(yield* ledger.finish("order-17", { flowId: "f", swapId: "s1", status: "settled" })).toBe(true)
      expect(yield* ledger.finish("order-17", { flowId: "f", swapId: "s2", status: "failed" })).toBe(true)
      yield* TestClock.adjust("400 days")
      expect(yield* ledger.claim({ ...claim, owner: "two" })).toMatchObject({
        key: "order-17",
        requestHash: "a",
        state: "ended",
        swapId: "s1",
        status: "settled"
      })
    })
  })

  it.effect("removes a released claim, and ignores an unknown key", () => {
    const ledger = make()
    return Effect.gen(function* () {
      yield* ledger.claim(claim)
      expect(yield* ledger.advance("order-17", { owner: "one" }, undefined)).toBe(true)
      expect(yield* ledger.advance("order-17", {}, { state: "signing" })).toBe(false)
      expect(yield* ledger.finish("order-17", { flowId: "f", swapId: "s1", status: "settled" })).toBe(false)
      expect(yield* ledger.get("order-17")).toBeUndefined()
      expect(yield* ledger.claim({ ...claim, owner: "two", requestHash: "b" })).toMatchObject({ owner: "two" })
    })
  })

  it.effect("does not end the key of another flow, or with another number of signatures", () => {
    const ledger = make()
    const end = { flowId: "f", signatures: 2, swapId: "s1", status: "failed" }
    return Effect.gen(function* () {
      yield* ledger.claim(claim)
      yield* ledger.advance("order-17", { state: "claimed" }, { state: "signing", flowId: "f", signatures: 2 })
      expect(yield* ledger.finish("order-17", { ...end, flowId: "g" })).toBe(false)
      expect(yield* ledger.finish("order-17", { ...end, signatures: 1 })).toBe(false)
      expect(yield* ledger.advance("order-17", { flowId: "f", signatures: 1 }, undefined)).toBe(false)
      expect(yield* ledger.get("order-17")).toMatchObject({ state: "signing", flowId: "f", signatures: 2 })
      expect(yield* ledger.finish("order-17", end)).toBe(true)
      expect(yield* ledger.get("order-17")).toMatchObject({ state: "ended", swapId: "s1" })
    })
  })

  it.effect("never reserves more than a limit, even with concurrent reservations", () => {
    const ledger = make()
    return Effect.gen(function* () {
      const answers = yield* Effect.all(
        Array.from({ length: 20 }, (_, index) =>
          ledger.reserve({ ...scope, id: `r${index}`, amount: 3n, limits: hourly(10n) })
        ),
        { concurrency: "unbounded" }
      )
      expect(answers.filter((answer) => answer === undefined)).toHaveLength(3)
      expect(answers.find((answer) => answer !== undefined)).toEqual({ window: "hour", left: 1n })
    })
  })

  it.effect("frees an amount after its window, but never in total", () => {
    const ledger = make()
    const limits: ReadonlyArray<Store.Limit> = [
      { window: "hour", amount: 10n },
      { window: "day", amount: 20n },
      { window: "total", amount: 45n }
    ]
    const spend = (id: string, amount = 10n) => ledger.reserve({ ...scope, id, amount, limits })
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
    const ledger = make()
    const limits: ReadonlyArray<Store.Limit> = [{ window: "hour", amount: 100n }]
    const spend = (id: string, amount: bigint) => ledger.reserve({ ...scope, id, amount, limits })
    const start = 86_400_000
    return Effect.gen(function* () {
      yield* TestClock.setTime(start)
      expect(yield* spend("a", 99n)).toBeUndefined()
      yield* TestClock.setTime(2 * start)
      expect(yield* spend("b", 1n)).toBeUndefined()
      yield* ledger.claim(claim)
      yield* TestClock.setTime(start + 10_000)
      expect(yield* spend("c", 1n)).toEqual({ window: "hour", left: 0n })
      // A claim that should last a minute does not block for a day.
      expect(yield* ledger.claim({ ...claim, owner: "two" })).toMatchObject({ owner: "two", state: "claimed" })
    })
  })

  it.effect("keeps a claim when another process has waited for the store, or its clock is slightly behind", () => {
    const records = new Map<string, string>()
    const waits = { millis: 0 }
    const ledger = Ledger.make(
      Store.make({
        names: Effect.succeed([]),
        update: (name, change) =>
          Effect.sync(() => {
            const [next, answer] = change(records.get(name))
            if (next !== undefined) records.set(name, next)
            return answer
          }).pipe(Effect.delay(waits.millis))
      })
    )
    return Effect.gen(function* () {
      yield* TestClock.setTime(86_400_000)
      waits.millis = 1_000
      const late = yield* Effect.forkChild(ledger.claim({ ...claim, owner: "two" }))
      yield* TestClock.adjust(500)
      waits.millis = 0
      expect(yield* ledger.claim(claim)).toMatchObject({ owner: claim.owner })
      yield* TestClock.adjust(500)
      expect(yield* Fiber.join(late)).toMatchObject({ owner: claim.owner })
      yield* TestClock.setTime(86_400_000 - claim.lease / 2)
      expect(yield* ledger.claim({ ...claim, owner: "three" })).toMatchObject({ owner: claim.owner })
    })
  })

  it.effect("deducts a reservation once, and returns a released one once", () => {
    const ledger = make()
    const one = { ...scope, id: "a", amount: 6n, limits: hourly(10n) }
    return Effect.gen(function* () {
      yield* ledger.reserve(one)
      expect(yield* ledger.reserve(one)).toBeUndefined()
      expect(yield* ledger.reserve({ ...one, id: "b" })).toEqual({ window: "hour", left: 4n })
      yield* ledger.release(one)
      yield* ledger.release(one)
      expect(yield* ledger.reserve({ ...one, id: "b", amount: 10n })).toBeUndefined()
      expect(yield* ledger.reserve({ ...one, id: "c", amount: 1n })).toEqual({ window: "hour", left: 0n })
    })
  })

  it.effect("does not release a reservation that was kept, even if it is reserved again", () => {
    const ledger = make()
    const one = { ...scope, id: "a", amount: 6n, limits: hourly(10n) }
    const two = { ...one, id: "b", amount: 1n }
    return Effect.gen(function* () {
      yield* ledger.keep(one)
      yield* ledger.reserve(one)
      yield* ledger.reserve(two)
      yield* ledger.keep(one)
      yield* ledger.reserve(one)
      yield* ledger.release(one)
      yield* ledger.release(two)
      expect(yield* ledger.reserve({ ...one, id: "c", amount: 5n })).toEqual({ window: "hour", left: 4n })
    })
  })

  it.effect("renews a repeated reservation, and checks its limits without deducting it twice", () => {
    const ledger = make()
    const spend = (id: string, amount = 10n) =>
      ledger.reserve({ ...scope, id, amount, limits: [...hourly(10n), { window: "total", amount: 20n }] })
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

  it.effect("separates budgets by wallet, chain and token, and ignores the case of EVM addresses", () => {
    const ledger = make()
    const one = { ...scope, id: "a", amount: 10n, limits: hourly(10n) }
    return Effect.gen(function* () {
      yield* ledger.reserve(one)
      expect(yield* ledger.reserve({ ...one, id: "b", wallet: "0xF39F" })).toEqual({ window: "hour", left: 0n })
      expect(yield* ledger.reserve({ ...one, id: "b", wallet: "0xf39e" })).toBeUndefined()
      expect(yield* ledger.reserve({ ...one, id: "b", chain: 1 })).toBeUndefined()
      expect(yield* ledger.reserve({ ...one, id: "b", token: "0x8336" })).toBeUndefined()
    })
  })
})

it.effect("fails with a damaged record, and leaves it unchanged", () => {
  let text: string | undefined = "{"
  const ledger = Ledger.make(
    Store.fromPromise({
      names: async () => [],
      update: async (_, change) => {
        const [next, answer] = change(text)
        text = next
        return answer
      }
    })
  )
  return Effect.gen(function* () {
    expect(yield* Effect.flip(ledger.claim(claim))).toMatchObject({ _tag: "StoreError", retry: "now" })
    expect(yield* Effect.flip(ledger.reserve({ ...scope, id: "a", amount: 1n, limits: [] }))).toMatchObject({
      _tag: "StoreError"
    })
    expect(text).toBe("{")
  })
})

it.effect("fails with a StoreError if the store fails, without the thrown object", () =>
  Effect.gen(function* () {
    expect(yield* Effect.flip(Ledger.failing.claim(claim))).toMatchObject({ _tag: "StoreError", cause: "disk full" })
  })
)

it.effect("keeps the entry of a flow with its wallet, apart from keys", () => {
  const store = Effect.runSync(Store.makeMemory)
  const ledger = Ledger.make(store)
  const key = { flowId: "order-17", wallet: "0xF39F" }
  return Effect.gen(function* () {
    yield* ledger.claim({ ...claim, key, owner: "two" })
    expect(yield* ledger.get("order-17")).toBeUndefined()
    expect(yield* ledger.get({ ...key, wallet: "0xf39f" })).toMatchObject({ key: "order-17", owner: "two" })
    expect(yield* store.update("0xf39f", (wallet) => [wallet, wallet.entries.length])).toBe(1)
    yield* ledger.advance(key, { owner: "two" }, undefined)
    expect(yield* store.records.names).toEqual([])
  })
})
