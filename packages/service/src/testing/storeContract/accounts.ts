/** Part of the store contract: accounts and API keys. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as TestClock from "effect/testing/TestClock"
import { equals, holds } from "../contractAssertions.js"
import { type Case, group, test } from "./storeCase.js"

export const accountsCases: ReadonlyArray<Case> = group("account storage", [
  test("creates an account only once, even with concurrent calls", (store) =>
    Effect.gen(function* () {
      yield* TestClock.setTime(1_000)
      const made = yield* Effect.all(
        Array.from({ length: 20 }, () => store.account("Ada")),
        { concurrency: "unbounded" }
      )
      equals(new Set(made.map(({ id }) => id)).size, 1)
      yield* TestClock.setTime(2_000)
      const other = yield* store.account("Grace")
      const again = yield* store.account("Ada")
      equals(again, { id: made[0]?.id, name: "Ada", createdAt: 1_000 })
      holds(other.id !== again.id, "two accounts must have different ids.")
      equals(yield* store.accounts, [again, other])
    })),

  test("stores API keys, and which of them have been revoked", (store) =>
    Effect.gen(function* () {
      yield* TestClock.setTime(1_000)
      const ada = yield* store.account("Ada")
      const key = yield* store.addApiKey({ id: "k1", accountId: ada.id, hash: "ab".repeat(32), label: "laptop" })
      equals(key, {
        id: "k1",
        accountId: ada.id,
        accountName: "Ada",
        hash: "ab".repeat(32),
        label: "laptop",
        createdAt: 1_000
      })
      yield* TestClock.setTime(2_000)
      const second = yield* store.addApiKey({ id: "k2", accountId: ada.id, hash: "cd".repeat(32), label: "" })
      equals(yield* store.apiKeys, [key, second])
      equals(yield* store.apiKey("k1"), Option.some(key))
      equals(yield* store.apiKey("k3"), Option.none())

      yield* TestClock.setTime(3_000)
      equals(yield* store.revokeApiKey("k1"), true)
      yield* TestClock.setTime(4_000)
      equals(yield* store.revokeApiKey("k1"), false)
      equals(yield* store.revokeApiKey("k3"), false)
      equals(yield* store.apiKey("k1"), Option.some({ ...key, revokedAt: 3_000 }))
      equals(yield* store.apiKey("k2"), Option.some(second))
    })),

  test("rejects a key for an unknown account, and a second key with the same id", (store) =>
    Effect.gen(function* () {
      const ada = yield* store.account("Ada")
      const lost = { id: "k1", accountId: "unknown", hash: "secret-hash", label: "secret-label" }
      const error = yield* Effect.flip(store.addApiKey(lost))
      equals(error._tag, "StoreUnavailable")
      holds(!error.message.includes("secret"), `the message must not contain values, got: ${error.message}`)
      const key = yield* store.addApiKey({ ...lost, accountId: ada.id })
      yield* Effect.flip(store.addApiKey({ ...lost, accountId: ada.id, label: "another" }))
      equals(yield* store.apiKeys, [key])
    }))
])
