/** The statements of an acceptance, which differ between databases. */
import type * as Effect from "effect/Effect"
import type { SqlError } from "effect/sql/SqlError"
import type { Claim, Kind } from "../../domain/Claim.js"
import type { NewSwapRow, SwapRow } from "../swaps/swapRows.js"
import type { Call } from "./decide.js"

/** A new swap's row, and the values that other tables store for it. */
export interface NewSwap extends NewSwapRow {
  readonly wallet_key: string
  readonly input_token_key: string
  /** The operation's nonce, in decimal. */
  readonly nonce: string | null
}

/** What the database knows of an order. */
export interface OrderFacts {
  /** The row of the order's swap. */
  readonly existing: SwapRow | undefined
  /** Whether the operation's nonce belongs to a swap that has not failed. */
  readonly nonceUsed: boolean
}

/** What is claimed of a resource. */
export interface Usage {
  /** The claims that count against a limit at the block at which it was read. */
  readonly used: bigint
  /** The oldest block at which the limit may have been read. */
  readonly since: bigint
}

/** The usage of resources, by `usageKey`. */
export type Usages = ReadonlyMap<string, Usage>

/** What a group's decisions depend on. All of it was read while the group's locks were held. */
export interface Facts {
  /** For each call. */
  readonly orders: ReadonlyArray<OrderFacts>
  readonly usages: Usages
}

export interface AcceptanceStore {
  /** Locks a group of calls until the transaction ends, and then reads what their decisions depend on. */
  readonly read: (calls: ReadonlyArray<Call>) => Effect.Effect<Facts, SqlError>
  /** Locks resources until the transaction ends, and then reads what is claimed of them. */
  readonly usages: (claims: ReadonlyArray<Claim>) => Effect.Effect<Usages, SqlError>
  /** Writes new swaps with their claims and first events. */
  readonly write: (swaps: ReadonlyArray<NewSwap>, claims: ReadonlyArray<NewClaim>) => Effect.Effect<void, SqlError>
  /** Writes claims of a swap that exists. */
  readonly claim: (claims: ReadonlyArray<NewClaim>) => Effect.Effect<void, SqlError>
}

/** The row of a claim. */
export interface NewClaim {
  readonly swap_id: string
  readonly phase: string
  readonly kind: Kind
  readonly name: string
  readonly amount: string
}

/** The rows of a swap's claims. */
export const claimRows = (swapId: string, claims: ReadonlyArray<Claim>): ReadonlyArray<NewClaim> =>
  claims.flatMap(({ amount, kind, name, phase }) =>
    // The outputs and the owed refunds are what is claimed of a vault.
    kind === "vault" ? [] : [{ swap_id: swapId, phase, kind, name, amount: amount.toString() }]
  )
