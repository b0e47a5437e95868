import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { Store, SwapError } from "../src/index.js"
import { AuthenticatedStore, FileStore } from "../src/node.js"
import { claimLost, findFlow, storeSignature } from "../src/programs/flows.js"
import type { FlowState } from "../src/store/flow.js"
import { damagedCode, type Locks, type Storage, type StorageOptions, storageStore } from "../src/store/records.js"
import { RunningFlows } from "../src/store/runningFlows.js"
import { ScriptedTransport, storeContract } from "../src/testing.js"
import { put, remove } from "./node/fixture.js"
import { survivesTheWire } from "./roundTrip.js"
import { pageLocks, slowStore } from "./storages.js"

const flow: Store.Flow = {
  id: "one",
  state: "signed",
  createdAt: 0,
  request: ScriptedTransport.evmRequest,
  output: 5n,
  submission: { family: "evm", geoOpToken: "go1", signature: "0x5ec2e7" },
  operation: { delegate: "0x01", nonce: 7n, deadline: 90 }
}
const other: Store.Flow = {
  ...flow,
  id: "two",
  request: ScriptedTransport.solanaRequest,
  submission: { family: "solana", geoOpToken: "go2", signedTransaction: "AQID" }
}

/** Finds a flow in a store, as `resume` does. */
const find = (store: Store.Store, id: string) => Effect.provideService(findFlow(id), Store.Store, store)

/** A key-value store in a map; `slow` returns promises, like a file or a database. */
const storageOf = (texts = new Map<string, string>(), slow = false): Storage => {
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

const pageStorage = (): Storage => {
  const storage = new PageStorage()
  storage.setItem("keys", "of the page")
  return storage
}

/** Opens the same storage twice. */
const twice = <A>(storage: A, open: (storage: A) => Store.PromiseStore | Store.FlowsOnlyStore) =>
  [Store.fromPromise(open(storage)), Store.fromPromise(open(storage))] as const

const locked = (storage: Storage) => {
  const locks = pageLocks()
  return twice(storage, (one) => storageStore(one, { locks }))
}

const folders: Array<string> = []
afterAll(() => folders.forEach((folder) => rmSync(folder, { recursive: true })))

/** A folder that does not exist yet. */
const newFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "geoswap-stores-"))
  folders.push(folder)
  return join(folder, "state", "data")
}

type Stores = readonly [Store.Store, Store.Store]

const stores: Readonly<Record<string, () => Stores | Promise<Stores>>> = {
  "in memory": () => Effect.runPromise(Effect.map(Store.makeMemory, (store) => [store, Store.make(store.records)])),
  "of promises": () => twice(slowStore(), (store) => store),
  "in text storage with locks": () => locked(storageOf()),
  "in a page's storage with locks": () => locked(pageStorage()),
  "in asynchronous storage with locks": () => locked(storageOf(new Map(), true)),
  "in files": () => {
    const path = newFolder()
    return [FileStore.make(path), FileStore.make(path)]
  },
  "in an authenticated file": async () => {
    const options = { id: "one", key: new Uint8Array(32).fill(7) }
    const path = newFolder()
    await Effect.runPromise(AuthenticatedStore.create(path, options))
    return [AuthenticatedStore.make(path, options), AuthenticatedStore.make(path, options)]
  }
}

for (const [name, opened] of Object.entries(stores)) {
  describe(`a store ${name}`, () => {
    it.each(storeContract(opened))("$name", ({ run }) => run())
  })
}

describe.each([false, true])("a store without locks in storage (slow: %s)", (slow) => {
  const opened = () => twice(storageOf(new Map(), slow), (storage) => storageStore(storage))
  it.each(storeContract(opened, { flowsOnly: true }))("$name", ({ run }) => run())
})

describe("the models of a store", () => {
  survivesTheWire("flow", Store.Flow)
  survivesTheWire("wallet", Store.Wallet)
  survivesTheWire("key", Store.Key)
})

