/**
 * When money left that was reserved: a balance is valid for an acceptance only if its block is not older than the newest
 * block that released a reservation of it.
 *
 * A submit reads the wallet's balance and the vault's inventory from a node, and only then sums the reservations in a
 * transaction. Without the blocks, a transfer that becomes final in between is counted by neither: the balance is that of
 * an older block and still includes the money, and the reservation is gone. To read again is no help by itself, as the
 * node may lag behind the one that showed the transfer to the executor, which may be another replica's.
 *
 * Two changes of a swap release something that left the chain's balance, and store the block of the transaction that
 * moved it, in the transaction that makes the change:
 *
 * - `origin_final`: the input is no longer in flight, and left the wallet at the block of the collect.
 * - `settled`: the output is no longer reserved, and left the vault at the block of the delivery.
 *
 * All others that release something move nothing of it: a swap `failed` before its input or output left, and a refund
 * means that no delivery happened or can happen. Balances of any block show that money, and nothing is stored.
 *
 * Balances are read at the newest block, releases happen at finality depth. So the block of a release cannot be undone,
 * and a number or slot that is not older includes it on whatever fork the reader is.
 *
 * An input that is in a block and not final yet is missing in the balance already. Its swap has that block in
 * `origin_block`, and is not counted against a balance of that block or a newer one. Such a block can be undone: then the
 * executor removes it, or replaces it with the next one that includes the collect. Until then, or if a node is on another
 * fork or wrong, a balance may include an input that is not counted, and a wallet gets more accepted than it has. That
 * moves nothing: a collect beyond the balance reverts, and its swap is `failed`, since an output is only delivered for an
 * input that is final. Where the block is unknown (NULL), the input is counted until it is final.
 *
 * An output that is in a block and not final is missing in the inventory and still reserved: for that long, less is
 * accepted than could be.
 */
import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { Accepted, State } from "./SwapRecord.js"
import { addressKey } from "../chains/addressKey.js"
import * as Rows from "./rows.js"

/** Whose balance of which token. */
interface Account {
  readonly chainId: number
  readonly token: string
  readonly holder: string
}

const releasedRows = Rows.all(Rows.Released)

/** The wallet that pays. */
const walletOf = ({ inputToken, originChain, wallet }: Accepted): Account => ({
  chainId: originChain,
  token: addressKey(inputToken),
  holder: addressKey(wallet)
})

/** The first vault of the chain: what another one delivers is released here as well, which is only more careful. */
const vaultOf = ({ destinationChain, outputToken }: Accepted): Account => ({
  chainId: destinationChain,
  token: addressKey(outputToken),
  holder: ""
})

/** Whose money it was that a change to that state shows to have left. */
const leftBy = (swap: Accepted, to: State): Account | undefined =>
  to === "origin_final" ? walletOf(swap) : to === "settled" ? vaultOf(swap) : undefined

/** Stores the block of a release, unless a newer one is stored. Last in its transaction: swaps of one token meet here. */
export const record = (
  sql: SqlClient,
  swap: Accepted,
  to: State,
  block: bigint | undefined
): Effect.Effect<void, SqlError> => {
  const left = leftBy(swap, to)
  return left === undefined || block === undefined
    ? Effect.void
    : Effect.asVoid(
        sql`INSERT INTO releases (chain_id, token, holder, block)
          VALUES (${left.chainId}, ${left.token}, ${left.holder}, ${block.toString()})
          ON CONFLICT (chain_id, token, holder) DO UPDATE SET block = excluded.block
          WHERE releases.block < excluded.block`
      )
}

/**
 * The newest blocks that released something of what a swap would take. To be read after the sums: a release that commits
 * in between is then in the sum and in the block, while the other way round it could be in neither.
 */
export const newest = Effect.fnUntraced(function* (
  sql: SqlClient,
  swap: Accepted
): Effect.fn.Return<{ readonly balanceSince: bigint; readonly inventorySince: bigint }, SqlError> {
  const blockOf = ({ chainId, holder, token }: Account) =>
    sql`(SELECT block FROM releases WHERE chain_id = ${chainId} AND token = ${token} AND holder = ${holder})`
  const [row] = yield* releasedRows(
    sql`SELECT ${blockOf(walletOf(swap))} AS balance, ${blockOf(vaultOf(swap))} AS inventory`
  )
  return { balanceSince: BigInt(row?.balance ?? 0), inventorySince: BigInt(row?.inventory ?? 0) }
})
