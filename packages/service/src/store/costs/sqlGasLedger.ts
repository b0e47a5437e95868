/** Stores the ledger of spent gas. */
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SpentGas } from "../../domain/SpentGas.js"
import { Kind } from "../../domain/SwapRecord.js"
import { maxIds } from "../sql/dialect.js"
import * as Rows from "../sql/rows.js"
import { unavailable } from "../sql/storeUnavailable.js"
import type { SpentGasLedger } from "./GasLedger.js"

const spent = Rows.table<SpentGas>({
  swapId: Rows.text,
  kind: Rows.oneOf(Kind.literals),
  chainId: Rows.whole,
  hash: Rows.text,
  gasUsed: Rows.amount,
  gasPrice: Rows.amount,
  cost: Rows.amount,
  settled: Rows.whole,
  share: Rows.amount,
  at: Rows.whole
})

export const make = (sql: SqlClient): SpentGasLedger => ({
  record: Effect.fn("Store.recordSpentGas")(function* (entries) {
    const [first, ...others] = entries.map(spent.encode)
    if (first === undefined) return []
    return yield* spent.read(
      sql`INSERT INTO spent_gas ${sql.insert([first, ...others])} ON CONFLICT (swap_id, kind, hash) DO NOTHING RETURNING *`
    )
  }, unavailable("record the spent gas")),
  of: Effect.fn("Store.spentGas")(function* (swapIds) {
    const found = yield* Effect.forEach(Arr.chunksOf(swapIds, maxIds), (some) =>
      spent.read(sql`SELECT * FROM spent_gas WHERE ${sql.in("swap_id", some)} ORDER BY at, swap_id, kind, hash`)
    )
    return found.flat()
  }, unavailable("read the spent gas"))
})
