/**
 * Records the blocks at which money left a resource whose claim was released. A limit can be used to accept a swap only if
 * it was read at or after the latest of these blocks.
 *
 * A submit call reads limits from a node, and then adds up the claims in a transaction. Without these blocks, a transfer
 * that becomes final between the two steps would be missed twice: the limit is from an older block and still includes the
 * money, and the claim is gone. Simply reading the limit again does not help. The node may lag behind the node that showed
 * the transfer to the executor, and the executor may be in another replica.
 *
 * Three changes to a swap release claims on money that has left: `origin_final` (the input left the wallet), `settled` (the
 * output left a vault) and `refunded` (the input left a vault), and in each the relayer has paid for the transaction. Each
 * stores the transfer's block in the same database transaction. All other changes release claims without moving the
 * money, so limits at any block include it, and no block is stored.
 *
 * Limits are read at the latest block, and releases happen at finality. A release's block therefore cannot be reorged out,
 * and the chain up to any block or slot that is not older includes the release's block on any fork.
 *
 * An input that is in a block but not final is already missing from the wallet's balance, and has already arrived in the
 * vault. The claims of its swap have that block: those of the collection count only against older limits, and the owed
 * refund only against the vault's balance at that block or later. If the block is reorged out, the executor removes the
 * block or sets it to the next one that includes the collection. Until then, or if a node is wrong or on another fork, more
 * swaps may be accepted than the wallet can pay for. This puts no money at risk: a collection that exceeds the balance
 * reverts, and an output is delivered only for a final input.
 *
 * As long as it is unknown whether an input is in a block, a vault's balance may include it, so the owed refund counts in
 * any case. Otherwise, another swap could be accepted with this input as its output, and the refund would have to wait.
 *
 * An output or a refund that is in a block but not final is missing from the vault's balance and is still claimed. Until it
 * is final, fewer swaps are accepted than would be possible.
 */
import { balances, type Kind, movedBy, type Phase } from "../../domain/Claim.js"
import type { State } from "../../domain/SwapRecord.js"

/** Money that has moved: the phase whose claims it covers, and the block of its transaction. */
export interface Release {
  readonly phase: Phase
  readonly block: string
}

/** The release that a change of state causes, if the block of the transfer is known. */
export const releaseOf = (to: State, block: bigint | undefined): Release | undefined => {
  const phase = movedBy[to]
  return phase === undefined || block === undefined ? undefined : { phase, block: block.toString() }
}

const quoted = (kinds: ReadonlyArray<Kind>): string => kinds.map((kind) => `'${kind}'`).join(", ")

/** An SQL condition for claims on balances. */
export const isBalance = `kind IN (${quoted(balances)})`

/** An SQL condition for claims on money that a vault holds. */
export const isInVault = `kind IN (${quoted(["output", "refund"])})`
