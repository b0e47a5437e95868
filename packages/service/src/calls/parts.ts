/** What the calls work with. */
import type * as Changes from "../execution/SwapSignals.js"
import type * as Config from "../config/Config.js"
import type * as Pricing from "../pricing/Pricing.js"
import type * as Seal from "../accounts/Seal.js"
import type * as Store from "../store/Store.js"
import type { Directory } from "../chains/Directory.js"

export interface Parts {
  readonly directory: Directory
  readonly quotes: Config.Config["quotes"]
  readonly pricing: Pricing.Pricing
  readonly sealer: Seal.Shape
  readonly store: Store.Shape
  readonly changes: Changes.Shape
}
