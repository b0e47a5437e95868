import { existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { Store } from "../../src/index.js"
import { AuthenticatedStore } from "../../src/node.js"
import { authenticatedStore, createAuthenticatedStore } from "../../src/node/promise.js"
import { budget, freshFolder, modeOf, takeKey, wallet } from "./fixture.js"

const { alteredCode, create, make, makeRecords } = AuthenticatedStore

const key = new Uint8Array(32).fill(7)
const options = { id: "one", key }

/** An empty store, and its file. */
const created = Effect.gen(function* () {
  const file = join(yield* freshFolder, "store.json")
  yield* create(file, options)
  return file
})

const reserve = (file: string, id: string, amount: bigint) =>
  Store.reserve(make(file, options), wallet, { ...budget, id, amount })

describe("an authenticated store", () => {
  it.effect("keeps keys and budgets in one private file", () =>
    Effect.gen(function* () {
      const file = yield* created
      expect(modeOf(file)).toBe("600")
      expect(yield* reserve(file, "r1", 295n)).toBeUndefined()
      expect(yield* reserve(file, "r2", 6n)).toEqual({ window: "total", left: 5n })
      for (const flowId of ["one", "two"]) {
        expect(yield* takeKey(make(file, options), "order 17", flowId)).toMatchObject({ flowId: "one" })
      }
      expect((yield* Effect.flip(create(file, options))).message).toContain("already exists")
    })
  )

  it.effect("refuses a file that is missing, altered, or from another store, and leaves it unchanged", () =>
    Effect.gen(function* () {
      const file = yield* created
      yield* reserve(file, "r1", 300n)
      const whole = readFileSync(file, "utf8")
      const parsed = JSON.parse(whole) as { records: Record<string, string>; counter: number; mac: string }
      const [name = ""] = Object.keys(parsed.records)
      const altered = [
        whole.replace(String.raw`\"total\":\"300\"`, String.raw`\"total\":\"1\"`),
        JSON.stringify({ ...parsed, records: {} }),
        JSON.stringify({ ...parsed, records: { ...parsed.records, extra: "1" } }),
        JSON.stringify({ ...parsed, records: { [`${name}0`]: parsed.records[name] } }),
        JSON.stringify({ ...parsed, counter: parsed.counter + 1 }),
        JSON.stringify({ ...parsed, mac: "" }),
        JSON.stringify({ ...parsed, mac: `${parsed.mac.slice(0, -2)}00` }),
        JSON.stringify({ ...parsed, records: null }),
        whole.slice(0, -5),
        "{}",
        ""
      ]
      for (const text of altered) {
        expect(text).not.toBe(whole)
        writeFileSync(file, text)
        expect(yield* Effect.flip(reserve(file, "r2", 1n))).toMatchObject({ _tag: "StoreError", code: alteredCode })
        expect(readFileSync(file, "utf8")).toBe(text)
      }
      rmSync(file)
      expect((yield* Effect.flip(reserve(file, "r2", 1n))).message).toContain("is missing")
      symlinkSync("/etc/hostname", file)
      expect(yield* Effect.flip(reserve(file, "r2", 1n))).toMatchObject({ code: alteredCode })
      rmSync(file)
      for (const other of [
        { id: "two", key },
        { id: "one", key: new Uint8Array(32).fill(8) }
      ]) {
        yield* create(file, other)
        expect(yield* Effect.flip(reserve(file, "r2", 1n))).toMatchObject({ code: alteredCode })
        rmSync(file)
      }
      writeFileSync(file, whole, { mode: 0o600 })
      expect(yield* reserve(file, "r2", 1n)).toEqual({ window: "total", left: 0n })
      rmSync(dirname(file), { recursive: true })
      expect(yield* Effect.flip(reserve(file, "r2", 1n))).toMatchObject({ code: alteredCode })
      expect(existsSync(dirname(file))).toBe(false)
    })
  )

  it.effect("refuses an older copy in a process that has seen a newer one", () =>
    Effect.gen(function* () {
      const file = yield* created
      const older = readFileSync(file, "utf8")
      const store = make(file, options)
      yield* Store.reserve(store, wallet, { ...budget, id: "r1", amount: 300n })
      writeFileSync(file, older)
      const error = yield* Effect.flip(Store.reserve(store, wallet, { ...budget, id: "r2", amount: 1n }))
      expect([error.code, error.message]).toEqual([alteredCode, expect.stringContaining("an older copy")])
    })
  )

  it.live("counts every parallel update of several stores once", () =>
    Effect.gen(function* () {
      const file = yield* created
      const stores = Array.from({ length: 4 }, () => makeRecords(file, options))
      const count = (text: string | undefined) => {
        const next = Number(text ?? 0) + 1
        return [`${next}`, next] as const
      }
      const numbers = yield* Effect.all(
        Array.from({ length: 80 }, (_, at) => stores[at % 4]?.update("count", count) ?? Effect.die("no store")),
        { concurrency: "unbounded" }
      )
      expect(numbers.toSorted((one, other) => one - other)).toEqual(Array.from({ length: 80 }, (_, at) => at + 1))
    })
  )

  it("works with promises", async () => {
    await Effect.runPromise(
      Effect.scoped(
        Effect.gen(function* () {
          const file = join(yield* freshFolder, "store.json")
          yield* Effect.promise(() => createAuthenticatedStore(file, options))
          const store = authenticatedStore(file, options)
          const answer = yield* Effect.promise(() => store.update("a", () => ["1", 5] as const))
          expect(answer).toBe(5)
          expect(yield* Effect.promise(() => store.update("a", (text) => [undefined, text] as const))).toBe("1")
        })
      )
    )
  })
})
