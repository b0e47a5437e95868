/**
 * Hands out wallets' operation indices. An index is a bit of a bitmap on the chain, and the first bit that is set in a
 * word of 256 bits costs about 17,000 gas more than the others. Anyone with an API key can build an operation for any
 * wallet, so builds must not use up indices. The indices of one word are handed out in turn, again and again. The next
 * word follows only when each index of this word is used on the chain or belongs to an accepted swap that has not
 * failed, and both require the wallet's signature. `next_index` stores the word (`next_index / 256`) and where the turn
 * continues in it.
 *
 * Guaranteed: between two takes of the same index, the turn passes all other indices of the word, and each of them that
 * is free at that time is handed out. No times are stored, because the next free index in turn is also the one that was
 * handed out longest ago. If its operation can still be submitted, so can those of all other free indices. The only
 * exception is an index that a failed swap gave back since the turn passed it.
 *
 * Not guaranteed: that the earlier operation with an index can no longer be submitted. Two operations share an index if
 * more builds than the word has free indices happen within the 90 seconds in which an operation can be submitted,
 * whether the builds are an attacker's or the wallet's own. When a word is nearly full, two concurrent builds are enough.
 * A build with `previousGeoOpToken` extends the use of its index without a new turn. The store accepts only one of the
 * operations that share an index (see operationNonces.ts), and the other is refused before funds move.
 */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type { SqlClient } from "effect/sql/SqlClient"
import { addressKey } from "../../domain/addressKey.js"
import { withSpanIfTraced } from "../../tracing/withSpanIfTraced.js"
import type { Dialect } from "../sql/dialect.js"
import * as Group from "../sql/groupCalls.js"
import * as Rows from "../sql/rows.js"
import { unavailable } from "../sql/storeUnavailable.js"
import type { Store } from "../Store.js"
import type { NonceSpace, NonceTaking, NonceWord } from "./NonceWord.js"
import * as OperationNonces from "./operationNonces.js"

const indices = Rows.table({ nextIndex: Rows.integer })

/** The last word whose indices the database can store. */
const largestWord = 2n ** 52n

/** The indices of a word, starting at one of them and continuing with the first after the last. */
const turnFrom = (index: bigint): ReadonlyArray<bigint> =>
  Array.from({ length: 256 }, (_, passed) => (index & ~0xffn) | ((index + BigInt(passed)) & 0xffn))

const isIn = (used: bigint, index: bigint): boolean => ((used >> (index & 0xffn)) & 1n) === 1n

/** The index that follows in the turn. */
const after = (index: bigint): bigint => (index & ~0xffn) | ((index + 1n) & 0xffn)

/** The index that precedes in the turn. */
const before = (index: bigint): bigint => (index & ~0xffn) | ((index - 1n) & 0xffn)

/** A word as text: one character for each index, 1 if the index has been used. */
const bitsOf = ({ used }: NonceWord): string => [...used.toString(2).padStart(256, "0")].toReversed().join("")

/** A request for a wallet's next index in a word. */
interface Taking {
  readonly chainId: number
  readonly wallet: string
  readonly space: NonceSpace
  readonly word: NonceWord
}

