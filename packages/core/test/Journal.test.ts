import { describe, expect, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Journal, SwapError } from "../src/index.js"
import { FileJournal } from "../src/node.js"
import { ScriptedTransport } from "../src/testing.js"
import { freshFolder } from "./node/fixture.js"
import { survivesTheWire } from "./roundTrip.js"

const flow: Journal.Flow = {
  id: "one",
  createdAt: 1767225600000,
  request: { ...ScriptedTransport.evmRequest, amount: 2n ** 256n - 1n },
  output: 2n ** 200n + 1n,
  submission: { kind: "evm", geoOpToken: "go1", signature: "0x01" }
}
const other: Journal.Flow = {
  ...flow,
  id: "two",
  request: ScriptedTransport.solanaRequest,
  submission: { kind: "solana", geoOpToken: "go2", signedTransaction: "AQID" },
  swapId: "swap-2"
}

/** A key-value store in a map; `slow` returns promises, like a file or a database. */
const storageOf = (texts: Map<string, string>, slow = false): Journal.Storage => {
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

const pageStorage = (): Journal.Storage => {
  const storage = new PageStorage()
  storage.setItem("keys", "of the page")
  return storage
}

const journals: Readonly<Record<string, () => Layer.Layer<Journal.Journal>>> = {
  "in memory": () => Journal.layerMemory,
  "over text storage": () => Journal.layerStorage(storageOf(new Map())),
  "over the storage of a page": () => Journal.layerStorage(pageStorage()),
  "in files": () => Layer.unwrap(Effect.map(freshFolder, (path) => FileJournal.layer(path))),
  "over asynchronous storage": () => Journal.layerStorage(storageOf(new Map(), true), { prefix: "other." })
}

describe("the model of a flow", () => {
  survivesTheWire("flow", Journal.Flow)
})

for (const [name, layer] of Object.entries(journals)) {
  describe(`a journal ${name}`, () => {
    const kept = <A, E>(use: (journal: Journal.Journal) => Effect.Effect<A, E>) =>
      Effect.flatMap(Journal.Journal, use).pipe(Effect.provide(layer()))

    it.effect("is empty at first", () =>
      kept((journal) =>
        Effect.gen(function* () {
          expect(yield* journal.list).toStrictEqual([])
          expect(yield* journal.get("one")).toBeUndefined()
          yield* journal.remove("one")
        })
      )
    )

    it.effect("returns the exact flow that was put", () =>
      kept((journal) =>
        Effect.gen(function* () {
          yield* journal.put(flow)
          yield* journal.put(other)
          expect(yield* journal.get("one")).toStrictEqual(flow)
          expect(yield* journal.get("two")).toStrictEqual(other)
          expect(yield* journal.list).toStrictEqual([flow, other])
        })
      )
    )

    it.effect("keeps the last version of each flow", () =>
      kept((journal) =>
        Effect.gen(function* () {
          yield* journal.put(flow)
          yield* journal.put({ ...flow, swapId: "swap-1" })
          expect(yield* journal.list).toStrictEqual([{ ...flow, swapId: "swap-1" }])
        })
      )
    )

    it.effect("removes only the flow with that id", () =>
      kept((journal) =>
        Effect.gen(function* () {
          yield* journal.put(flow)
          yield* journal.put(other)
          yield* journal.remove("one")
          expect(yield* journal.get("one")).toBeUndefined()
          expect(yield* journal.list).toStrictEqual([other])
        })
      )
    )
  })
}

describe("a journal in memory", () => {
  it.effect("shares no state with another", () =>
    Effect.gen(function* () {
      const first = yield* Journal.makeMemory
      const second = yield* Journal.makeMemory
      yield* first.put(flow)
      expect(yield* second.list).toStrictEqual([])
    })
  )

  it.effect("returns a list that later puts do not change", () =>
    Effect.gen(function* () {
      const journal = yield* Journal.makeMemory
      const before = yield* journal.list
      yield* journal.put(flow)
      expect(before).toStrictEqual([])
    })
  )
})

describe("a journal in a key-value store", () => {
  const over = (texts: Map<string, string>, options?: Journal.StorageOptions) =>
    Effect.map(Layer.build(Journal.layerStorage(storageOf(texts), options)), (context) =>
      Context.get(context, Journal.Journal)
    )

  it.effect("is durable: a second journal in the same storage has the same flows", () =>
    Effect.gen(function* () {
      const texts = new Map<string, string>()
      yield* (yield* over(texts)).put(flow)
      expect(yield* (yield* over(texts)).list).toStrictEqual([flow])
    })
  )

  it.effect("stores each flow as JSON under its prefix, with amounts as strings", () =>
    Effect.gen(function* () {
      const texts = new Map<string, string>()
      yield* (yield* over(texts)).put(flow)
      expect([...texts.keys()]).toStrictEqual(["geoswap.flow.one"])
      expect(JSON.parse(texts.get("geoswap.flow.one") ?? "")).toMatchObject({ id: "one", output: `${flow.output}` })
    })
  )

  it.effect("does not touch other entries of the same storage", () =>
    Effect.gen(function* () {
      const texts = new Map([["theme", "dark"]])
      const journal = yield* over(texts)
      const apart = yield* over(texts, { prefix: "apart." })
      yield* journal.put(flow)
      yield* apart.put(other)
      expect(yield* journal.list).toStrictEqual([flow])
      expect(yield* apart.list).toStrictEqual([other])
      yield* journal.remove("one")
      expect([...texts.keys()].toSorted()).toStrictEqual(["apart.two", "theme"])
    })
  )

  it.effect.each(["not JSON", "{}", "null", "", '{"id":"one"}'])(
    "fails with a damaged entry such as %j, instead of losing a swap",
    (text) =>
      Effect.gen(function* () {
        const journal = yield* over(new Map([["geoswap.flow.one", text]]))
        const error = yield* Effect.flip(journal.get("one"))
        expect(error).toMatchObject({ _tag: "JournalError", retry: "now" })
        expect(error.message).toContain("geoswap.flow.one")
        expect((yield* Effect.flip(journal.list))._tag).toBe("JournalError")
      })
  )

  it.effect("lists the other flows and reports a damaged entry to onDamaged", () =>
    Effect.gen(function* () {
      const damaged: Array<string> = []
      const texts = new Map([["geoswap.flow.two", "{}"]])
      const journal = yield* over(texts, { onDamaged: (key) => void damaged.push(key) })
      yield* journal.put(flow)
      expect(yield* journal.list).toStrictEqual([flow])
      expect(damaged).toStrictEqual(["geoswap.flow.two"])
      expect((yield* Effect.flip(journal.get("two")))._tag).toBe("JournalError")
    })
  )

  it.effect("fails to list if the storage fails, even with onDamaged", () =>
    Effect.gen(function* () {
      const storage = {
        ...storageOf(new Map([["geoswap.flow.one", ""]])),
        getItem: () => Promise.reject(new Error("x"))
      }
      const journal = Journal.fromPromise(Journal.storageJournal(storage, { onDamaged: () => {} }))
      expect((yield* Effect.flip(journal.list))._tag).toBe("JournalError")
    })
  )

  it.effect("does not write a flow that it could not read back", () =>
    Effect.gen(function* () {
      const texts = new Map<string, string>()
      const journal = yield* over(texts)
      const error = yield* Effect.flip(journal.put({ ...flow, output: -1n }))
      expect(error._tag).toBe("JournalError")
      expect(texts.size).toBe(0)
    })
  )
})

describe("a journal from promises", () => {
  const full = new Error("The disk is full.")
  const rejecting: Journal.PromiseJournal = {
    put: () => Promise.reject(full),
    get: () => Promise.reject(full),
    remove: () => Promise.reject(full),
    list: () => Promise.reject(full)
  }

  it.effect("fails with a JournalError that keeps the message of the cause, in every method", () =>
    Effect.gen(function* () {
      const journal = Journal.fromPromise(rejecting)
      for (const call of [journal.put(flow), journal.get("one"), journal.remove("one"), journal.list]) {
        const error: SwapError.JournalError = yield* Effect.flip(Effect.asVoid(call))
        expect(error).toBeInstanceOf(SwapError.JournalError)
        expect(error.cause).toBe(full.message)
      }
    })
  )

  it.effect("treats a throw like a rejection", () =>
    Effect.gen(function* () {
      const journal = Journal.fromPromise({
        ...rejecting,
        get: () => {
          throw full
        }
      })
      expect((yield* Effect.flip(journal.get("one"))).cause).toBe(full.message)
    })
  )

  it.effect("passes on a JournalError", () =>
    Effect.gen(function* () {
      const own = new SwapError.JournalError({ message: "Locked by another process." })
      const journal = Journal.fromPromise({ ...rejecting, list: () => Promise.reject(own) })
      expect(yield* Effect.flip(journal.list)).toBe(own)
    })
  )

  it.effect("may be an instance of a class", () =>
    Effect.gen(function* () {
      class Shelf implements Journal.PromiseJournal {
        readonly flows = new Map<string, Journal.Flow>()
        async put(entry: Journal.Flow) {
          this.flows.set(entry.id, entry)
        }
        async get(id: string) {
          return this.flows.get(id)
        }
        async remove(id: string) {
          this.flows.delete(id)
        }
        async list() {
          return [...this.flows.values()]
        }
      }
      const journal = Journal.fromPromise(new Shelf())
      yield* journal.put(flow)
      yield* journal.put(other)
      yield* journal.remove("two")
      expect(yield* journal.get("one")).toBe(flow)
      expect(yield* journal.list).toStrictEqual([flow])
    })
  )
})

it("refuses a storage that cannot list its keys, because flows would be lost", () => {
  const { getItem, setItem, removeItem } = storageOf(new Map())
  expect(() => Journal.storageJournal({ getItem, setItem, removeItem })).toThrow(SwapError.JournalError)
})
