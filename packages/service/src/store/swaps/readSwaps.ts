/** Reads swaps, their history and their transactions. */
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Struct from "effect/Struct"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { addressKey } from "../../domain/addressKey.js"
import { type Attempt, Kind, states, type SwapRecord } from "../../domain/SwapRecord.js"
import { withSpanIfTraced } from "../../tracing/withSpanIfTraced.js"
import type { ClaimTotals } from "../acceptance/claimTotals.js"
import { type Dialect, maxIds } from "../sql/dialect.js"
import * as Rows from "../sql/rows.js"
import { unavailable } from "../sql/storeUnavailable.js"
import type { Store, Underway } from "../Store.js"
import * as SwapRows from "./swapRows.js"

interface StoredAttempt extends Attempt {
  readonly swapId: string
  readonly kind: Kind
  readonly number: number
}
const storedAttempts = Rows.table<StoredAttempt>({
  ...Rows.attempts.fields,
  swapId: Rows.text,
  kind: Rows.oneOf(Kind.literals),
  number: Rows.whole
})

const underway = Rows.table<Underway>({
  state: Rows.oneOf(states),
  count: Rows.whole,
  oldestCreatedAt: Rows.whole,
  oldestUpdatedAt: Rows.whole
})

const selectSwaps = `SELECT ${SwapRows.columns} FROM swaps`

/** Reads swaps by their id. */
export type SwapsBy = (id: string) => Effect.Effect<ReadonlyArray<SwapRecord>, SqlError>

export const swapsBy = ({ readBy }: Dialect): SwapsBy => readBy(selectSwaps, "id", SwapRows.swaps, ({ id }) => id)

const isFinished = "state IN ('settled', 'failed', 'refunded')"

export const make = (
  sql: SqlClient,
  { readBy }: Dialect,
  totals: ClaimTotals,
  swapOf: SwapsBy
): Pick<
  Store,
  "swap" | "swapOfOrder" | "ended" | "list" | "underway" | "owed" | "reserved" | "events" | "attempts"
> => {
  const swapOfOrder = readBy(selectSwaps, "order_id", SwapRows.swaps, ({ orderId }) => orderId)
  // Every running swap reads its attempts at each poll.
  const attemptsOf = readBy("SELECT * FROM tx_attempts", "swap_id", storedAttempts.read, ({ swapId }) => swapId)

  return {
    swap: withSpanIfTraced("Store.swap", (id: string) =>
      Effect.map(swapOf(id), Arr.head).pipe(unavailable("read the swap"))
    ),
    swapOfOrder: withSpanIfTraced("Store.swapOfOrder", (orderId: string) =>
      Effect.map(swapOfOrder(orderId), Arr.head).pipe(unavailable("read the order's swap"))
    ),
    ended: Effect.fn("Store.ended")(function* (ids) {
      const found = yield* Effect.forEach(Arr.chunksOf(ids, maxIds), (some) =>
        Rows.ids.read(sql`SELECT id FROM swaps WHERE ${sql.in("id", some)} AND ${sql.literal(isFinished)}`)
      )
      return found.flat().map(({ id }) => id)
    }, unavailable("check which swaps have finished")),
    list: Effect.fn("Store.list")(
      ({ accountId, after, limit, oldestFirst = false, open, since, state, until, wallet }) =>
        SwapRows.swaps(
          sql`SELECT ${sql.literal(SwapRows.columns)} FROM swaps WHERE ${sql.and([
            sql.literal("1 = 1"),
            ...(state === undefined ? [] : [sql`state = ${state}`]),
            // This condition must be identical to the condition of the partial index on pending swaps.
            ...(open === undefined ? [] : [sql.literal(open ? isFinished.replace("IN", "NOT IN") : isFinished)]),
            ...(accountId === undefined ? [] : [sql`account_id = ${accountId}`]),
            ...(wallet === undefined ? [] : [sql`wallet_key = ${addressKey(wallet)}`]),
            ...(since === undefined ? [] : [sql`created_at >= ${since}`]),
            ...(until === undefined ? [] : [sql`created_at < ${until}`]),
            ...(after === undefined
              ? []
              : [sql`(created_at, id) ${sql.literal(oldestFirst ? ">" : "<")} (${after.createdAt}, ${after.id})`])
          ])} ORDER BY ${sql.literal(oldestFirst ? "created_at, id" : "created_at DESC, id DESC")}
          LIMIT ${Math.max(0, limit)}`
        ),
      unavailable("list swaps")
    ),
    underway: underway
      .read(
        sql`SELECT state, COUNT(*) AS count, MIN(created_at) AS oldest_created_at, MIN(updated_at) AS oldest_updated_at
      FROM swaps WHERE state NOT IN ('settled', 'failed', 'refunded') GROUP BY state ORDER BY state`
      )
      .pipe(unavailable("count the pending swaps")),
    reserved: unavailable("sum the claimed outputs")(totals.outputs),
    owed: unavailable("sum the owed refunds")(totals.owed),
    events: Effect.fn("Store.events")(
      (id) => Rows.events.read(sql`SELECT * FROM swap_events WHERE swap_id = ${id} ORDER BY version`),
      unavailable("read the swap's history")
    ),
    attempts: Effect.fn("Store.attempts")(function* (id, kind) {
      const stored = (yield* attemptsOf(id)).filter((one) => one.kind === kind)
      return stored.toSorted((one, other) => one.number - other.number).map(Struct.omit(["kind", "number", "swapId"]))
    }, unavailable("read the swap's transactions"))
  }
}
