/**
 * Records the blocks at which reserved funds left a balance. A balance can be used to accept a swap only if it was read
 * at or after the latest block at which a reservation against it was released.
 *
 * A submit call reads the wallet's balance and the vault's inventory from a node, and then sums the reservations in a
 * transaction. Without these blocks, a transfer that becomes final between the two steps would be missed twice: the
 * balance is from an older block and still includes the funds, and the reservation is gone. Simply reading the balance
 * again does not help. The node may lag behind the node that showed the transfer to the executor, and the executor may
 * be in another replica.
 *
 * Two changes to a swap release a reservation of funds that have left a balance. Each stores the transfer's block in
 * the same database transaction:
 *
 * - `origin_final`: the input is no longer in flight. It left the wallet in the collection transaction's block.
 * - `settled`: the output is no longer reserved. It left the vault in the delivery's block.
 *
 * All other changes that release a reservation do so without moving the reserved funds: a `failed` swap ended before
 * any funds left, and a refund means that no delivery has happened or can happen. Balances at any block include those
 * funds, so no block is stored.
 *
 * Balances are read at the latest block, and releases happen at finality depth. A release's block therefore cannot be
 * reorged out, and the chain up to any block or slot that is not older includes the release's block on any fork.
 *
 * An input that is in a block but not final is already missing from the balance. The input's swap has that block in
 * `origin_block`, and is not counted against a balance at that block or a newer one. If the block is reorged out, the
 * executor clears `origin_block` or sets it to the next block that includes the collection transaction. Until the
 * executor has done so, or if a node is wrong or on another fork, a balance may include an input that is not counted,
 * and more swaps may be accepted than the wallet can pay for. This puts no funds at risk: a collection transaction that
 * exceeds the balance reverts, and its swap becomes `failed`, because an output is delivered only for a final input. If
 * `origin_block` is unknown (NULL), the input is counted until it is final.
 *
 * An output that is in a block but not final is missing from the inventory and is still reserved. Until the output is
 * final, fewer swaps are accepted than would be possible.
 */
import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { addressKey } from "../chains/addressKey.js"
import * as Rows from "./rows.js"
import type { Accepted, State } from "./SwapRecord.js"

/** A balance: a holder's amount of a token on a chain. */
interface Account {
  readonly chainId: number
  readonly token: string
  readonly holder: string
}

/** The block at which funds left a balance. */
export interface Release {
  readonly account: Account
  readonly block: string
}

const releasedRows = Rows.all(Rows.Released)

/** The balance from which the wallet pays the input. */
const walletOf = ({ inputToken, originChain, wallet }: Accepted): Account => ({
  chainId: originChain,
  token: addressKey(inputToken),
  holder: addressKey(wallet)
})

/**
 * The first vault's inventory. Deliveries from other vaults are also recorded against this inventory, which errs on the
 * side of caution.
 */
const vaultOf = ({ destinationChain, outputToken }: Accepted): Account => ({
  chainId: destinationChain,
  token: addressKey(outputToken),
  holder: ""
})

/** The balance that the funds have left once a swap changes to the given state. */
const leftBy = (swap: Accepted, to: State): Account | undefined =>
  to === "origin_final" ? walletOf(swap) : to === "settled" ? vaultOf(swap) : undefined

/** The release that a change of state causes, if the block of the transfer is known. */
export const releaseOf = (swap: Accepted, to: State, block: bigint | undefined): Release | undefined => {
  const account = leftBy(swap, to)
  return account === undefined || block === undefined ? undefined : { account, block: block.toString() }
}

/**
 * Stores the block at which a reservation was released, unless a newer block is already stored. Runs last in its
 * transaction, because swaps with the same token contend for this row.
 */
export const record = (sql: SqlClient, { account, block }: Release): Effect.Effect<void, SqlError> =>
  Effect.asVoid(
    sql`INSERT INTO releases (chain_id, token, holder, block)
      VALUES (${account.chainId}, ${account.token}, ${account.holder}, ${block})
      ON CONFLICT (chain_id, token, holder) DO UPDATE SET block = excluded.block
      WHERE releases.block < excluded.block`
  )

/**
 * Returns the latest blocks at which funds were released from the balances that a swap would use. Read these blocks
 * after the sums of the reservations. Funds that are released between the two reads then appear in both results. In the
 * reverse order, they could appear in neither.
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
