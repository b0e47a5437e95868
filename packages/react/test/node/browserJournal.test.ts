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

/** Storage as in browsers: its keys are its own properties. */
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

const inMemory = { fallback: "memory" } as const

describe("browserJournal", () => {
  it("stores flows in localStorage under its prefix", async () => {
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
    const journal = browserJournal(inMemory)
    await journal.put(flow)
    expect(await journal.get("one")).toEqual(flow)
    expect(await journal.list()).toEqual([flow])
    await journal.remove("one")
    expect(await journal.list()).toEqual([])
    await journal.put(flow)
    expect(await browserJournal(inMemory).list()).toEqual([])
  }

  it("stores flows in memory on a server with fallback: memory", async () => {
    vi.stubGlobal("localStorage", undefined)
    await works()
  })

  it("stores flows in memory if storage is full with fallback: memory, and still reads stored flows", async () => {
    const storage = new OwnKeys()
    vi.stubGlobal("localStorage", storage)
    await browserJournal().put({ ...flow, id: "before" })
    storage.setItem = () => {
      throw new Error("QuotaExceededError")
    }
    await expect(browserJournal().put(flow)).rejects.toThrow("QuotaExceededError")
    const journal = browserJournal(inMemory)
    await journal.put(flow)
    expect(await journal.get("one")).toEqual(flow)
    expect((await journal.list()).map(({ id }) => id)).toEqual(["before", "one"])
    expect((await browserJournal().list()).map(({ id }) => id)).toEqual(["before"])
    await journal.remove("one")
    await journal.remove("before")
    expect(await journal.list()).toEqual([])
  })

  it("refuses a flow without storage and lists none", async () => {
    vi.stubGlobal("localStorage", undefined)
    await expect(browserJournal().put(flow)).rejects.toThrow("localStorage is not available")
    expect(await browserJournal().list()).toEqual([])
  })

  it("leaves out damaged entries and reports them to onDamaged", async () => {
    const storage = new OwnKeys()
    vi.stubGlobal("localStorage", storage)
    await browserJournal().put(flow)
    storage.setItem("geoswap.flow.two", "damaged")
    const damaged: Array<string> = []
    const reporting = browserJournal({ onDamaged: (key) => void damaged.push(key) })
    expect(await reporting.list()).toEqual([flow])
    expect(damaged).toEqual(["geoswap.flow.two"])
    await expect(browserJournal().list()).rejects.toMatchObject({ _tag: "JournalError" })
  })

  it("stores flows in memory if accessing storage throws, with fallback: memory", async () => {
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
