/** The statements of an acceptance, which differ between databases. */
import type * as Effect from "effect/Effect"
import type { SqlError } from "effect/sql/SqlError"
import type { NewSwapRow } from "../rows.js"
import type { Call, Facts } from "./decide.js"

/** A new swap's row, and the values that other tables store for it. */
export interface NewSwap extends NewSwapRow {
  readonly wallet_key: string
  readonly input_token_key: string
  readonly output_token_key: string
  /** The operation's nonce, in decimal. */
  readonly nonce: string | null
}

export interface AcceptanceStore {
  /** Locks a group of calls until the transaction ends, and then reads what their decisions depend on. */
  readonly read: (calls: ReadonlyArray<Call>) => Effect.Effect<ReadonlyArray<Facts>, SqlError>
  /** Writes new swaps with their reservations and first events. */
  readonly write: (swaps: ReadonlyArray<NewSwap>) => Effect.Effect<void, SqlError>
}
