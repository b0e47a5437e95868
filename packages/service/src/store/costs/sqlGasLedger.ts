/** Stores the ledger of spent gas. */
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SpentGas } from "../../domain/SpentGas.js"
import { Kind } from "../../domain/SwapRecord.js"
import { maxIds } from "../sql/dialect.js"
import * as Rows from "../sql/rows.js"
import { unavailable } from "../sql/storeUnavailable.js"
import type { SpentGasLedger } from "./GasLedger.js"

const spentRows = Rows.all(
  Schema.Struct({
    swapId: Schema.String,
    kind: Kind,
    chainId: Rows.Whole,
    hash: Schema.String,
    gasUsed: Schema.BigIntFromString,
    gasPrice: Schema.BigIntFromString,
    cost: Schema.BigIntFromString,
    settled: Rows.Whole,
    share: Schema.BigIntFromString,
    at: Rows.Whole
  }).pipe(Schema.encodeKeys({ swapId: "swap_id", chainId: "chain_id", gasUsed: "gas_used", gasPrice: "gas_price" }))
)

const Key = Schema.Struct({ swap_id: Schema.String, kind: Schema.String, hash: Schema.String })
const keyRows = Rows.all(Key)
const keyOf = ({ hash, kind, swap_id }: typeof Key.Type): string => `${swap_id} ${kind} ${hash}`

const rowOf = ({ at, chainId, cost, gasPrice, gasUsed, hash, kind, settled, share, swapId }: SpentGas) => ({
  swap_id: swapId,
  kind,
  chain_id: chainId,
  hash,
  gas_used: gasUsed.toString(),
  gas_price: gasPrice.toString(),
  cost: cost.toString(),
  settled,
  share: share.toString(),
  at
})

export const make = (sql: SqlClient): SpentGasLedger => ({
  record: Effect.fn("Store.recordSpentGas")(function* (entries) {
    const [first, ...others] = entries.map(rowOf)
    if (first === undefined) return []
    const added = yield* keyRows(
      sql`INSERT INTO spent_gas ${sql.insert([first, ...others])}
        ON CONFLICT (swap_id, kind, hash) DO NOTHING RETURNING swap_id, kind, hash`
    )
    const keys = new Set(added.map(keyOf))
    return entries.filter((entry) => keys.has(keyOf(rowOf(entry))))
  }, unavailable("record the spent gas")),
  of: Effect.fn("Store.spentGas")(function* (swapIds) {
    const found = yield* Effect.forEach(Arr.chunksOf(swapIds, maxIds), (some) =>
      spentRows(sql`SELECT * FROM spent_gas WHERE ${sql.in("swap_id", some)} ORDER BY at, swap_id, kind, hash`)
    )
    return found.flat()
  }, unavailable("read the spent gas"))
})
