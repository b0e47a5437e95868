/**
 * What limits the acceptance of payments: their orders in flight. It is read in the transaction of the acceptance, while
 * its locks are held, and only for payments that are limited.
 */
import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { addressKey } from "../../chains/addressKey.js"
import * as Rows from "../rows.js"
import type { Accepted } from "../SwapRecord.js"

/** The orders that a payment is limited by. */
interface InFlight {
  /** The orders with `erc2612` from the same wallet and token. */
  readonly permits: number
  /** The orders from wallets that delegate to the same contract of another provider. */
  readonly target: number
}

const countRows = Rows.all(Rows.Count)

/** The key of the orders with a permit, if the swap has one. */
export const permitKey = ({ inputToken, operation, originChain, wallet }: Accepted): string | undefined =>
  operation._tag === "evm" && operation.method === "erc2612"
    ? `${originChain} ${addressKey(inputToken)} ${addressKey(wallet)}`
    : undefined

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

/** Reads the orders in flight that limit a swap. The pattern is exact, because only the service writes these fields. */
export const readInFlight = Effect.fnUntraced(function* (
  sql: SqlClient,
  swap: Accepted
): Effect.fn.Return<InFlight, SqlError> {
  const count = (pattern: string, wallet?: string, token?: string) => {
    const inFlight = sql`SELECT COUNT(*) AS count FROM swaps WHERE origin_chain = ${swap.originChain}
      AND state IN ('accepted', 'origin_prepared', 'origin_sent') AND operation LIKE ${pattern}`
    const rows =
      wallet === undefined || token === undefined
        ? inFlight
        : sql`${inFlight} AND wallet_key = ${wallet} AND input_token_key = ${token}`
    return Effect.map(countRows(rows), ([row]) => row?.count ?? 0)
  }
  const { inputToken, operation, wallet } = swap
  const target = operation._tag === "evm" ? operation.target : undefined
  return {
    permits:
      permitKey(swap) === undefined
        ? 0
        : yield* count(`%"method":"erc2612"%`, addressKey(wallet), addressKey(inputToken)),
    target: target === undefined ? 0 : yield* count(`%"target":"${addressKey(target)}"%`)
  }
})
