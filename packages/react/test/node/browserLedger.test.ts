import { Ledger } from "@geoswap/core"
import * as Effect from "effect/Effect"
import { afterEach, describe, expect, it, vi } from "vitest"
import { browserLedger, type BrowserLedgerOptions } from "../../src/index.js"

afterEach(() => vi.unstubAllGlobals())

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

/** Stubs the globals of a browser. */
const browser = ({ full = false, locked = true, stored = true } = {}) => {
  const texts = new Map<string, string>()
  vi.stubGlobal("navigator", locked ? { locks: locks() } : {})
  const storage = {
    getItem: (key: string) => texts.get(key) ?? null,
    removeItem: (key: string) => void texts.delete(key),
    setItem: (key: string, text: string) => {
      if (full) throw new Error("QuotaExceededError")
      texts.set(key, text)
    }
  }
  vi.stubGlobal("localStorage", stored ? storage : undefined)
  return texts
}

const scope = { wallet: "0x1", chain: 1, token: "0x2" }
const limits = [{ window: "day", amount: 10n }] as const

/** Reserves through a separate ledger, as another tab or a reload would. */
const reserve = (id: string, amount: bigint, options?: BrowserLedgerOptions, ledger = browserLedger(options)) =>
  Effect.runPromise(Ledger.fromPromise(ledger).reserve({ ...scope, id, amount, limits }))

describe("browserLedger", () => {
  it("keeps budgets across tabs and reloads under its prefix", async () => {
    const texts = browser()
    expect(await reserve("one", 7n)).toBeUndefined()
    expect(await reserve("two", 7n)).toEqual({ window: "day", left: 3n })
    expect(await reserve("two", 7n, { prefix: "mine." })).toBeUndefined()
    expect([...texts.keys()].map((key) => key.replace(/spent-.*/, ""))).toEqual(["geoswap.ledger.", "mine."])
  })

  it("allows one of many concurrent reservations", async () => {
    browser()
    const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => reserve(`${index}`, 6n)))
    expect(answers.filter((answer) => answer === undefined)).toHaveLength(1)
  })

  it.each([
    ["localStorage", { stored: false }],
    ["Web Locks", { locked: false }],
    ["space", { full: true }]
  ])("refuses without %s, unless the fallback is memory", async (_, lack) => {
    browser(lack)
    await expect(reserve("one", 7n)).rejects.toMatchObject({ _tag: "LedgerError" })
    const ledger = browserLedger({ fallback: "memory" })
    expect(await reserve("one", 7n, {}, ledger)).toBeUndefined()
    expect(await reserve("two", 7n, {}, ledger)).toEqual({ window: "day", left: 3n })
  })
})
