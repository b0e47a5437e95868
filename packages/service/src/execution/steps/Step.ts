/** A step of a swap: what it returns, and why it cannot be completed. */
import type * as Effect from "effect/Effect"
import type { ChainUnavailable } from "../../chains/ChainError.js"
import type { SwapRecord } from "../../domain/SwapRecord.js"
import type { Conflict, StoreUnavailable } from "../../store/StoreError.js"

/** The result of a step: the swap, and how long to wait before the next step. */
export interface StepResult {
  readonly swap: SwapRecord
  readonly waitMillis: number
  /** Waits for the chain instead of for `waitMillis`. */
  readonly wait?: Effect.Effect<void>
  /** Whether the swap is waiting for an external event and does not need to stay claimed. */
  readonly idle?: boolean
}

/** Why a step cannot be completed now. The stored swap stays unchanged. */
export type StepError = ChainUnavailable | Conflict | StoreUnavailable

export type Step = Effect.Effect<StepResult, StepError>