describe("a store in a key-value store", () => {
  const open = (texts: Map<string, string>, options: StorageOptions = {}) =>
    Store.fromPromise(
      options.locks
        ? storageStore(storageOf(texts), { ...options, locks: options.locks })
        : storageStore(storageOf(texts), { ...options, locks: undefined })
    )

  it.effect("stores JSON under its prefix, and touches nothing else", () =>
    Effect.gen(function* () {
      const texts = new Map([["theme", "dark"]])
      const [store, apart] = [open(texts), open(texts, { prefix: "apart." })]
      yield* put(store, flow)
      yield* put(apart, other)
      expect([...texts.keys()]).toStrictEqual(["theme", "geoswap.flow-one", "apart.flow-two"])
      expect(JSON.parse(texts.get("geoswap.flow-one") ?? "")).toMatchObject({ id: "one", output: "5" })
      expect(yield* store.flows).toStrictEqual([flow])
      expect(yield* apart.flows).toStrictEqual([other])
      yield* remove(store, "one", flow.request.walletAddress)
      expect([...texts.keys()]).toStrictEqual(["theme", "apart.flow-two"])
    })
  )

  const damages = ["not JSON", "{}", "null", "", '{"id":"one"}']

  it.effect.each(damages)("fails with a damaged flow such as %j, instead of losing a swap", (text) =>
    Effect.gen(function* () {
      const store = open(new Map([["geoswap.flow-one", text]]))
      const error = yield* Effect.flip(find(store, "one"))
      expect(error).toMatchObject({ _tag: "StoreError", retry: "now", code: damagedCode })
      expect(error.message).toContain("geoswap.flow-one")
      expect((yield* Effect.flip(store.flows))._tag).toBe("StoreError")
    })
  )

  it.effect.each(damages)("fails with a damaged wallet such as %j, and leaves it unchanged", (text) =>
    Effect.gen(function* () {
      const texts = new Map<string, string>()
      const store = open(texts, { locks: pageLocks() })
      yield* put(store, flow)
      const [key = ""] = texts.keys()
      texts.set(key, text)
      const attempts: ReadonlyArray<Effect.Effect<unknown, SwapError.StoreError>> = [
        store.flows,
        put(store, flow),
        find(store, "one")
      ]
      for (const attempt of attempts) {
        const error = yield* Effect.flip(attempt)
        expect([error.code, error.message]).toEqual([damagedCode, expect.stringContaining(key)])
      }
      expect(texts.get(key)).toBe(text)
    })
  )

  it.effect("does not accept a record under another name", () =>
    Effect.gen(function* () {
      const texts = new Map<string, string>()
      yield* put(open(texts), flow)
      texts.set("geoswap.flow-two", texts.get("geoswap.flow-one") ?? "")
      expect((yield* open(texts).contents).damaged.map(({ place }) => place)).toEqual(["geoswap.flow-two"])
    })
  )

  it.effect("lists the other flows and reports a damaged record to onDamaged", () =>
    Effect.gen(function* () {
      const places: Array<string> = []
      const texts = new Map([["geoswap.flow-two", "{}"]])
      const store = open(texts, { onDamaged: (place) => void places.push(place) })
      yield* put(store, flow)
      expect(yield* store.flows).toStrictEqual([flow])
      expect(places).toStrictEqual(["geoswap.flow-two"])
      expect((yield* Effect.flip(find(store, "two")))._tag).toBe("StoreError")
    })
  )

  it.effect("fails to list if the storage fails, even with onDamaged", () =>
    Effect.gen(function* () {
      const storage = {
        ...storageOf(new Map([["geoswap.flow-one", ""]])),
        getItem: () => Promise.reject(new Error("x"))
      }
      const store = Store.fromPromise(storageStore(storage, { onDamaged: () => {} }))
      expect((yield* Effect.flip(store.flows)).cause).toBe("x")
    })
  )

  it.effect("does not write a flow that it could not read back", () =>
    Effect.gen(function* () {
      const texts = new Map<string, string>()
      for (const store of [open(texts), open(texts, { locks: pageLocks() })]) {
        const exit = yield* Effect.exit(put(store, { ...flow, output: -1n }))
        expect(exit._tag).toBe("Failure")
      }
      expect(texts.size).toBe(0)
    })
  )

  it("refuses a storage that cannot list its keys, because flows would be lost", () => {
    const { getItem, setItem, removeItem } = storageOf()
    expect(() => storageStore({ getItem, setItem, removeItem })).toThrow(SwapError.StoreError)
  })
})

describe("a store of promises", () => {
  const full = new Error("The disk is full.")
  const rejecting: Store.PromiseStore = { update: () => Promise.reject(full), names: () => Promise.reject(full) }
  const calls = (store: Store.Store): ReadonlyArray<Effect.Effect<unknown, SwapError.StoreError>> => [
    store.update("0x1", (wallet) => [wallet, undefined]),
    store.updateKey("a", (key) => [key, undefined]),
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
      const store = Store.fromPromise(new Shelf())
      yield* put(store, flow)
      yield* put(store, other)
      yield* remove(store, "two", other.request.walletAddress)
      expect(yield* store.flows).toStrictEqual([flow])
    })
  )
})

