import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { Store, SwapError } from "../src/index.js"
import { AuthenticatedStore, FileStore } from "../src/node.js"
import { ScriptedTransport, storeContract } from "../src/testing.js"
import { freshFolder } from "./node/fixture.js"
import { survivesTheWire } from "./roundTrip.js"
import { pageLocks, slowStore } from "./storages.js"
import * as Journal from "./views/Journal.js"

const flow: Store.Flow = {
  id: "one",
  createdAt: 0,
  request: ScriptedTransport.evmRequest,
  output: 5n,
  submission: { kind: "evm", geoOpToken: "go1", signature: "0x5ec2e7" },
  operation: { delegate: "0x01", nonce: 7n, deadline: 90 }
}
const other: Store.Flow = {
  ...flow,
  id: "two",
  request: ScriptedTransport.solanaRequest,
  submission: { kind: "solana", geoOpToken: "go2", signedTransaction: "AQID" }
}

/** A key-value store in a map; `slow` returns promises, like a file or a database. */
const storageOf = (texts = new Map<string, string>(), slow = false): Store.Storage => {
  const given = <A>(value: A): A | Promise<A> => (slow ? Promise.resolve(value) : value)
  return {
    getItem: (key) => given(texts.get(key) ?? null),
    setItem: (key, value) => given(void texts.set(key, value)),
    removeItem: (key) => given(void texts.delete(key)),
    keys: () => given([...texts.keys()])
  }
}

/** Storage like that of a web page: the items are its own properties, and one of them may be called `keys`. */
class PageStorage {
  [key: string]: unknown
  get length(): number {
    return Object.keys(this).length
  }
  getItem(key: string): string | null {
    return Object.hasOwn(this, key) ? String(this[key]) : null
  }
  setItem(key: string, value: string): void {
    this[key] = value
  }
  removeItem(key: string): void {
    delete this[key]
  }
}

const pageStorage = (): Store.Storage => {
  const storage = new PageStorage()
  storage.setItem("keys", "of the page")
  return storage
}

/** Opens the same storage twice. */
const twice = <A>(storage: A, open: (storage: A) => Store.PromiseStore | Store.FlowsOnlyStore) =>
  [Store.fromPromise(open(storage)), Store.fromPromise(open(storage))] as const

const locked = (storage: Store.Storage) => {
  const locks = pageLocks()
  return twice(storage, (one) => Store.storageStore(one, { locks }))
}

type Stores = readonly [Store.Store, Store.Store]

const stores: Readonly<Record<string, Effect.Effect<Stores>>> = {
  "in memory": Effect.map(Store.makeMemory, (store) => [store, Store.make(store.records)] as const),
  "of promises": Effect.sync(() => twice(slowStore(), (store) => store)),
  "in text storage with locks": Effect.sync(() => locked(storageOf())),
  "in a page's storage with locks": Effect.sync(() => locked(pageStorage())),
  "in asynchronous storage with locks": Effect.sync(() => locked(storageOf(new Map(), true)))
}

const files: Readonly<Record<string, (path: string) => Effect.Effect<Stores>>> = {
  "in files": (path) => Effect.succeed([FileStore.make(path), FileStore.make(path)]),
  "in an authenticated file": (path) => {
    const options = { id: "one", key: new Uint8Array(32).fill(7) }
    return Effect.map(
      Effect.orDie(AuthenticatedStore.create(path, options)),
      () => [AuthenticatedStore.make(path, options), AuthenticatedStore.make(path, options)] as const
    )
  }
}

for (const [name, opened] of Object.entries(stores)) {
  describe(`a store ${name}`, () => {
    for (const { name: rule, run } of storeContract(opened)) it.effect(rule, () => run)
  })
}

for (const [name, open] of Object.entries(files)) {
  describe(`a store ${name}`, () => {
    for (const { name: rule } of storeContract(Effect.die("unused"))) {
      it.live(rule, () =>
        Effect.flatMap(
          freshFolder,
          (path) => storeContract(open(path)).find((one) => one.name === rule)?.run ?? Effect.die("no case")
        )
      )
    }
  })
}

describe.each([false, true])("a store without locks in storage (slow: %s)", (slow) => {
  const opened = Effect.sync(() => twice(storageOf(new Map(), slow), (storage) => Store.storageStore(storage)))
  for (const { name, run } of storeContract(opened, { flowsOnly: true })) it.effect(name, () => run)
})

