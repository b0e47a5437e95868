/** The storage port for the ledger of spent gas. */
import type * as Effect from "effect/Effect"
import type { SpentGas } from "../../domain/SpentGas.js"
import type { StoreUnavailable } from "../StoreError.js"

export interface SpentGasLedger {
  /** Records transactions of swaps. Returns the entries that had not been recorded before. The others stay unchanged. */
  readonly record: (entries: ReadonlyArray<SpentGas>) => Effect.Effect<ReadonlyArray<SpentGas>, StoreUnavailable>
  /** Returns the entries of these swaps. The entries of a swap are in the order in which they were recorded. */
  readonly of: (swapIds: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<SpentGas>, StoreUnavailable>
}
