/** Part of the store contract: accounts and API keys. */
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as TestClock from "effect/testing/TestClock"
import type { Stored } from "./fixture.js"

export const accountsContract = (stored: Stored) =>
  describe("accounts and API keys", () => {
    it.effect("creates an account once, even with concurrent calls", () =>
      stored((store) =>
        Effect.gen(function* () {
          yield* TestClock.setTime(1_000)
          const made = yield* Effect.all(
            Array.from({ length: 20 }, () => store.account("Ada")),
            { concurrency: "unbounded" }
          )
          expect(new Set(made.map(({ id }) => id)).size).toBe(1)
          yield* TestClock.setTime(2_000)
          const other = yield* store.account("Grace")
          const again = yield* store.account("Ada")
          expect(again).toStrictEqual({ id: made[0]?.id, name: "Ada", createdAt: 1_000 })
          expect(other.id).not.toBe(again.id)
          expect(yield* store.accounts).toStrictEqual([again, other])
        })
      )
    )

    it.effect("stores the keys of accounts, and which are revoked", () =>
      stored((store) =>
        Effect.gen(function* () {
          yield* TestClock.setTime(1_000)
          const ada = yield* store.account("Ada")
          const key = yield* store.addApiKey({ id: "k1", accountId: ada.id, hash: "ab".repeat(32), label: "laptop" })
          expect(key).toStrictEqual({
            id: "k1",
            accountId: ada.id,
            accountName: "Ada",
            hash: "ab".repeat(32),
            label: "laptop",
            createdAt: 1_000
          })
          yield* TestClock.setTime(2_000)
          const second = yield* store.addApiKey({ id: "k2", accountId: ada.id, hash: "cd".repeat(32), label: "" })
          expect(yield* store.apiKeys).toStrictEqual([key, second])
          expect(yield* store.apiKey("k1")).toStrictEqual(Option.some(key))
          expect(yield* store.apiKey("k3")).toStrictEqual(Option.none())

          yield* TestClock.setTime(3_000)
          expect(yield* store.revokeApiKey("k1")).toBe(true)
          yield* TestClock.setTime(4_000)
          expect(yield* store.revokeApiKey("k1")).toBe(false)
          expect(yield* store.revokeApiKey("k3")).toBe(false)
          expect(yield* store.apiKey("k1")).toStrictEqual(Option.some({ ...key, revokedAt: 3_000 }))
          expect(yield* store.apiKey("k2")).toStrictEqual(Option.some(second))
        })
      )
    )

    it.effect("refuses a key of an unknown account, and a second key with the same id", () =>
      stored((store) =>
        Effect.gen(function* () {
          const ada = yield* store.account("Ada")
          const lost = { id: "k1", accountId: "unknown", hash: "secret-hash", label: "secret-label" }
          const error = yield* Effect.flip(store.addApiKey(lost))
          expect(error._tag).toBe("StoreUnavailable")
          expect(error.message).toBe(
            "Could not add the API key: the database refused a value that conflicts with its rows."
          )
          const key = yield* store.addApiKey({ ...lost, accountId: ada.id })
          yield* Effect.flip(store.addApiKey({ ...lost, accountId: ada.id, label: "another" }))
          expect(yield* store.apiKeys).toStrictEqual([key])
        })
      )
    )
  })