describe("the models of a store", () => {
  survivesTheWire("flow", Store.Flow)
  survivesTheWire("wallet", Store.Wallet)
  survivesTheWire("entry", Store.Entry)
})

describe("a store in a key-value store", () => {
  const open = (texts: Map<string, string>, options: Store.StorageOptions = {}) =>
    Store.fromPromise(
      options.locks
        ? Store.storageStore(storageOf(texts), { ...options, locks: options.locks })
        : Store.storageStore(storageOf(texts), { ...options, locks: undefined })
    )

  it.effect("stores JSON under its prefix, and touches nothing else", () =>
    Effect.gen(function* () {
      const texts = new Map([["theme", "dark"]])
      const [store, apart] = [open(texts), open(texts, { prefix: "apart." })]
      yield* Journal.make(store).put(flow)
      yield* Journal.make(apart).put(other)
      expect([...texts.keys()]).toStrictEqual(["theme", "geoswap.flow-one", "apart.flow-two"])
      expect(JSON.parse(texts.get("geoswap.flow-one") ?? "")).toMatchObject({ id: "one", output: "5" })
      expect(yield* store.flows).toStrictEqual([flow])
      expect(yield* apart.flows).toStrictEqual([other])
      yield* Journal.make(store).remove("one")
      expect([...texts.keys()]).toStrictEqual(["theme", "apart.flow-two"])
    })
  )

  const damages = ["not JSON", "{}", "null", "", '{"id":"one"}']

  it.effect.each(damages)("fails with a damaged flow such as %j, instead of losing a swap", (text) =>
    Effect.gen(function* () {
      const journal = Journal.make(open(new Map([["geoswap.flow-one", text]])))
      const error = yield* Effect.flip(journal.get("one"))
      expect(error).toMatchObject({ _tag: "StoreError", retry: "now", code: Store.damagedCode })
      expect(error.message).toContain("geoswap.flow-one")
      expect((yield* Effect.flip(journal.list))._tag).toBe("StoreError")
    })
  )

  it.effect.each(damages)("fails with a damaged wallet such as %j, and leaves it unchanged", (text) =>
    Effect.gen(function* () {
      const texts = new Map<string, string>()
      const store = open(texts, { locks: pageLocks() })
      yield* Journal.make(store).put(flow)
      const [key = ""] = texts.keys()
      texts.set(key, text)
      for (const attempt of [store.flows, Journal.make(store).put(flow), Journal.make(store).get("one")]) {
        const error: SwapError.StoreError = yield* Effect.flip(Effect.asVoid(attempt))
        expect([error.code, error.message]).toEqual([Store.damagedCode, expect.stringContaining(key)])
      }
      expect(texts.get(key)).toBe(text)
    })
  )

  it.effect("does not accept a record under another name", () =>
    Effect.gen(function* () {
      const texts = new Map<string, string>()
      yield* Journal.make(open(texts)).put(flow)
      texts.set("geoswap.flow-two", texts.get("geoswap.flow-one") ?? "")
      expect((yield* open(texts).contents).damaged.map(({ place }) => place)).toEqual(["geoswap.flow-two"])
    })
  )

  it.effect("lists the other flows and reports a damaged record to onDamaged", () =>
    Effect.gen(function* () {
      const places: Array<string> = []
      const texts = new Map([["geoswap.flow-two", "{}"]])
      const store = open(texts, { onDamaged: (place) => void places.push(place) })
      yield* Journal.make(store).put(flow)
      expect(yield* store.flows).toStrictEqual([flow])
      expect(places).toStrictEqual(["geoswap.flow-two"])
      expect((yield* Effect.flip(Journal.make(store).get("two")))._tag).toBe("StoreError")
    })
  )

  it.effect("fails to list if the storage fails, even with onDamaged", () =>
    Effect.gen(function* () {
      const storage = {
        ...storageOf(new Map([["geoswap.flow-one", ""]])),
        getItem: () => Promise.reject(new Error("x"))
      }
      const store = Store.fromPromise(Store.storageStore(storage, { onDamaged: () => {} }))
      expect((yield* Effect.flip(store.flows)).cause).toBe("x")
    })
  )

  it.effect("does not write a flow that it could not read back", () =>
    Effect.gen(function* () {
      const texts = new Map<string, string>()
      for (const store of [open(texts), open(texts, { locks: pageLocks() })]) {
        const exit = yield* Effect.exit(Journal.make(store).put({ ...flow, output: -1n }))
        expect(exit._tag).toBe("Failure")
      }
      expect(texts.size).toBe(0)
    })
  )

  it("refuses a storage that cannot list its keys, because flows would be lost", () => {
    const { getItem, setItem, removeItem } = storageOf()
    expect(() => Store.storageStore({ getItem, setItem, removeItem })).toThrow(SwapError.StoreError)
  })
})

