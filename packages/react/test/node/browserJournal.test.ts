import type { Flow } from "@geoswap/core/promise"
import { afterEach, describe, expect, it, vi } from "vitest"
import { browserJournal } from "../../src/index.js"
import { evmRequest } from "../scriptedClient.js"

afterEach(() => vi.unstubAllGlobals())

const flow: Flow = {
  id: "one",
  createdAt: 1,
  request: evmRequest,
  output: 5n,
  submission: { kind: "evm", geoOpToken: "token", signature: "0x" }
}

/** Storage as browsers have it: its keys are its own properties. */
class OwnKeys {
  get length(): number {
    return Object.keys(this).length
  }
  getItem(key: string): string | null {
    const value: unknown = Reflect.get(this, key)
    return typeof value === "string" ? value : null
  }
  setItem(key: string, value: string): void {
    Object.assign(this, { [key]: value })
  }
  removeItem(key: string): void {
    Reflect.deleteProperty(this, key)
  }
}

const lasting = { fallback: "memory" } as const

describe("the journal of a browser", () => {
  it("is in localStorage, under its prefix", async () => {
    const storage = new OwnKeys()
    vi.stubGlobal("localStorage", storage)
    await browserJournal().put(flow)
    expect(Object.keys(storage)).toEqual(["geoswap.flow.one"])
    expect(await browserJournal().list()).toEqual([flow])
    expect(await browserJournal({ prefix: "mine." }).list()).toEqual([])
    await browserJournal({ prefix: "mine." }).put(flow)
    expect(Object.keys(storage)).toEqual(["geoswap.flow.one", "mine.one"])
    await browserJournal().remove("one")
    expect(await browserJournal().get("one")).toBeUndefined()
  })

  const works = async () => {
    const journal = browserJournal(lasting)
    await journal.put(flow)
    expect(await journal.get("one")).toEqual(flow)
    expect(await journal.list()).toEqual([flow])
    await journal.remove("one")
    expect(await journal.list()).toEqual([])
    await journal.put(flow)
    expect(await browserJournal(lasting).list()).toEqual([])
  }

  it("is in memory on a server, if told so", async () => {
    vi.stubGlobal("localStorage", undefined)
    await works()
  })

  it("holds in memory what a full storage does not take, if told so, and still reads what is there", async () => {
    const storage = new OwnKeys()
    vi.stubGlobal("localStorage", storage)
    await browserJournal().put({ ...flow, id: "before" })
    storage.setItem = () => {
      throw new Error("QuotaExceededError")
    }
    await expect(browserJournal().put(flow)).rejects.toThrow("QuotaExceededError")
    const journal = browserJournal(lasting)
    await journal.put(flow)
    expect(await journal.get("one")).toEqual(flow)
    expect((await journal.list()).map(({ id }) => id)).toEqual(["before", "one"])
    expect((await browserJournal().list()).map(({ id }) => id)).toEqual(["before"])
    await journal.remove("one")
    await journal.remove("before")
    expect(await journal.list()).toEqual([])
  })

  it("refuses a flow where there is no storage, and lists none", async () => {
    vi.stubGlobal("localStorage", undefined)
    await expect(browserJournal().put(flow)).rejects.toThrow("no localStorage")
    expect(await browserJournal().list()).toEqual([])
  })

  it("lists what can be read beside what cannot, where somebody is told of that", async () => {
    const storage = new OwnKeys()
    vi.stubGlobal("localStorage", storage)
    await browserJournal().put(flow)
    storage.setItem("geoswap.flow.two", "damaged")
    const damaged: Array<string> = []
    const told = browserJournal({ onDamaged: (key) => void damaged.push(key) })
    expect(await told.list()).toEqual([flow])
    expect(damaged).toEqual(["geoswap.flow.two"])
    await expect(browserJournal().list()).rejects.toMatchObject({ _tag: "JournalError" })
  })

  it("is in memory where looking at the storage is forbidden already, if told so", async () => {
    const before = Object.getOwnPropertyDescriptor(globalThis, "localStorage")
    Object.defineProperty(globalThis, "localStorage", {
      configurable: true,
      get: () => {
        throw new Error("SecurityError")
      }
    })
    try {
      await works()
    } finally {
      Reflect.deleteProperty(globalThis, "localStorage")
      if (before) Object.defineProperty(globalThis, "localStorage", before)
    }
  })
})
