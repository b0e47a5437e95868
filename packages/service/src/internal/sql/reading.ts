/** Reading swaps, their history and their transactions. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Shape } from "../../Store.js"
import type { SwapRecord } from "../../SwapRecord.js"
import { unavailable } from "./failures.js"
import * as Rows from "./rows.js"

const swapRows = Rows.all(Rows.Swap)
const eventRows = Rows.all(Rows.Event)
const attemptRows = Rows.all(Rows.Attempt)

const first = ([swap]: ReadonlyArray<SwapRecord>) => Option.fromUndefinedOr<SwapRecord | undefined>(swap)

export const make = (sql: SqlClient): Pick<Shape, "swap" | "swapOfOrder" | "events" | "attempts"> => ({
  swap: Effect.fn("Store.swap")(
    (id) => Effect.map(swapRows(sql`SELECT * FROM swaps WHERE id = ${id}`), first),
    unavailable("read the swap")
  ),
  swapOfOrder: Effect.fn("Store.swapOfOrder")(
    (orderId) => Effect.map(swapRows(sql`SELECT * FROM swaps WHERE order_id = ${orderId}`), first),
    unavailable("read the swap of the order")
  ),
  events: Effect.fn("Store.events")(
    (id) => eventRows(sql`SELECT * FROM swap_events WHERE swap_id = ${id} ORDER BY version`),
    unavailable("read the swap's history")
  ),
  attempts: Effect.fn("Store.attempts")(
    (id, kind) => attemptRows(sql`SELECT * FROM tx_attempts WHERE swap_id = ${id} AND kind = ${kind} ORDER BY number`),
    unavailable("read the swap's transactions")
  )
})
