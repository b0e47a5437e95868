/** A stored change of a wallet's delegation, which is not part of a swap. */
import type { Delegation } from "@geoswap/core"
import * as Schema from "effect/Schema"

/**
 * The states, in order. `accepted`: no transaction can include the authorization yet. `sent`: a transaction is stored,
 * and uses one of the relayer's nonces. The other states are terminal.
 */
export const State = Schema.Literals(["accepted", "sent", "applied", "failed"])

export type State = typeof State.Type

/** Whether a change in the given state can no longer change. */
export const isTerminal = (state: State): state is "applied" | "failed" => state === "applied" || state === "failed"

/** The fields that are fixed when a change is accepted. */
export interface AcceptedChange {
  /** The id that callers use. */
  readonly id: string
  readonly accountId: string
  readonly wallet: string
  /** The signed authorization, which contains the chain, the target and the account's nonce. */
  readonly authorization: Delegation.Authorization
  /** The gas limit of the change's transaction, which is charged to the account's budget. */
  readonly gas: number
  /** When the change was accepted, in Unix milliseconds. */
  readonly createdAt: number
}

/** A row in the `delegation_changes` table. */
export interface DelegationChange extends AcceptedChange {
  readonly state: State
  /** Increases with every change. A change succeeds only if the stored version is still the one that was read. */
  readonly version: number
  readonly updatedAt: number
  /** The transaction that applied the authorization. */
  readonly txHash?: string
  readonly failureCode?: string
}