export const make = (
  sql: SqlClient,
  { engine, lockRows, transaction }: Pick<Dialect, "engine" | "lockRows" | "transaction">
): Pick<Store, "operationWord" | "takeOperationNonce" | "isOperationNonceUsed"> => {
  // On SQLite, a commit waits for the disk and blocks all others, so concurrent calls share one. PostgreSQL combines the
  // commits of concurrent transactions.
  const sharesCommits = engine === "sqlite"

  /** Takes the next index in turn with one statement, if it is in this word and free. This is the usual case. */
  const takeNext = Effect.fnUntraced(function* ({ chainId, space, wallet, word }: Taking) {
    if (word.word > largestWord) return undefined
    const [bits, key] = [bitsOf(word), addressKey(wallet)]
    const next = sql.literal("operation_indices.next_index")
    const following = sql`${next} / 256 * 256 + (${next} + 1) % 256`
    const isFree = sql`${next} / 256 = ${Number(word.word)}
      AND substr(${bits}, CAST(${next} % 256 + 1 AS INTEGER), 1) = '0'
      AND ${OperationNonces.isFree(sql, chainId, addressKey(wallet), next, space)}`
    const [row] = yield* indices.read(
      // A wallet without a row has never been given an index, so no swap has its index 0.
      word.word === 0n && bits.startsWith("0")
        ? sql`INSERT INTO operation_indices (chain_id, wallet, space, next_index) VALUES (${chainId}, ${key}, ${space}, 1)
            ON CONFLICT (chain_id, wallet, space) DO UPDATE SET next_index = ${following} WHERE ${isFree} RETURNING next_index`
        : sql`UPDATE operation_indices SET next_index = ${following}
            WHERE chain_id = ${chainId} AND wallet = ${key} AND space = ${space} AND ${isFree} RETURNING next_index`
    )
    return row === undefined ? undefined : before(row.nextIndex)
  })

  /** Takes the next free index in turn, or continues with the next word if the word has none. Needs a transaction. */
  const search = Effect.fnUntraced(function* ({ chainId, space, wallet, word: { used, word } }: Taking) {
    const key = addressKey(wallet)
    const isWallet = sql`chain_id = ${chainId} AND wallet = ${key} AND space = ${space}`
    yield* sql`INSERT INTO operation_indices (chain_id, wallet, space, next_index) VALUES (${chainId}, ${key}, ${space}, 0)
      ON CONFLICT (chain_id, wallet, space) DO NOTHING`
    const [row] = yield* indices.read(sql`SELECT next_index FROM operation_indices WHERE ${isWallet} ${lockRows}`)
    const next = row?.nextIndex ?? 0n
    if (next >> 8n !== word) return { _tag: "Elsewhere", word: next >> 8n } satisfies NonceTaking
    const unused = turnFrom(next).filter((index) => !isIn(used, index))
    const taken = yield* OperationNonces.takenAmong(sql, chainId, addressKey(wallet), unused, space)
    const index = unused.find((one) => !taken.has(one))
    yield* sql`UPDATE operation_indices SET next_index = ${(index === undefined ? (word + 1n) << 8n : after(index)).toString()}
      WHERE ${isWallet}`
    return (
      index === undefined ? { _tag: "Elsewhere", word: word + 1n } : { _tag: "Taken", index }
    ) satisfies NonceTaking
  })

  const takeOne = Effect.fnUntraced(function* (taking: Taking) {
    const index = yield* takeNext(taking)
    if (index !== undefined) return { _tag: "Taken", index } satisfies NonceTaking
    return yield* sharesCommits ? search(taking) : transaction(search(taking))
  })

  /** Takes indices in one transaction. A failed statement does not affect the others. */
  const takeAll = (takings: ReadonlyArray<Taking>) =>
    Effect.matchCause(transaction(Effect.forEach(takings, (taking) => Effect.exit(takeOne(taking)))), {
      onSuccess: (exits) => exits,
      onFailure: (cause) => takings.map(() => Exit.failCause(cause))
    })
  const take = sharesCommits ? Group.make(takeAll) : takeOne

  return {
    operationWord: withSpanIfTraced(
      "Store.operationWord",
      Effect.fnUntraced(function* (chainId: number, wallet: string, space: NonceSpace = "account") {
        const [row] = yield* indices.read(
          sql`SELECT next_index FROM operation_indices WHERE chain_id = ${chainId} AND wallet = ${addressKey(wallet)}
            AND space = ${space}`
        )
        return (row?.nextIndex ?? 0n) >> 8n
      }, unavailable("read the wallet's current word"))
    ),

    takeOperationNonce: withSpanIfTraced(
      "Store.takeOperationNonce",
      (chainId: number, wallet: string, word: NonceWord, space: NonceSpace = "account") =>
        unavailable("take the wallet's next index")(take({ chainId, wallet, word, space }))
    ),

    isOperationNonceUsed: Effect.fn("Store.isOperationNonceUsed")(
      (chainId, wallet, index, space = "account") =>
        Effect.map(
          OperationNonces.takenAmong(sql, chainId, addressKey(wallet), [index], space),
          (taken) => taken.size > 0
        ),
      unavailable("check the wallet's index")
    )
  }
}