/** The states that may follow each state. */
const following: Readonly<Record<FlowState, ReadonlyArray<FlowState>>> = {
  signing: ["signing", "signed"],
  signed: ["signed", "resumed", "accepted"],
  resumed: ["resumed", "accepted"],
  accepted: ["accepted", "unproved"],
  unproved: ["unproved"]
}
const states = Object.keys(following) as ReadonlyArray<FlowState>
const pairs = states.flatMap((from) => states.map((to) => [from, to, following[from].includes(to)] as const))
const inStorage = (locks?: Locks) => {
  const storage = storageOf()
  return Store.fromPromise(locks ? storageStore(storage, { locks }) : storageStore(storage))
}

/** The flows of a wallet, including those that are not signed. */
const storedIn = (store: Store.Store) => store.update(flow.request.walletAddress, (wallet) => [wallet, wallet.flows])

describe.each([
  ["with locks", pageLocks()],
  ["without locks", undefined]
] as const)("a flow in a store %s", (_, locks) => {
  it.effect.each(pairs)("that is %s may become %s: %s", ([from, to, isAllowed]) =>
    Effect.gen(function* () {
      const store = inStorage(locks)
      yield* put(store, other)
      yield* put(store, { ...flow, state: from })
      const changing = yield* Effect.result(put(store, { ...flow, state: to, output: 6n }))
      expect(changing._tag).toBe(isAllowed ? "Success" : "Failure")
      if (changing._tag === "Failure") {
        expect(changing.failure).toMatchObject({
          _tag: "StoreError",
          message: `Flow one cannot change from ${from} to ${to}.`
        })
      }
      const [found] = yield* storedIn(store)
      expect([found?.state, found?.output]).toEqual(isAllowed ? [to, 6n] : [from, 5n])
    })
  )

  it.effect.each(states)("that is %s can be stored at once, and removed", (state) =>
    Effect.gen(function* () {
      const store = inStorage(locks)
      yield* put(store, { ...flow, state })
      expect((yield* storedIn(store)).map(({ id }) => id)).toEqual(["one"])
      yield* remove(store, "one", flow.request.walletAddress)
      expect(yield* store.records.names).toEqual([])
    })
  )
})

