/** Accepts swaps and grants their claims. Each order is accepted only once. */
import * as Arr from "effect/Array"
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type { SqlClient } from "effect/sql/SqlClient"
import { isSqlError, type SqlError } from "effect/sql/SqlError"
import type { Claim } from "../../domain/Claim.js"
import type { SwapRecord } from "../../domain/SwapRecord.js"
import { withSpanIfTraced } from "../../tracing/withSpanIfTraced.js"
import { type Columns, type Dialect, insertRows } from "../sql/dialect.js"
import * as Group from "../sql/groupCalls.js"
import { unavailable } from "../sql/storeUnavailable.js"
import type { Store } from "../Store.js"
import { Conflict } from "../StoreError.js"
import type { SwapsBy } from "../swaps/readSwaps.js"
import * as SwapRows from "../swaps/swapRows.js"
import type { Acceptance, Reservation } from "./Acceptance.js"
import type { ClaimTotals } from "./claimTotals.js"
import { type Call, decide, type Decision, deny } from "./decide.js"
import * as Facts from "./facts.js"

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

const claimColumns: Columns = { swap_id: "TEXT", phase: "TEXT", kind: "TEXT", name: "TEXT", amount: "TEXT" }
const eventColumns: Columns = { swap_id: "TEXT", version: "BIGINT", at: "BIGINT", state: "TEXT", detail: "TEXT" }

/** The rows of a swap's claims. The outputs and the owed refunds are what is claimed of a vault. */
const claimRows = (swapId: string, claims: ReadonlyArray<Claim>) =>
  claims.flatMap(({ amount, kind, name, phase }) =>
    kind === "vault" ? [] : [{ swap_id: swapId, phase, kind, name, amount: amount.toString() }]
  )

const eventRow = ({ id, state, version }: SwapRecord, at: number, detail: string) => ({
  swap_id: id,
  version,
  at,
  state,
  detail
})

export const make = (
  sql: SqlClient,
  dialect: Dialect,
  totals: ClaimTotals,
  swapOf: SwapsBy
): Pick<Store, "accept" | "reserve" | "swapOfExpiredOrder"> => {
  const { lock, transaction, writeAll } = dialect
  const facts = Facts.make(sql, dialect)

  /** Writes swaps that were accepted, with their claims and first events. */
  const write = Effect.fnUntraced(function* (accepted: ReadonlyArray<Extract<Decision, { _tag: "Inserted" }>>) {
    const rows = accepted.map(({ row }) => row)
    const events = accepted.map(({ swap }) => eventRow(swap, swap.updatedAt, "accepted"))
    const claims = accepted.flatMap(({ claims, swap }) => claimRows(swap.id, claims))
    yield* writeAll([
      insertRows(dialect, "swaps", SwapRows.newColumns, rows),
      insertRows(dialect, "swap_events", eventColumns, events),
      insertRows(dialect, "claims", claimColumns, claims)
    ])
    yield* totals.add(claims, 1n)
  })

  /** Accepts a group in one transaction. */
  const acceptAll = (calls: ReadonlyArray<Call>): Effect.Effect<ReadonlyArray<Decision>, SqlError> =>
    transaction(
      Effect.gen(function* () {
        const claims = calls.flatMap((call) => call.claims)
        const decisions = yield* decide(calls, yield* facts(calls, claims))
        const accepted = decisions.flatMap((decision) => (decision._tag === "Inserted" ? [decision] : []))
        if (accepted.length > 0) yield* write(accepted)
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
        yield* lock([Facts.orderLock(orderId)])
        const found = SwapRows.swaps(
          sql`SELECT ${sql.literal(SwapRows.columns)} FROM swaps WHERE order_id = ${orderId}`
        )
        return Arr.head(yield* found)
      },
      transaction,
      unavailable("read the swap")
    ),

    accept: withSpanIfTraced(
      "Store.accept",
      Effect.fnUntraced(function* (...[swap, { claims, until = Infinity }]: Parameters<Store["accept"]>) {
        // A swap that cannot be stored fails here, and not with the other swaps in its group.
        const row = SwapRows.newRow(swap)
        const decision = yield* acceptInGroup({ swap, row, claims, until, clock: yield* Clock.Clock })
        if (decision._tag === "Inserted") return { _tag: "Inserted", swap: decision.swap } satisfies Acceptance
        if (decision._tag !== "Existing") return decision
        const [existing] = yield* swapOf(decision.id)
        if (existing === undefined) return yield* Effect.die(new Error("The order's swap disappeared."))
        return { _tag: "Existing", swap: existing } satisfies Acceptance
      }, unavailable("accept the swap"))
    ),

    reserve: Effect.fn("Store.reserve")(
      function* (swap, owner, claims) {
        const denial = deny(claims, (yield* facts([], claims)).usages)
        if (denial !== undefined) return denial satisfies Reservation
        // `updated_at` does not change. It records when the swap entered its current state, and the time limit for the
        // delivery is measured from that time.
        const updated = yield* sql`UPDATE swaps SET version = version + 1
          WHERE id = ${swap.id} AND version = ${swap.version} AND lease_owner = ${owner}
          AND NOT EXISTS (SELECT 1 FROM claims WHERE swap_id = swaps.id AND phase = 'delivery')
          AND state IN ('accepted', 'origin_prepared', 'origin_sent', 'origin_final', 'delivery_prepared', 'delivery_sent')
          RETURNING version`
        if (updated.length === 0) {
          return yield* new Conflict({
            message: `The swap is no longer at version ${swap.version}, or another worker has claimed it. Read it again.`
          })
        }
        const now = yield* Clock.currentTimeMillis
        const changed = { ...swap, version: swap.version + 1, reserved: true }
        const rows = claimRows(swap.id, claims)
        yield* writeAll([
          insertRows(dialect, "swap_events", eventColumns, [eventRow(changed, now, "the output is reserved again")]),
          insertRows(dialect, "claims", claimColumns, rows)
        ])
        yield* totals.add(rows, 1n)
        return { _tag: "Reserved", swap: changed } satisfies Reservation
      },
      transaction,
      unavailable("reserve the swap's output")
    )
  }
}
