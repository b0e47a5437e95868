import { Store } from "@geoswap/core"
import type { Flow } from "@geoswap/core/promise"
import * as Effect from "effect/Effect"
import { afterEach, describe, expect, it, vi } from "vitest"
import { browserStore } from "../../src/index.js"
import { evmRequest } from "../scriptedClient.js"

afterEach(() => vi.unstubAllGlobals())

const flowOf = (id: string, createdAt: number): Flow => ({
  id,
  state: "signed",
  createdAt,
  signedAt: Number.MAX_SAFE_INTEGER,
  request: evmRequest,
  output: 5n,
  submission: { family: "evm", geoOpToken: "token", signature: "0x" }
})
const flow = flowOf("one", 2)

/** Grants one lock at a time, as a browser does. */
const locks = () => {
  let last: Promise<unknown> = Promise.resolve()
  return {
    request: (_: string, run: () => unknown) => {
      const next = last.then(run)
      last = next.catch(() => undefined)
      return next
    }
  }
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

const full = () => {
  throw new Error("QuotaExceededError")
}

/** Stubs the globals of a browser. */
const browser = ({ isFull = false, locked = true, stored = true } = {}) => {
  vi.stubGlobal("navigator", locked ? { locks: locks() } : {})
  const storage = new OwnKeys()
  if (isFull) Object.defineProperty(storage, "setItem", { value: full, enumerable: false })
  vi.stubGlobal("localStorage", stored ? storage : undefined)
  return storage
}

const scope = { chainId: 1, token: "0x2" }
const limits = [{ window: "day", amount: 10n }] as const

/** Opens a separate store, as another tab or a reload would. */
const open = (options?: Parameters<typeof browserStore>[0]) => Store.fromPromise(browserStore(options))

const reserve = (id: string, amount: bigint, store = open()) =>
  Effect.runPromise(Store.reserve(store, "0x1", { ...scope, id, amount, limits }))

const put = (added: Flow, store = open()) =>
  Effect.runPromise(
    store.update(added.request.walletAddress, (wallet) => [{ ...wallet, flows: [...wallet.flows, added] }, undefined])
  )

const remove = (removed: string, store = open()) =>
  Effect.runPromise(
    store.update(evmRequest.walletAddress, (wallet) => [
      { ...wallet, flows: wallet.flows.filter(({ id }) => id !== removed) },
      undefined
    ])
  )

const flowsIn = (store = open()) => Effect.runPromise(store.flows)

const lacks = [
  ["localStorage", { stored: false }],
  ["Web Locks", { locked: false }],
  ["space", { isFull: true }]
] as const

describe("browserStore", () => {
  it("keeps budgets across tabs and reloads under its prefix", async () => {
    const storage = browser()
    expect(await reserve("one", 7n)).toBeUndefined()
    expect(await reserve("two", 7n)).toEqual({ window: "day", left: 3n })
    expect(await reserve("two", 7n, open({ prefix: "mine." }))).toBeUndefined()
    expect(Object.keys(storage).map((key) => key.replace(/wallet-.*/, ""))).toEqual(["geoswap.", "mine."])
  })

  it("allows one of many concurrent reservations", async () => {
    browser()
    const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => reserve(`${index}`, 6n)))
    expect(answers.filter((answer) => answer === undefined)).toHaveLength(1)
  })

  it("stores flows in localStorage under its prefix", async () => {
    const storage = browser()
    await put(flow)
    expect(await flowsIn()).toEqual([flow])
    expect(await flowsIn(open({ prefix: "mine." }))).toEqual([])
    await put(flow, open({ prefix: "mine." }))
    await remove("one")
    expect(Object.keys(storage)).toEqual([expect.stringMatching(/^mine\.wallet-/)])
  })

  it.each(lacks)("refuses without %s, and lists nothing", async (_, lack) => {
    browser(lack)
    await expect(reserve("one", 7n)).rejects.toMatchObject({ _tag: "StoreError" })
    await expect(put(flow)).rejects.toMatchObject({ _tag: "StoreError" })
    expect(await flowsIn()).toEqual([])
  })

  it("keeps flows and budgets across reloads without Web Locks, with fallback: memory", async () => {
    browser({ locked: false })
    const reload = () => open({ fallback: "memory" })
    expect(await reserve("one", 7n, reload())).toBeUndefined()
    expect(await reserve("two", 7n, reload())).toEqual({ window: "day", left: 3n })
    await put(flow, reload())
    expect(await flowsIn(reload())).toEqual([flow])
    await remove("one", reload())
    expect(await flowsIn(reload())).toEqual([])
  })

  it.each(lacks.filter(([what]) => what !== "Web Locks"))(
    "keeps flows and budgets in the memory of the tab without %s, with fallback: memory",
    async (_, lack) => {
      browser(lack)
      const store = open({ fallback: "memory" })
      expect(await reserve("one", 7n, store)).toBeUndefined()
      expect(await reserve("two", 7n, store)).toEqual({ window: "day", left: 3n })
      await put(flow, store)
      expect(await flowsIn(store)).toEqual([flow])
      await remove("one", store)
      expect(await flowsIn(store)).toEqual([])
      await put(flow, store)
      expect(await flowsIn(open({ fallback: "memory" }))).toEqual([])
    }
  )

  it("still reads stored flows if storage is full with fallback: memory", async () => {
    const storage = browser()
    await put(flowOf("before", 1))
    Object.defineProperty(storage, "setItem", { value: full, enumerable: false })
    await expect(put(flow)).rejects.toMatchObject({ _tag: "StoreError", cause: "QuotaExceededError" })
    const store = open({ fallback: "memory" })
    await put(flow, store)
    expect((await flowsIn(store)).map(({ id }) => id)).toEqual(["before", "one"])
    expect((await flowsIn()).map(({ id }) => id)).toEqual(["before"])
    await remove("one", store)
    await remove("before", store)
    expect(await flowsIn(store)).toEqual([])
  })

  it("leaves out damaged records and reports them to onDamaged", async () => {
    const storage = browser()
    await put(flow)
    storage.setItem("geoswap.wallet-two", "damaged")
    const damaged: Array<string> = []
    expect(await flowsIn(open({ onDamaged: (key) => void damaged.push(key) }))).toEqual([flow])
    expect(damaged).toEqual(["geoswap.wallet-two"])
    await expect(flowsIn()).rejects.toMatchObject({ _tag: "StoreError" })
  })

  it("stores flows in memory if accessing storage throws, with fallback: memory", async () => {
    browser()
    const before = Object.getOwnPropertyDescriptor(globalThis, "localStorage")
    Object.defineProperty(globalThis, "localStorage", {
      configurable: true,
      get: () => {
        throw new Error("SecurityError")
      }
    })
    try {
      const store = open({ fallback: "memory" })
      await put(flow, store)
      expect(await flowsIn(store)).toEqual([flow])
    } finally {
      Reflect.deleteProperty(globalThis, "localStorage")
      if (before) Object.defineProperty(globalThis, "localStorage", before)
    }
  })
})
