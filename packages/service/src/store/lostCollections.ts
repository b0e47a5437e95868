/** Stores reverted collections. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { SqlClient } from "effect/sql/SqlClient"
import { addressKey } from "../chains/addressKey.js"
import type { LostCollections } from "./LostCollection.js"
import * as Rows from "./rows.js"
import { unavailable } from "./storeUnavailable.js"

const lostRows = Rows.all(
  Schema.Struct({
    swapId: Schema.String,
    account: Schema.String,
    chainId: Rows.Whole,
    method: Schema.String,
    wallet: Schema.String,
    target: Rows.maybe(Schema.String),
    gas: Schema.BigIntFromString,
    isStrike: Rows.Flag,
    at: Rows.Whole
  }).pipe(Schema.encodeKeys({ swapId: "swap_id", chainId: "chain_id", isStrike: "strike" }))
)

export const make = (sql: SqlClient): LostCollections => ({
  record: Effect.fn("Store.recordLostCollection")(
    ({ account, at, chainId, gas, isStrike, method, swapId, target, wallet }) =>
      Effect.asVoid(
        sql`INSERT INTO lost_collections (swap_id, account, chain_id, method, wallet, target, gas, strike, at)
          VALUES (${swapId}, ${account}, ${chainId}, ${method}, ${addressKey(wallet)},
            ${target === undefined ? null : addressKey(target)}, ${gas.toString()}, ${isStrike ? 1 : 0}, ${at})
          ON CONFLICT (swap_id) DO NOTHING`
      ),
    unavailable("record a reverted collection")
  ),
  since: Effect.fn("Store.lostCollectionsSince")(
    (chainId, time) =>
      lostRows(sql`SELECT * FROM lost_collections WHERE chain_id = ${chainId} AND at >= ${time} ORDER BY at, swap_id`),
    unavailable("read the reverted collections")
  )
})
