/**
 * Ensures that a wallet's operation nonce is used by only one swap. Two operations with the same nonce cannot both be
 * executed, so an operation is accepted only if every earlier swap with the same nonce has failed.
 *
 * The `operation_nonces` table has an entry for every swap that this version accepts. During a rolling update, a server
 * that predates this table also accepts swaps, but writes no entries. The swaps that it accepts are found by the nonce
 * in their stored operation, through the index of in-flight swaps. When such a swap leaves that index because its input
 * arrived, `change` writes its entry. After leaving the index, such a swap lacks an entry only if the older server
 * itself recorded the arrival of its input. By then, the chain reports that swap's nonce as used, and a build call with
 * that nonce checks the chain.
 *
 * An acceptance locks the nonce. It also locks the wallet together with the input token, as an older server does. The
 * second of two acceptances therefore finds the swap from the first acceptance, unless the older server performs the
 * second acceptance, because that server does not check the nonce. In that case, two swaps share a nonce: the chain
 * executes one of them, and the other fails before funds move.
 */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { Fragment } from "effect/sql/Statement"
import { addressKey } from "../../domain/addressKey.js"
import type { Accepted } from "../../domain/SwapRecord.js"
import * as Rows from "../sql/rows.js"
import type { NonceSpace } from "./OperationNonce.js"

/** A wallet's nonce on a chain. */
export interface OperationNonce {
  readonly chainId: number
  readonly wallet: string
  /** The nonce, in decimal. A nonce of a payment begins with the name of its space. */
  readonly nonce: string
}

const prefixOf = (space: NonceSpace): string => (space === "account" ? "" : `${space}:`)

/** An index as it is stored in an operation. */
export const nonceText = (index: bigint, space: NonceSpace = "account"): string => `${prefixOf(space)}${index}`

/** The nonce of a swap's operation. Solana operations do not have a nonce. */
export const nonceOf = ({ operation, originChain, wallet }: Accepted): OperationNonce | undefined =>
  operation._tag === "evm" ? { chainId: originChain, wallet: addressKey(wallet), nonce: operation.nonce } : undefined

/** The name of the lock for transactions that assign a nonce to a swap. */
export const lockName = ({ chainId, nonce, wallet }: OperationNonce): string =>
  `operation ${chainId} ${wallet} ${nonce}`

const holders = Rows.all(Rows.NonceHolder)

/**
 * Whether the nonce belongs to a swap that has not failed. Uses one statement, so that both subqueries see the same
 * state: a swap that is no longer found by the first subquery is found by the second.
 */
export const isUsed = (sql: SqlClient, { chainId, nonce, wallet }: OperationNonce): Effect.Effect<boolean, SqlError> =>
  Effect.map(
    holders(
      sql`SELECT operation FROM swaps
        WHERE origin_chain = ${chainId} AND wallet_key = ${wallet}
        AND state IN ('accepted', 'origin_prepared', 'origin_sent')
        AND operation LIKE ${`%"nonce":"${nonce}"%`}
        UNION ALL
        SELECT operation FROM operation_nonces JOIN swaps ON swaps.id = operation_nonces.swap_id
        WHERE chain_id = ${chainId} AND operation_nonces.wallet = ${wallet} AND nonce = ${nonce} AND state <> 'failed'`
    ),
    // The query's pattern only narrows the search. The decoded operation is authoritative.
    (rows) => rows.some(({ operation }) => operation._tag === "evm" && operation.nonce === nonce)
  )

/**
 * The condition that the index in a column belongs to no swap that has not failed. It is a scalar subquery, which
 * PostgreSQL evaluates again if it had to wait for the row of the column. Swaps of older servers that lack an entry are
 * not found, so the condition only helps to choose an index.
 */
export const isFree = (sql: SqlClient, chainId: number, wallet: string, index: Fragment, space: NonceSpace): Fragment =>
  sql`(SELECT COUNT(*) FROM operation_nonces JOIN swaps ON swaps.id = operation_nonces.swap_id
    WHERE operation_nonces.chain_id = ${chainId} AND operation_nonces.wallet = ${wallet}
    AND operation_nonces.nonce = ${prefixOf(space)} || CAST(${index} AS TEXT) AND swaps.state <> 'failed') = 0`

const nonceRows = Rows.all(Schema.Struct({ nonce: Schema.String }))

/** Which of these indices belong to swaps that have not failed. Like `isFree`, this only helps to choose an index. */
export const takenAmong = (
  sql: SqlClient,
  chainId: number,
  wallet: string,
  indices: ReadonlyArray<bigint>,
  space: NonceSpace
): Effect.Effect<ReadonlySet<bigint>, SqlError> => {
  const byNonce = new Map(indices.map((index) => [nonceText(index, space), index]))
  if (byNonce.size === 0) return Effect.succeed(new Set())
  return Effect.map(
    nonceRows(
      sql`SELECT operation_nonces.nonce FROM operation_nonces JOIN swaps ON swaps.id = operation_nonces.swap_id
        WHERE operation_nonces.chain_id = ${chainId} AND operation_nonces.wallet = ${wallet}
        AND operation_nonces.nonce IN ${sql.in([...byNonce.keys()])} AND swaps.state <> 'failed'`
    ),
    (rows) => new Set(rows.flatMap(({ nonce }) => byNonce.get(nonce) ?? []))
  )
}

/** Assigns a nonce to a swap. Any previous swap with that nonce has failed or can never be executed. */
export const assign = (
  sql: SqlClient,
  swapId: string,
  { chainId, nonce, wallet }: OperationNonce
): Effect.Effect<void, SqlError> =>
  Effect.asVoid(
    sql`INSERT INTO operation_nonces (chain_id, wallet, nonce, swap_id) VALUES (${chainId}, ${wallet}, ${nonce}, ${swapId})
      ON CONFLICT (chain_id, wallet, nonce) DO UPDATE SET swap_id = excluded.swap_id`
  )
