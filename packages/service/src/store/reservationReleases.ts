/**
 * The blocks at which reserved funds left. A balance is valid for accepting a swap only if its block is not older than
 * the newest block that released a reservation of it.
 *
 * A submit reads the wallet's balance and the vault's inventory from a node, and then sums the reservations in a
 * transaction. Without the blocks, a transfer that becomes final in between would be missed twice: the balance is of an
 * older block and still includes the funds, and the reservation is gone. Reading again alone does not help: the node
 * may lag behind the one that showed the transfer to the executor, which may be in another replica.
 *
 * Two changes of a swap release funds that left a balance. They store the block of the transfer in the same transaction:
 *
 * - `origin_final`: the input is no longer in flight. It left the wallet at the block of the collect.
 * - `settled`: the output is no longer reserved. It left the vault at the block of the delivery.
 *
 * All other changes that release a reservation move no funds: a swap `failed` before funds left, and a refund means that
 * no delivery happened or can happen. Balances at any block include those funds, and nothing is stored.
 *
 * Balances are read at the newest block, and releases happen at finality depth. So the block of a release cannot be
 * undone, and a block or slot that is not older includes it on any fork.
 *
 * An input that is in a block but not final is already missing from the balance. Its swap has that block in
 * `origin_block`, and is not counted against a balance at that block or newer. Such a block can be undone. Then the
 * executor removes it, or replaces it with the next block that includes the collect. Until then, or if a node is wrong or
 * on another fork, a balance may include an input that is not counted, and more swaps are accepted than the wallet can
 * pay. That moves no funds: a collect beyond the balance reverts, and its swap is `failed`, because an output is only
 * delivered for a final input. If the block is unknown (NULL), the input is counted until it is final.
 *
 * An output that is in a block but not final is missing from the inventory and still reserved. During that time, fewer
 * swaps are accepted than possible.
 */
import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { addressKey } from "../chains/addressKey.js"
import * as Rows from "./rows.js"
import type { Accepted, State } from "./SwapRecord.js"

/** A balance: a token of a holder on a chain. */
interface Account {
  readonly chainId: number
  readonly token: string
  readonly holder: string
}

const releasedRows = Rows.all(Rows.Released)

/** The balance of the wallet that pays. */
const walletOf = ({ inputToken, originChain, wallet }: Accepted): Account => ({
  chainId: originChain,
  token: addressKey(inputToken),
  holder: addressKey(wallet)
})

/** The inventory of the first vault. Deliveries of other vaults are recorded here too, which is only more careful. */
const vaultOf = ({ destinationChain, outputToken }: Accepted): Account => ({
  chainId: destinationChain,
  token: addressKey(outputToken),
  holder: ""
})

/** The balance that funds left with a change to this state. */
const leftBy = (swap: Accepted, to: State): Account | undefined =>
  to === "origin_final" ? walletOf(swap) : to === "settled" ? vaultOf(swap) : undefined

/** Stores the block of a release, unless a newer one is stored. Runs last, because swaps of one token contend here. */
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
 * Returns the newest blocks that released funds that a swap would take. Read after the sums: a release that commits in
 * between is then in both. The other way round, it could be in neither.
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
