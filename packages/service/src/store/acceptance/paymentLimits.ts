/**
 * What limits the acceptance of payments: their orders in flight. It is read in the transaction of the acceptance, while
 * its locks are held, and only for payments that are limited.
 */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { addressKey } from "../../chains/addressKey.js"
import * as Rows from "../rows.js"
import type { Accepted } from "../SwapRecord.js"

/** The orders in flight that a payment is limited by. */
export interface InFlight {
  /** The orders with `erc2612` from the same wallet and token. */
  readonly permits: number
  /** The amount that orders with `permit2` from the same wallet and token will use of the wallet's approval. */
  readonly approved: bigint
  /** The orders from wallets that delegate to the same contract of another provider. */
  readonly target: number
}

const countRows = Rows.all(Rows.Count)
const approvalRows = Rows.all(
  Schema.Struct({ amount: Schema.BigIntFromString, permits: Rows.Flag, origin_block: Schema.NullOr(Rows.Integer) })
)

const methodOf = ({ operation }: Accepted) => (operation._tag === "evm" ? operation.method : undefined)

/** The key of the orders that use the same wallet's approval of Permit2, if the swap is one of them. */
export const approvalKey = (swap: Accepted): string | undefined => {
  const method = methodOf(swap)
  return method === "permit2" || method === "erc2612"
    ? `${swap.originChain} ${addressKey(swap.inputToken)} ${addressKey(swap.wallet)}`
    : undefined
}

/** Whether the order's permit replaces the wallet's approval. */
export const hasPermit = (swap: Accepted): boolean => methodOf(swap) === "erc2612"

/** The key of the orders with the same target, if the swap has one. */
export const targetKey = ({ operation, originChain }: Accepted): string | undefined =>
  operation._tag === "evm" && operation.target !== undefined
    ? `${originChain} ${addressKey(operation.target)}`
    : undefined

/** The locks for a payment, in addition to those for its wallet and token. */
export const paymentLocks = (swap: Accepted): ReadonlyArray<string> => {
  const target = targetKey(swap)
  return target === undefined ? [] : [`target ${target}`]
}

/**
 * Reads the orders in flight that limit a payment. The patterns are exact, because only the service writes these fields.
 * An order whose collection is in a block at or before `block` no longer needs the approval that was read at that block.
 */
export const readInFlight = Effect.fnUntraced(function* (
  sql: SqlClient,
  swap: Accepted,
  block: bigint
): Effect.fn.Return<InFlight, SqlError> {
  const { inputToken, operation, originChain, wallet } = swap
  const target = operation._tag === "evm" ? operation.target : undefined
  const sharing =
    approvalKey(swap) === undefined
      ? []
      : yield* approvalRows(
          sql`SELECT s.amount, d.origin_block, CASE WHEN s.operation LIKE '%"method":"erc2612"%' THEN 1 ELSE 0 END AS permits
            FROM swaps s LEFT JOIN swap_details d ON d.swap_id = s.id
            WHERE s.origin_chain = ${originChain} AND s.wallet_key = ${addressKey(wallet)}
            AND s.input_token_key = ${addressKey(inputToken)}
            AND s.state IN ('accepted', 'origin_prepared', 'origin_sent')
            AND (s.operation LIKE '%"method":"permit2"%' OR s.operation LIKE '%"method":"erc2612"%')`
        )
  const open = sharing.filter(({ origin_block }) => origin_block === null || BigInt(origin_block) > block)
  const [aimed] =
    target === undefined
      ? []
      : yield* countRows(
          sql`SELECT COUNT(*) AS count FROM swaps WHERE origin_chain = ${originChain}
            AND state IN ('accepted', 'origin_prepared', 'origin_sent')
            AND operation LIKE ${`%"target":"${addressKey(target)}"%`}`
        )
  return {
    permits: sharing.filter(({ permits }) => permits).length,
    approved: open.filter(({ permits }) => !permits).reduce((sum, { amount }) => sum + amount, 0n),
    target: aimed?.count ?? 0
  }
})
