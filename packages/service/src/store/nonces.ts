/** Counters for wallets' operation indices and relayers' nonces. */
import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { addressKey } from "../chains/addressKey.js"
import type { Dialect } from "./dialect.js"
import * as OperationNonces from "./operationNonces.js"
import * as Rows from "./rows.js"
import type { NonceTaking, NonceWord, Store } from "./Store.js"
import { unavailable } from "./storeUnavailable.js"

const nonceRows = Rows.all(Rows.NextNonce)
const indexRows = Rows.all(Rows.NextIndex)

/**
 * Searches a word for the first index that is free and not below `index`. If there is no such index, returns the first
 * index of the next word.
 */
const freeFrom = (index: bigint, { used, word }: NonceWord): bigint => {
  const end = (word + 1n) << 8n
  let free = index
  while (free < end && ((used >> (free & 0xffn)) & 1n) === 1n) free += 1n
  return free
}

type Operations = "nextOperationNonce" | "takeOperationNonce" | "isOperationNonceUsed"

export const make = (
  sql: SqlClient,
  { transaction }: Dialect
): Pick<Store, Operations | "nextNonce" | "raiseNonce"> => ({
  nextOperationNonce: Effect.fn("Store.nextOperationNonce")(function* (chainId, wallet) {
    const [row] = yield* indexRows(
      sql`SELECT next_index FROM account_nonces WHERE chain_id = ${chainId} AND wallet = ${addressKey(wallet)}`
    )
    return BigInt(row?.next_index ?? 0)
  }, unavailable("read the wallet's next index")),

  takeOperationNonce: Effect.fn("Store.takeOperationNonce")(
    function* (chainId, wallet, word) {
      const key = addressKey(wallet)
      // A no-op update that locks the row, because replicas running the previous version increment the index without
      // checking it.
      const [row] = yield* indexRows(
        sql`INSERT INTO account_nonces (chain_id, wallet, next_index) VALUES (${chainId}, ${key}, 0)
          ON CONFLICT (chain_id, wallet) DO UPDATE SET next_index = account_nonces.next_index
          RETURNING next_index`
      )
      if (row === undefined) return yield* Effect.die(new Error("The database did not return the row that it wrote."))
      const next = BigInt(row.next_index)
      if (next >> 8n !== word.word) return { _tag: "Elsewhere", next } satisfies NonceTaking
      const index = freeFrom(next, word)
      const isFree = index >> 8n === word.word
      yield* sql`UPDATE account_nonces SET next_index = ${(isFree ? index + 1n : index).toString()}
        WHERE chain_id = ${chainId} AND wallet = ${key}`
      return (isFree ? { _tag: "Taken", index } : { _tag: "Elsewhere", next: index }) satisfies NonceTaking
    },
    transaction,
    unavailable("take the wallet's next index")
  ),

  isOperationNonceUsed: Effect.fn("Store.isOperationNonceUsed")(
    (chainId, wallet, index) => OperationNonces.isUsed(sql, { chainId, wallet: addressKey(wallet), nonce: `${index}` }),
    unavailable("check the wallet's index")
  ),

  nextNonce: Effect.fn("Store.nextNonce")(function* (chainId, signer) {
    const address = addressKey(signer)
    const [row] = yield* nonceRows(
      sql`SELECT next_nonce FROM relayers WHERE chain_id = ${chainId} AND address = ${address}`
    )
    if (row !== undefined) return row.next_nonce
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
