/** Accounts and their API keys. */
import * as Arr from "effect/Array"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Dialect } from "../sql/dialect.js"
import * as Rows from "../sql/rows.js"
import { unavailable } from "../sql/storeUnavailable.js"
import type { Account, ApiKey, Store } from "../Store.js"

const accounts = Rows.table<Account>({ id: Rows.text, name: Rows.text, createdAt: Rows.whole })
const keys = Rows.table<ApiKey>({
  id: Rows.text,
  accountId: Rows.text,
  accountName: Rows.text,
  hash: Rows.text,
  label: Rows.text,
  createdAt: Rows.whole,
  revokedAt: Rows.optional(Rows.whole)
})

/** A query for API keys with their account names. */
const namedKeys = "SELECT k.*, a.name AS account_name FROM api_keys k JOIN accounts a ON a.id = k.account_id"

export const make = (
  sql: SqlClient,
  { readBy }: Dialect
): Pick<Store, "account" | "accounts" | "addApiKey" | "apiKeys" | "apiKey" | "revokeApiKey"> => {
  const keyOf = readBy(namedKeys, "k.id", keys.read, ({ id }) => id)
  const find = (id: string) => Effect.map(keyOf(id), Arr.head)

  return {
    account: Effect.fn("Store.account")(function* (name) {
      const createdAt = yield* Clock.currentTimeMillis
      yield* sql`INSERT INTO accounts (id, name, created_at) VALUES (${crypto.randomUUID()}, ${name}, ${createdAt})
        ON CONFLICT (name) DO NOTHING`
      const [account] = yield* accounts.read(sql`SELECT * FROM accounts WHERE name = ${name}`)
      return account ?? (yield* Effect.die(new Error("The account disappeared while it was being created.")))
    }, unavailable("create the account")),

    accounts: accounts
      .read(sql`SELECT * FROM accounts ORDER BY created_at, id`)
      .pipe(unavailable("list the accounts"), Effect.withSpan("Store.accounts")),

    addApiKey: Effect.fn("Store.addApiKey")(function* ({ accountId, hash, id, label }) {
      const createdAt = yield* Clock.currentTimeMillis
      yield* sql`INSERT INTO api_keys (id, account_id, hash, label, created_at)
        VALUES (${id}, ${accountId}, ${hash}, ${label}, ${createdAt})`
      return yield* Effect.orDie(Effect.flatMap(find(id), Effect.fromOption))
    }, unavailable("add the API key")),

    apiKeys: keys
      .read(sql`${sql.literal(namedKeys)} ORDER BY k.created_at, k.id`)
      .pipe(unavailable("list the API keys"), Effect.withSpan("Store.apiKeys")),

    apiKey: Effect.fn("Store.apiKey")(find, unavailable("look up the API key")),

    revokeApiKey: Effect.fn("Store.revokeApiKey")(function* (id) {
      const now = yield* Clock.currentTimeMillis
      const revoked = yield* Rows.ids.read(
        sql`UPDATE api_keys SET revoked_at = ${now} WHERE id = ${id} AND revoked_at IS NULL RETURNING id`
      )
      return revoked.length > 0
    }, unavailable("revoke the API key"))
  }
}
