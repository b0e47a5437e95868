/**
 * Ensures that a wallet's operation nonce is used by only one swap. Two operations with the same nonce cannot both be
 * executed, so an operation is accepted only if every earlier swap with the same nonce has failed. An acceptance locks the
 * nonce, and the index `swaps_by_nonce` is unique.
 */
import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { Fragment } from "effect/sql/Statement"
import { addressKey } from "../../domain/addressKey.js"
import type { Accepted } from "../../domain/SwapRecord.js"
import * as Rows from "../sql/rows.js"
import type { NonceSpace } from "./NonceWord.js"

/** The prefix of an index as it is stored in an operation. */
const prefixOf = (space: NonceSpace): string => (space === "account" ? "" : `${space}:`)

/** The key of the nonce of a swap's operation, for locks. Solana operations do not have a nonce. */
export const nonceKey = ({ operation, originChain, wallet }: Accepted): string | undefined =>
  operation._tag === "evm" ? `operation ${originChain} ${addressKey(wallet)} ${operation.nonce}` : undefined

/** The condition that the index in a column belongs to no swap that has not failed. It is a scalar subquery, which
 * PostgreSQL evaluates again if it had to wait for the row of the column.
 */
export const isFree = (sql: SqlClient, chainId: number, wallet: string, index: Fragment, space: NonceSpace): Fragment =>
  sql`(SELECT COUNT(*) FROM swaps WHERE origin_chain = ${chainId} AND wallet_key = ${wallet}
    AND operation_nonce = ${prefixOf(space)} || CAST(${index} AS TEXT) AND state <> 'failed') = 0`

const nonces = Rows.table({ operationNonce: Rows.text })

/** Which of these indices belong to swaps that have not failed. */
export const takenAmong = (
  sql: SqlClient,
  chainId: number,
  wallet: string,
  indices: ReadonlyArray<bigint>,
  space: NonceSpace
): Effect.Effect<ReadonlySet<bigint>, SqlError> => {
  const byNonce = new Map(indices.map((index) => [`${prefixOf(space)}${index}`, index]))
  if (byNonce.size === 0) return Effect.succeed(new Set())
  return Effect.map(
    nonces.read(
      sql`SELECT operation_nonce FROM swaps WHERE origin_chain = ${chainId} AND wallet_key = ${wallet}
        AND operation_nonce IN ${sql.in([...byNonce.keys()])} AND state <> 'failed'`
    ),
    (rows) => new Set(rows.flatMap(({ operationNonce }) => byNonce.get(operationNonce) ?? []))
  )
}
