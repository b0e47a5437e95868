/** What every step of a swap works with. */
import type { Directory } from "../chains/Directory.js"
import type * as SwapSignals from "../concurrency/SwapSignals.js"
import type * as Config from "../config/Config.js"
import type { SpentGas } from "../domain/SpentGas.js"
import type * as Pricing from "../pricing/Pricing.js"
import type * as Store from "../store/Store.js"
import type { BatchQueue } from "./transactions/batchQueue.js"
import type { RelayerLanes } from "./transactions/chooseRelayer.js"

/** A process that executes swaps. */
export interface Worker extends Directory {
  /** The name under which this process claims swaps. */
  readonly owner: string
  readonly store: Store.Store
  readonly signals: SwapSignals.SwapSignals
  readonly pricing: Pricing.Pricing
  /** How long each step is retried, and the maximum age of a quote. */
  readonly limits: Config.Execution
  readonly quotes: Config.Config["quotes"]
  /**
   * When this process must stop using each swap, in Unix milliseconds. After that time, another process may have
   * claimed the swap.
   */
  readonly heldUntil: Map<string, number>
  /**
   * When each transaction was last broadcast, by its hash. The map is empty at startup, so all pending transactions are
   * broadcast again.
   */
  readonly sentAt: Map<string, number>
  /** When all nodes refused a transaction, by its hash. */
  readonly refused: Map<string, number>
  /** Which transactions without a swap's input have been handled, by swap, hash and block. */
  readonly judged: Map<string, number>
  readonly lanes: RelayerLanes
  readonly queue: BatchQueue
  /** The costs of transactions that could not be recorded, by swap and kind. They are recorded later. */
  readonly unrecorded: Map<string, ReadonlyArray<SpentGas>>
}
