/**
 * Accepts swaps and reserves their outputs. Each order is accepted only once, and only if the wallet's balance and the
 * inventory cover it.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { Statement } from "effect/sql/Statement"
import { addressKey } from "../chains/addressKey.js"
import type { Dialect } from "./dialect.js"
import * as OperationNonces from "./operationNonces.js"
import * as Releases from "./reservationReleases.js"
import * as Rows from "./rows.js"
import { type Acceptance, Conflict, type Reservation, type Store } from "./Store.js"
import { unavailable } from "./storeUnavailable.js"
import type { Accepted } from "./SwapRecord.js"

/**
 * Sums a column of amounts. To save time, the rows are decoded without a schema: there may be thousands of rows, and a
 * lock is held while they are read.
 */
const total = (statement: Statement<unknown>): Effect.Effect<bigint, SqlError> =>
  Effect.map(statement.values, (rows) => rows.reduce((sum, [amount]) => sum + BigInt(String(amount)), 0n))

/** The name of the lock for transactions that determine whether an order becomes a swap. */
const orderLock = (orderId: string) => `order ${orderId}`

/** The name of the lock for transactions that reserve an amount of a token on a chain. */
const inventoryLock = ({ destinationChain, outputToken }: Accepted) =>
  `inventory ${destinationChain} ${addressKey(outputToken)}`

