/** Stores what was lost with collections. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { SqlClient } from "effect/sql/SqlClient"
import { addressKey } from "../../domain/addressKey.js"
import * as Rows from "../sql/rows.js"
import { unavailable } from "../sql/storeUnavailable.js"
import type { LostCollections } from "./LossStore.js"

const lostRows = Rows.all(
  Schema.Struct({
    swapId: Schema.String,
    hash: Schema.String,
    account: Schema.String,
    visitor: Rows.maybe(Schema.String),
    chainId: Rows.Whole,
    method: Schema.String,
    wallet: Schema.String,
    target: Rows.maybe(Schema.String),
    gas: Schema.BigIntFromString,
    isStrike: Rows.Flag,
    isFinal: Rows.Flag,
    at: Rows.Whole
  }).pipe(Schema.encodeKeys({ swapId: "swap_id", chainId: "chain_id", isStrike: "strike", isFinal: "final" }))
)

export const make = (sql: SqlClient): LostCollections => ({
  record: Effect.fn("Store.recordLostCollection")(
    ({ account, at, chainId, gas, hash, isFinal, isStrike, method, swapId, target, visitor, wallet }) =>
      Effect.map(
        sql`INSERT INTO lost_collections
            (swap_id, hash, account, visitor, chain_id, method, wallet, target, gas, strike, final, at)
          VALUES (${swapId}, ${hash}, ${account}, ${visitor ?? null}, ${chainId}, ${method}, ${addressKey(wallet)},
            ${target === undefined ? null : addressKey(target)}, ${gas.toString()}, ${isStrike ? 1 : 0},
            ${isFinal ? 1 : 0}, ${at})
          ON CONFLICT (swap_id, hash) DO UPDATE
          SET target = excluded.target, gas = excluded.gas, strike = excluded.strike, final = excluded.final
          WHERE lost_collections.final = 0 RETURNING swap_id`,
        (written) => written.length > 0
      ),
    unavailable("record a lost collection")
  ),
  since: Effect.fn("Store.lostCollectionsSince")(
    (chainId, time) =>
      lostRows(
        sql`SELECT * FROM lost_collections WHERE chain_id = ${chainId} AND at >= ${time} ORDER BY at, swap_id, hash`
      ),
    unavailable("read the lost collections")
  )
})
