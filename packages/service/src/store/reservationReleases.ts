/**
 * The blocks at which reserved funds left a balance. A balance can be used to accept a swap only if it was read at a
 * block that is not older than the latest block at which a reservation against it was released.
 *
 * A submit reads the wallet's balance and the vault's inventory from a node, and then sums the reservations in a
 * transaction. Without these blocks, a transfer that becomes final between the two steps would be missed twice: the
 * balance is from an older block and still includes the funds, and the reservation is gone. Just reading again does not
 * help, because the node may lag behind the one that showed the transfer to the executor, which may be in another
 * replica.
 *
 * Two changes to a swap release funds that left a balance. They store the transfer's block in the same transaction:
 *
 * - `origin_final`: the input is no longer in flight. It left the wallet in the collect transaction's block.
 * - `settled`: the output is no longer reserved. It left the vault in the delivery's block.
 *
 * All other changes that release a reservation move no funds: a `failed` swap ended before funds left, and a refund
 * means that no delivery has happened or can happen. Balances at any block include those funds, so nothing is stored.
 *
 * Balances are read at the latest block, and releases happen at finality depth. A release's block therefore cannot be
 * reorged out, and any block or slot that is not older includes it on any fork.
 *
 * An input that is in a block but not final is already missing from the balance. Its swap has that block in
 * `origin_block`, and is not counted against a balance at that block or a newer one. If such a block is reorged out,
 * the executor removes it, or replaces it with the next block that includes the collect transaction. Until then, or if
 * a node is wrong or on another fork, a balance may include an input that is not counted, and more swaps may be
 * accepted than the wallet can pay for. This puts no funds at risk: a collect transaction that exceeds the balance
 * reverts, and its swap becomes `failed`, because an output is delivered only for a final input. If the block is
 * unknown (NULL), the input is counted until it is final.
 *
 * An output that is in a block but not final is missing from the inventory and is still reserved. During that time,
 * fewer swaps are accepted than would be possible.
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

const releasedRows = Rows.all(Rows.Released)

/** The paying wallet's balance. */
const walletOf = ({ inputToken, originChain, wallet }: Accepted): Account => ({
  chainId: originChain,
  token: addressKey(inputToken),
  holder: addressKey(wallet)
})

/**
 * The first vault's inventory. Deliveries from other vaults are recorded here too, which only errs on the side of
 * caution.
 */
const vaultOf = ({ destinationChain, outputToken }: Accepted): Account => ({
  chainId: destinationChain,
  token: addressKey(outputToken),
  holder: ""
})

/** The balance that funds leave when a swap changes to this state. */
const leftBy = (swap: Accepted, to: State): Account | undefined =>
  to === "origin_final" ? walletOf(swap) : to === "settled" ? vaultOf(swap) : undefined

/**
 * Stores a release's block, unless a newer one is stored. Runs last, because swaps with the same token contend here.
 */
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
 * Returns the latest blocks at which funds were released from the balances that a swap would use. Read them after the
 * sums, so that funds released between the two reads appear in both. In the reverse order, they could appear in
 * neither.
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
