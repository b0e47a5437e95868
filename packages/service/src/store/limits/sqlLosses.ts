/** Stores what was lost with collections. */
import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { addressKey } from "../../domain/addressKey.js"
import type { LostCollection } from "../../domain/LostCollection.js"
import * as Rows from "../sql/rows.js"
import { unavailable } from "../sql/storeUnavailable.js"
import type { LostCollections } from "./LossStore.js"

/** Addresses are stored as their keys. */
const addressOf: Rows.Field<string> = { ...Rows.text, encode: addressKey }

const lost = Rows.table<LostCollection>({
  swapId: Rows.text,
  hash: Rows.text,
  account: Rows.text,
  visitor: Rows.optional(Rows.text),
  chainId: Rows.whole,
  method: Rows.text,
  wallet: addressOf,
  target: Rows.optional(addressOf),
  gas: Rows.amount,
  isStrike: Rows.flag,
  isFinal: Rows.flag,
  at: Rows.whole
})

export const make = (sql: SqlClient): LostCollections => ({
  record: Effect.fn("Store.recordLostCollection")(
    (one) =>
      Effect.map(
        sql`INSERT INTO lost_collections ${sql.insert(lost.encode(one))} ON CONFLICT (swap_id, hash) DO UPDATE
          SET target = excluded.target, gas = excluded.gas, is_strike = excluded.is_strike, is_final = excluded.is_final
          WHERE lost_collections.is_final = 0 RETURNING swap_id`,
        (written) => written.length > 0
      ),
    unavailable("record a lost collection")
  ),
  since: Effect.fn("Store.lostCollectionsSince")(
    (chainId, time) =>
      lost.read(
        sql`SELECT * FROM lost_collections WHERE chain_id = ${chainId} AND at >= ${time} ORDER BY at, swap_id, hash`
      ),
    unavailable("read the lost collections")
  )
})