describe("a flow that is being signed", () => {
  const { originChain: chainId, inputToken: token, walletAddress: address } = flow.request
  const unsigned: Store.Flow = { id: "one", state: "signing", createdAt: 0, request: flow.request, output: 0n }
  const limit: Store.Limit = { window: "total", amount: 100n }
  const reservation = { chainId, token, amount: 10n, limits: [limit] }
  const spentIn = (store: Store.Store) =>
    Effect.map(Store.left(store, address, { chainId, token }, limit), (left) => limit.amount - left)

  /** Stores the flow with what is reserved for it, and what is reserved for other flows. */
  const begin = (store: Store.Store) =>
    Effect.gen(function* () {
      for (const id of ["one", "one.1", "one2", "two"]) yield* Store.reserve(store, address, { ...reservation, id })
      yield* put(store, unsigned)
    })
  /** Runs an effect in a process that works on these flows. */
  const working =
    (...ids: ReadonlyArray<string>) =>
    <A, E, R>(effect: Effect.Effect<A, E, R>) =>
      Effect.provideService(effect, RunningFlows, new Set(ids))

  const opened = {
    ...stores,
    "without locks": () => twice(storageOf(), (storage) => storageStore(storage))
  }
  it.live.each(Object.keys(opened))("is not listed by a store %s", (kind) =>
    Effect.gen(function* () {
      const [one, another] = yield* Effect.promise(async () => opened[kind as keyof typeof opened]())
      yield* put(one, unsigned)
      yield* put(one, { ...flow, id: "two", createdAt: 1 })
      expect((yield* storedIn(one)).map(({ id, state }) => [id, state])).toEqual([
        ["one", "signing"],
        ["two", "signed"]
      ])
      for (const store of [one, another]) {
        const { damaged, flows } = yield* store.contents
        expect(damaged).toEqual([])
        const open = yield* store.openFlows(address)
        for (const listed of [flows, yield* store.flows, open.map((each) => each.flow)]) {
          expect(listed.map(({ id }) => id)).toEqual(["two"])
        }
        expect(yield* find(store, "one")).toBeUndefined()
      }
      yield* put(one, { ...flow, createdAt: 0 })
      expect((yield* another.flows).map(({ id }) => id)).toEqual(["one", "two"])
    }).pipe(working("one", "two"))
  )

  /** Opens the stores of processes that share records with flow locks. */
  const withFlowLocks = Effect.map(Store.makeMemory, ({ records }) => {
    const owners = new Map<string, string>()
    const open = (process: string) =>
      Store.make({
        ...records,
        locks: {
          claim: (id) => owners.set(id, owners.get(id) ?? process).get(id) === process,
          isBusy: (id) => owners.has(id) && owners.get(id) !== process,
          release: (id) => void (owners.get(id) === process && owners.delete(id))
        }
      })
    /** Ends a process: the system releases its locks. */
    const end = (process: string) => {
      for (const [id, owner] of owners) if (owner === process) owners.delete(id)
    }
    return { end, open }
  })

  it.effect("stays as long as its process holds the flow's lock, and is then removed with what it reserved", () =>
    Effect.gen(function* () {
      const { end, open } = yield* withFlowLocks
      const [own, another] = [open("own"), open("another")]
      yield* begin(own).pipe(working("one"))
      yield* TestClock.adjust("30 days")
      expect(yield* storedIn(another)).toEqual([unsigned])
      expect(yield* storedIn(own).pipe(working("one"))).toEqual([unsigned])
      expect(yield* spentIn(another)).toBe(40n)
      end("own")
      expect(yield* storedIn(another)).toEqual([])
      expect(yield* spentIn(another)).toBe(20n)
      // A process that continues although it has lost its locks cannot store its signature.
      const signature = { ...flow, submission: { family: "evm", geoOpToken: "go1", signature: "0x5ec2e7" } } as const
      const storing = storeSignature({ ...signature, signatures: 1 })
      expect(yield* Effect.flip(Effect.provideService(storing, Store.Store, own))).toEqual(claimLost)
      expect(yield* storedIn(another)).toEqual([])
    })
  )

  it.effect("is removed with what it reserved if its own process no longer works on it", () =>
    Effect.gen(function* () {
      const own = (yield* withFlowLocks).open("own")
      yield* begin(own).pipe(working("one"))
      expect(yield* storedIn(own)).toEqual([])
      expect(yield* spentIn(own)).toBe(20n)
    })
  )

  it.effect("stays for a day in a store without flow locks", () =>
    Effect.gen(function* () {
      const [own, another] = locked(storageOf())
      yield* begin(own).pipe(working("one"))
      yield* TestClock.adjust("1 day")
      expect(yield* storedIn(another)).toEqual([unsigned])
      expect(yield* spentIn(another)).toBe(40n)
      yield* TestClock.adjust(1)
      // Its own process knows that it still works on the flow.
      expect(yield* storedIn(own).pipe(working("one"))).toEqual([unsigned])
      expect(yield* storedIn(another)).toEqual([])
      expect(yield* spentIn(another)).toBe(20n)
    })
  )

  it.effect("stays for a day in a store without any locks", () =>
    Effect.gen(function* () {
      const [own, another] = twice(storageOf(), (storage) => storageStore(storage))
      yield* put(own, unsigned)
      yield* TestClock.adjust("1 day")
      expect(yield* storedIn(another)).toEqual([unsigned])
      yield* TestClock.adjust(1)
      expect(yield* storedIn(own).pipe(working("one"))).toEqual([unsigned])
      expect(yield* storedIn(another)).toEqual([])
      expect(yield* another.records.names).toEqual([])
    })
  )

  it.effect("is not removed once it is signed, even if its process has ended", () =>
    Effect.gen(function* () {
      const { end, open } = yield* withFlowLocks
      const [own, another] = [open("own"), open("another")]
      yield* begin(own).pipe(working("one"))
      yield* put(own, flow).pipe(working("one"))
      end("own")
      yield* TestClock.adjust("30 days")
      expect((yield* storedIn(another)).map(({ state }) => state)).toEqual(["signed"])
      expect(yield* spentIn(another)).toBe(40n)
    })
  )
})

describe("what can be submitted for a flow that is never resumed", () => {
  const sweeps: Readonly<Record<string, (store: Store.Store) => Effect.Effect<unknown, SwapError.StoreError>>> = {
    "the flows are listed": (store) => store.flows,
    "the wallet is updated": (store) => store.update(flow.request.walletAddress, (wallet) => [wallet, undefined])
  }
  const unlocked = (texts: Map<string, string>) => storageStore(storageOf(texts))
  const kinds: Readonly<Record<string, (texts: Map<string, string>) => Store.Store>> = {
    "with locks": (texts) => Store.fromPromise(storageStore(storageOf(texts), { locks: pageLocks() })),
    "without locks": (texts) => Store.fromPromise(unlocked(texts))
  }
  for (const [kind, open] of Object.entries(kinds)) {
    it.effect.each(Object.keys(sweeps))(`is dropped after seven days when %s, ${kind}`, (when) =>
      Effect.gen(function* () {
        const texts = new Map<string, string>()
        const store = open(texts)
        yield* put(store, flow)
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
