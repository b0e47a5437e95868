/** What a server of the previous version does to accept a swap. It knows neither operation nonces nor totals. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import { addressKey } from "../../../src/chains/addressKey.js"
import * as Rows from "../../../src/store/rows.js"
import type { Accepted } from "../../../src/store/SwapRecord.js"

/** Takes the locks of that server, one statement each. SQLite needs none. */
const lock = (sql: SqlClient.SqlClient, names: ReadonlyArray<string>) =>
  sql.onDialectOrElse({
    pg: () =>
      Effect.forEach(names.toSorted(), (name) => sql`SELECT pg_advisory_xact_lock(hashtextextended(${name}, 0))`),
    orElse: () => Effect.succeed([])
  })

/** Stores a swap with its reservation and its first event. The limits are not checked. */
export const acceptedByOldServer = (sql: SqlClient.SqlClient, swap: Accepted) =>
  Effect.gen(function* () {
    const [wallet, input, output] = [swap.wallet, swap.inputToken, swap.outputToken].map(addressKey)
    yield* lock(sql, [
      `wallet ${swap.originChain} ${input} ${wallet}`,
      `inventory ${swap.destinationChain} ${output}`,
      `order ${swap.orderId}`
    ])
    yield* sql`SELECT amount FROM reservations WHERE chain_id = ${swap.destinationChain} AND token = ${output}`
    const now = yield* Clock.currentTimeMillis
    const { quoted_at: _, ...row } = Rows.newSwapRow(swap)
    const stored = { ...row, updated_at: now, wallet_key: wallet, input_token_key: input }
    yield* sql`INSERT INTO swaps ${sql.insert(stored)}`
    yield* sql`INSERT INTO reservations (swap_id, chain_id, token, amount)
      VALUES (${swap.id}, ${swap.destinationChain}, ${output}, ${swap.output.toString()})`
    yield* sql`INSERT INTO swap_events (swap_id, version, at, state, detail)
      VALUES (${swap.id}, 0, ${now}, 'accepted', 'accepted')`
    return { _tag: "Inserted" } as const
  }).pipe(sql.withTransaction, Effect.provideService(SqlClient.BeginTransaction, beginOf(sql)))

const beginOf = (sql: SqlClient.SqlClient) =>
  sql.onDialectOrElse({ pg: () => "BEGIN", orElse: () => "BEGIN IMMEDIATE" })