export const make = (
  sql: SqlClient,
  { lock, transaction }: Dialect
): Pick<Store, "accept" | "reserve" | "swapOfExpiredOrder"> => {
  const columns = sql.literal(Rows.columns)

  /** The reserved amount of the output token. */
  const reservedOf = ({ destinationChain, outputToken }: Accepted) =>
    total(
      sql`SELECT amount FROM reservations WHERE chain_id = ${destinationChain} AND token = ${addressKey(outputToken)}`
    )

  const insertReservation = ({ destinationChain, id, output, outputToken }: Accepted) =>
    sql`INSERT INTO reservations (swap_id, chain_id, token, amount)
      VALUES (${id}, ${destinationChain}, ${addressKey(outputToken)}, ${output.toString()})`

  /** The result of accepting a swap if its order already has a swap. */
  const existingFor = (swap: Accepted) =>
    Effect.map(
      Rows.swaps(sql`SELECT ${columns} FROM swaps WHERE order_id = ${swap.orderId}`),
      ([first]): Acceptance | undefined =>
        first === undefined
          ? undefined
          : first.accountId === swap.accountId && first.operationHash === swap.operationHash
            ? { _tag: "Existing", swap: first }
            : { _tag: "QuoteUsed" }
    )

  return {
    swapOfExpiredOrder: Effect.fn("Store.swapOfExpiredOrder")(
      function* (orderId) {
        yield* lock([orderLock(orderId)])
        const [swap] = yield* Rows.swaps(sql`SELECT ${columns} FROM swaps WHERE order_id = ${orderId}`)
        return Option.fromNullishOr(swap)
      },
      transaction,
      unavailable("read the swap")
    ),

    accept: Effect.fn("Store.accept")(
      function* (swap, { balance, inventory, until = Infinity }) {
        const { id, originChain } = swap
        const wallet = addressKey(swap.wallet)
        const input = addressKey(swap.inputToken)
        const nonce = OperationNonces.nonceOf(swap)
        yield* lock([
          `wallet ${originChain} ${input} ${wallet}`,
          inventoryLock(swap),
          orderLock(swap.orderId),
          ...(nonce === undefined ? [] : [OperationNonces.lockName(nonce)])
        ])

        const existing = yield* existingFor(swap)
        if (existing !== undefined) return existing
        if (nonce !== undefined && (yield* OperationNonces.isUsed(sql, nonce))) {
          return { _tag: "NonceUsed" } satisfies Acceptance
        }

        const inFlight = yield* total(
          sql`SELECT amount FROM swaps
          WHERE origin_chain = ${originChain} AND wallet_key = ${wallet} AND input_token_key = ${input}
          AND state IN ('accepted', 'origin_prepared', 'origin_sent')
          AND NOT EXISTS (SELECT 1 FROM swap_details
            WHERE swap_id = swaps.id AND origin_block <= ${balance.block.toString()})`
        )
        const reserved = yield* reservedOf(swap)
        const since = yield* Releases.newest(sql, swap)
        if (balance.block < since.balanceSince || inventory.block < since.inventorySince) {
          return { _tag: "Outdated", ...since } satisfies Acceptance
        }
        if (inFlight + swap.amount > balance.amount) return { _tag: "BalanceInFlight", inFlight } satisfies Acceptance
        if (reserved + swap.output > inventory.amount) {
          return { _tag: "InventoryReserved", reserved } satisfies Acceptance
        }

        const now = yield* Clock.currentTimeMillis
        if (now >= until) return { _tag: "Late" } satisfies Acceptance
        const stored = { ...swap, state: "accepted", version: 0, updatedAt: now, reserved: true } as const
        // These values are in other tables.
        const {
          collected_at: _,
          origin_block: __,
          paid_amount: ___,
          quoted_at,
          refund_amount: ____,
          reserved: _____,
          reverted_tx_hash: ______,
          ...row
        } = yield* Rows.encodeSwap(stored)
        const [inserted] = yield* Rows.swaps(
          sql`INSERT INTO swaps ${sql.insert({ ...row, wallet_key: wallet, input_token_key: input })}
          ON CONFLICT (order_id) DO NOTHING RETURNING ${columns}`
        )
        // A transaction for another wallet, which holds different locks, has inserted a swap for this order in the
        // meantime.
        if (inserted === undefined) {
          return (
            (yield* existingFor(swap)) ??
            (yield* Effect.die(new Error("The insert reported a conflict, but there is no swap for this order.")))
          )
        }
        yield* sql`INSERT INTO swap_details (swap_id, quoted_at) VALUES (${id}, ${quoted_at})`
        if (nonce !== undefined) yield* OperationNonces.assign(sql, id, nonce)
        yield* insertReservation(swap)
        yield* sql`INSERT INTO swap_events (swap_id, version, at, state, detail)
        VALUES (${id}, 0, ${now}, 'accepted', 'accepted')`
        // The row was returned before the other tables were written, so the row lacks the values from those tables.
        const { quotedAt } = swap
        const accepted = { ...inserted, ...(quotedAt !== undefined && { quotedAt }), reserved: true }
        return { _tag: "Inserted", swap: accepted } satisfies Acceptance
      },
      transaction,
      unavailable("accept the swap")
    ),

    reserve: Effect.fn("Store.reserve")(
      function* (swap, owner, inventory) {
        yield* lock([inventoryLock(swap)])
        const reserved = yield* reservedOf(swap)
        const { inventorySince } = yield* Releases.newest(sql, swap)
        if (inventory.block < inventorySince) return { _tag: "Outdated", inventorySince } satisfies Reservation
        if (reserved + swap.output > inventory.amount) return { _tag: "Full", reserved } satisfies Reservation
        const now = yield* Clock.currentTimeMillis
        // `updated_at` does not change. It records when the swap entered its current state, and the time limit for the
        // delivery is measured from that time.
        const [changed] = yield* Rows.swaps(
          sql`UPDATE swaps SET version = version + 1
          WHERE id = ${swap.id} AND version = ${swap.version} AND lease_owner = ${owner}
          AND NOT EXISTS (SELECT 1 FROM reservations WHERE swap_id = swaps.id)
          AND state IN ('accepted', 'origin_prepared', 'origin_sent', 'origin_final', 'delivery_prepared', 'delivery_sent')
          RETURNING ${columns}`
        )
        if (changed === undefined) {
          return yield* new Conflict({
            message: `The swap is no longer at version ${swap.version}, or another worker has claimed it. Read it again.`
          })
        }
        yield* insertReservation(swap)
        yield* sql`INSERT INTO swap_events (swap_id, version, at, state, detail)
        VALUES (${swap.id}, ${changed.version}, ${now}, ${changed.state}, 'the output is reserved again')`
        return { _tag: "Reserved", swap: { ...changed, reserved: true } } satisfies Reservation
      },
      transaction,
      unavailable("reserve the swap's output")
    )
  }
}
