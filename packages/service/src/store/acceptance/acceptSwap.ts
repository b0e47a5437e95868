/** Accepts swaps and grants their claims. Each order is accepted only once. */
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import type { SqlClient } from "effect/sql/SqlClient"
import { isSqlError, type SqlError } from "effect/sql/SqlError"
import { withSpanIfTraced } from "../../tracing/withSpanIfTraced.js"
import type { Dialect } from "../sql/dialect.js"
import * as Group from "../sql/groupCalls.js"
import { unavailable } from "../sql/storeUnavailable.js"
import type { Store } from "../Store.js"
import { Conflict } from "../StoreError.js"
import * as SwapRows from "../swaps/swapRows.js"
import type { Acceptance, Reservation } from "./Acceptance.js"
import { claimRows } from "./AcceptanceStore.js"
import { type Call, callOf, decide, type Decision, deny } from "./decide.js"
import { orderLock } from "./lockNames.js"

/**
 * Whether a failed group is worth splitting: the database rejected a value, and then only the swap with that value
 * fails. Anything else affects every swap, and if the connection was lost, a commit may have succeeded.
 */
const isRejection = (cause: Cause.Cause<SqlError>): boolean => {
  const [reason, ...others] = cause.reasons
  if (reason === undefined || others.length > 0 || !Cause.isFailReason(reason) || !isSqlError(reason.error))
    return false
  const tag = reason.error.reason._tag
  return tag === "ConstraintError" || tag === "UniqueViolation" || tag === "UnknownError"
}

export const make = (
  sql: SqlClient,
  { acceptance, lock, transaction }: Dialect
): Pick<Store, "accept" | "reserve" | "swapOfExpiredOrder"> => {
  const columns = sql.literal(SwapRows.columns)

  /** Accepts a group in one transaction. */
  const acceptAll = (calls: ReadonlyArray<Call>): Effect.Effect<ReadonlyArray<Decision>, SqlError> =>
    transaction(
      Effect.gen(function* () {
        const decisions = yield* decide(calls, yield* acceptance.read(calls))
        const accepted = decisions.flatMap((decision) => (decision._tag === "Inserted" ? [decision] : []))
        if (accepted.length > 0) {
          yield* acceptance.write(
            accepted.map(({ row }) => row),
            accepted.flatMap(({ claims, row }) => claimRows(row.id, claims))
          )
        }
        return decisions
      })
    )

  const run = (calls: ReadonlyArray<Call>): Effect.Effect<ReadonlyArray<Exit.Exit<Decision, SqlError>>> =>
    Effect.matchCauseEffect(acceptAll(calls), {
      onSuccess: (decisions) => Effect.succeed(decisions.map(Exit.succeed)),
      onFailure: (cause) => {
        if (calls.length === 1 || !isRejection(cause)) return Effect.succeed(calls.map(() => Exit.failCause(cause)))
        const middle = calls.length >> 1
        return Effect.flatMap(run(calls.slice(0, middle)), (first) =>
          Effect.map(run(calls.slice(middle)), (second) => [...first, ...second])
        )
      }
    })

  const acceptInGroup = Group.make(run)

  return {
    swapOfExpiredOrder: Effect.fn("Store.swapOfExpiredOrder")(
      function* (orderId) {
        yield* lock([orderLock(orderId)])
        const [swap] = yield* SwapRows.swaps(sql`SELECT ${columns} FROM swaps WHERE order_id = ${orderId}`)
        return Option.fromNullishOr(swap)
      },
      transaction,
      unavailable("read the swap")
    ),

    accept: withSpanIfTraced(
      "Store.accept",
      Effect.fnUntraced(function* (...[swap, { claims, until = Infinity }]: Parameters<Store["accept"]>) {
        // A swap that cannot be stored fails here, and not with the other swaps in its group.
        const call = callOf(swap, claims, until, yield* Clock.Clock)
        const decision = yield* acceptInGroup(call)
        switch (decision._tag) {
          case "Inserted":
            return {
              _tag: "Inserted",
              swap: yield* SwapRows.decodeSwap(SwapRows.insertedRow(decision.row))
            } satisfies Acceptance
          case "Existing":
            return { _tag: "Existing", swap: yield* SwapRows.decodeSwap(decision.row) } satisfies Acceptance
          default:
            return decision
        }
      }, unavailable("accept the swap"))
    ),

    reserve: Effect.fn("Store.reserve")(
      function* (swap, owner, claims) {
        const denial = deny(claims, yield* acceptance.usages(claims))
        if (denial !== undefined) return denial satisfies Reservation
        const now = yield* Clock.currentTimeMillis
        // `updated_at` does not change. It records when the swap entered its current state, and the time limit for the
        // delivery is measured from that time.
        const [changed] = yield* SwapRows.swaps(
          sql`UPDATE swaps SET version = version + 1
          WHERE id = ${swap.id} AND version = ${swap.version} AND lease_owner = ${owner}
          AND NOT EXISTS (SELECT 1 FROM claims WHERE swap_id = swaps.id AND phase = 'delivery')
          AND state IN ('accepted', 'origin_prepared', 'origin_sent', 'origin_final', 'delivery_prepared', 'delivery_sent')
          RETURNING ${columns}`
        )
        if (changed === undefined) {
          return yield* new Conflict({
            message: `The swap is no longer at version ${swap.version}, or another worker has claimed it. Read it again.`
          })
        }
        yield* acceptance.claim(claimRows(swap.id, claims))
        yield* sql`INSERT INTO swap_events (swap_id, version, at, state, detail)
        VALUES (${swap.id}, ${changed.version}, ${now}, ${changed.state}, 'the output is reserved again')`
        return { _tag: "Reserved", swap: { ...changed, reserved: true } } satisfies Reservation
      },
      transaction,
      unavailable("reserve the swap's output")
    )
  }
}