describe("a store of promises", () => {
  const full = new Error("The disk is full.")
  const rejecting: Store.PromiseStore = { update: () => Promise.reject(full), names: () => Promise.reject(full) }
  const calls = (store: Store.Store): ReadonlyArray<Effect.Effect<unknown, SwapError.StoreError>> => [
    store.update("0x1", (wallet) => [wallet, undefined]),
    store.updateKey("a", (entry) => [entry, undefined]),
    store.flows,
    store.contents
  ]

  it.effect("fails with a StoreError that keeps the message of the cause, in every method", () =>
    Effect.gen(function* () {
      const throwing: Store.PromiseStore = {
        update: () => {
          throw full
        },
        names: () => {
          throw full
        }
      }
      for (const store of [rejecting, throwing]) {
        for (const call of calls(Store.fromPromise(store))) {
          const error = yield* Effect.flip(call)
          expect(error).toBeInstanceOf(SwapError.StoreError)
          expect(error.cause).toBe(full.message)
        }
      }
    })
  )

  it.effect("passes on a StoreError", () =>
    Effect.gen(function* () {
      const own = new SwapError.StoreError({ message: "Locked by another process." })
      const store = Store.fromPromise({ ...rejecting, names: () => Promise.reject(own) })
      expect(yield* Effect.flip(store.flows)).toBe(own)
    })
  )

  it.effect("may be an instance of a class", () =>
    Effect.gen(function* () {
      class Shelf implements Store.PromiseStore {
        readonly texts = new Map<string, string>()
        async update<A>(name: string, change: Store.Change<A>) {
          const [next, answer] = change(this.texts.get(name))
          if (next === undefined) this.texts.delete(name)
          else this.texts.set(name, next)
          return answer
        }
        async names() {
          return [...this.texts.keys()]
        }
      }
      const journal = Journal.make(Store.fromPromise(new Shelf()))
      yield* journal.put(flow)
      yield* journal.put(other)
      yield* journal.remove("two")
      expect(yield* journal.get("one")).toStrictEqual(flow)
      expect(yield* journal.list).toStrictEqual([flow])
    })
  )
})

describe("what can be submitted for a flow that is never resumed", () => {
  const sweeps: Readonly<Record<string, (store: Store.Store) => Effect.Effect<unknown, SwapError.StoreError>>> = {
    "the flows are listed": (store) => store.flows,
    "the wallet is updated": (store) => store.update(flow.request.walletAddress, (wallet) => [wallet, undefined])
  }
  const unlocked = (texts: Map<string, string>) => Store.storageStore(storageOf(texts))
  const kinds: Readonly<Record<string, (texts: Map<string, string>) => Store.Store>> = {
    "with locks": (texts) => Store.fromPromise(Store.storageStore(storageOf(texts), { locks: pageLocks() })),
    "without locks": (texts) => Store.fromPromise(unlocked(texts))
  }
  for (const [kind, open] of Object.entries(kinds)) {
    it.effect.each(Object.keys(sweeps))(`is dropped after seven days when %s, ${kind}`, (when) =>
      Effect.gen(function* () {
        const texts = new Map<string, string>()
        const store = open(texts)
        yield* Journal.make(store).put(flow)
        const sweep = sweeps[when]?.(store) ?? Effect.die("no such sweep")
        yield* TestClock.adjust("7 days")
        yield* sweep
        expect([...texts.values()].join()).toContain("0x5ec2e7")
        yield* TestClock.adjust("1 second")
        yield* sweep
        const stored = [...texts.values()].join()
        expect(stored).not.toContain("0x5ec2e7")
        expect(stored).not.toContain("go1")
        const { operation, submission: _, ...rest } = flow
        expect(yield* store.flows).toStrictEqual([{ ...rest, signed: [{ operation }] }])
      })
    )
  }
})
