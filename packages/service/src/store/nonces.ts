/** Counters for wallets' operation indices and relayers' nonces. */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { addressKey } from "../chains/addressKey.js"
import { withSpanIfTraced } from "../tracing/withSpanIfTraced.js"
import type { Dialect } from "./dialect.js"
import * as Group from "./groupCalls.js"
import * as OperationNonces from "./operationNonces.js"
import * as Rows from "./rows.js"
import type { NonceSpace, NonceTaking, NonceWord, Store } from "./Store.js"
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

/** The last word whose indices the database can store. */
const largestWord = 2n ** 52n

/** A word as text: one character for each index, 1 if the index has been used. */
const bitsOf = ({ used }: NonceWord): string => [...used.toString(2).padStart(256, "0")].toReversed().join("")

/** The key of a wallet's counter. The counters of different spaces are independent. */
const counterKey = (wallet: string, space: NonceSpace = "account"): string =>
  space === "account" ? addressKey(wallet) : `${space}:${addressKey(wallet)}`

/** A request for a wallet's next index in a word. */
interface Taking {
  readonly chainId: number
  readonly key: string
  readonly word: NonceWord
}

type Operations = "nextOperationNonce" | "takeOperationNonce" | "isOperationNonceUsed"

export const make = (
  sql: SqlClient,
  { sharesCommits, transaction }: Pick<Dialect, "sharesCommits" | "transaction">
): Pick<Store, Operations | "nextNonce" | "raiseNonce"> => {
  /** Takes the next index with one statement, if it is in this word and free. This is the usual case. */
  const takeNext = Effect.fnUntraced(function* (chainId: number, wallet: string, word: NonceWord) {
    if (word.word > largestWord) return undefined
    const bits = bitsOf(word)
    const isNext = sql`account_nonces.next_index / 256 = ${Number(word.word)}
      AND substr(${bits}, CAST(account_nonces.next_index % 256 + 1 AS INTEGER), 1) = '0'`
    const [row] = yield* indexRows(
      word.word === 0n && bits.startsWith("0")
        ? sql`INSERT INTO account_nonces (chain_id, wallet, next_index) VALUES (${chainId}, ${wallet}, 1)
            ON CONFLICT (chain_id, wallet) DO UPDATE SET next_index = account_nonces.next_index + 1
            WHERE ${isNext} RETURNING next_index`
        : sql`UPDATE account_nonces SET next_index = next_index + 1
            WHERE chain_id = ${chainId} AND wallet = ${wallet} AND ${isNext} RETURNING next_index`
    )
    return row === undefined ? undefined : BigInt(row.next_index) - 1n
  })

  const takeOne = Effect.fnUntraced(function* ({ chainId, key, word }: Taking) {
    const quick = yield* takeNext(chainId, key, word)
    if (quick !== undefined) return { _tag: "Taken", index: quick } satisfies NonceTaking
    for (;;) {
      const [row] = yield* indexRows(
        sql`SELECT next_index FROM account_nonces WHERE chain_id = ${chainId} AND wallet = ${key}`
      )
      const next = BigInt(row?.next_index ?? 0)
      if (next >> 8n !== word.word) return { _tag: "Elsewhere", next } satisfies NonceTaking
      const index = freeFrom(next, word)
      const isFree = index >> 8n === word.word
      // Compares and sets the index, because other calls change it at the same time. Replicas running the previous
      // version increment it without comparing.
      const set = yield* indexRows(
        sql`INSERT INTO account_nonces (chain_id, wallet, next_index)
        VALUES (${chainId}, ${key}, ${(isFree ? index + 1n : index).toString()})
        ON CONFLICT (chain_id, wallet) DO UPDATE SET next_index = excluded.next_index
        WHERE account_nonces.next_index = ${next.toString()}
        RETURNING next_index`
      )
      if (set.length > 0) {
        return (isFree ? { _tag: "Taken", index } : { _tag: "Elsewhere", next: index }) satisfies NonceTaking
      }
    }
  })

  /** Takes indices in one transaction. A failed statement does not affect the others. */
  const takeAll = (takings: ReadonlyArray<Taking>) =>
    Effect.matchCause(transaction(Effect.forEach(takings, (taking) => Effect.exit(takeOne(taking)))), {
      onSuccess: (exits) => exits,
      onFailure: (cause) => takings.map(() => Exit.failCause(cause))
    })
  const take = sharesCommits ? Group.make(takeAll) : takeOne

  return {
    nextOperationNonce: withSpanIfTraced(
      "Store.nextOperationNonce",
      Effect.fnUntraced(function* (chainId: number, wallet: string, space?: NonceSpace) {
        const [row] = yield* indexRows(
          sql`SELECT next_index FROM account_nonces WHERE chain_id = ${chainId} AND wallet = ${counterKey(wallet, space)}`
        )
        return BigInt(row?.next_index ?? 0)
      }, unavailable("read the wallet's next index"))
    ),

    takeOperationNonce: withSpanIfTraced(
      "Store.takeOperationNonce",
      (chainId: number, wallet: string, word: NonceWord, space?: NonceSpace) =>
        unavailable("take the wallet's next index")(take({ chainId, key: counterKey(wallet, space), word }))
    ),

    isOperationNonceUsed: Effect.fn("Store.isOperationNonceUsed")(
      (chainId, wallet, index, space) =>
        OperationNonces.isUsed(sql, {
          chainId,
          wallet: addressKey(wallet),
          nonce: OperationNonces.nonceText(index, space)
        }),
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
  }
}

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
