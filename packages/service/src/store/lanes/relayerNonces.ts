/** Counters for relayers' nonces. */
import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { addressKey } from "../../domain/addressKey.js"
import * as Rows from "../sql/rows.js"
import { unavailable } from "../sql/storeUnavailable.js"
import type { Store } from "../Store.js"

const nonces = Rows.table({ nextNonce: Rows.whole })

export const make = (sql: SqlClient): Pick<Store, "nextNonce" | "raiseNonce"> => ({
  nextNonce: Effect.fn("Store.nextNonce")(function* (chainId, signer) {
    const address = addressKey(signer)
    const [row] = yield* nonces.read(
      sql`SELECT next_nonce FROM relayers WHERE chain_id = ${chainId} AND address = ${address}`
    )
    if (row !== undefined) return row.nextNonce
    // Creates the row if needed, because `change` can take a nonce only from an existing row.
    yield* sql`INSERT INTO relayers (chain_id, address, next_nonce) VALUES (${chainId}, ${address}, 0)
    ON CONFLICT (chain_id, address) DO NOTHING`
    return 0
  }, unavailable("read the relayer's nonce")),

  raiseNonce: Effect.fn("Store.raiseNonce")(function* (chainId, signer, atLeast) {
    yield* sql`INSERT INTO relayers (chain_id, address, next_nonce) VALUES (${chainId}, ${addressKey(signer)}, ${atLeast})
    ON CONFLICT (chain_id, address) DO UPDATE SET next_nonce = excluded.next_nonce
    WHERE relayers.next_nonce < excluded.next_nonce`
  }, unavailable("raise the relayer's nonce"))
})

/** Takes a nonce within a transaction. Returns `false` if the nonce is not the relayer's next nonce. */
export const take = (
  sql: SqlClient,
  chainId: number,
  signer: string,
  nonce: number
): Effect.Effect<boolean, SqlError> =>
  Effect.map(
    sql`UPDATE relayers SET next_nonce = next_nonce + 1
      WHERE chain_id = ${chainId} AND address = ${addressKey(signer)} AND next_nonce = ${nonce}
      RETURNING next_nonce`,
    (rows) => rows.length > 0
  )
