/** What the calls need. */
import type { Seal } from "../accounts/Seal.js"
import type * as PaymentMethods from "../admission/paymentMethods.js"
import type { Execution } from "../admission/resources.js"
import type { Directory } from "../chains/Directory.js"
import type * as Config from "../config/Config.js"
import type { SwapSignals } from "../execution/SwapSignals.js"
import type * as Pricing from "../pricing/Pricing.js"
import type { Store } from "../store/Store.js"

/** The dependencies that all calls share. */
export interface Dependencies {
  readonly directory: Directory
  readonly quotes: Config.Config["quotes"]
  readonly delegations: Config.Delegations
  readonly pricing: Pricing.Pricing
  readonly sealer: Seal
  readonly store: Store
  readonly signals: SwapSignals
  readonly paymentMethods: PaymentMethods.PaymentMethods
  readonly relayersOf: Execution["relayersOf"]
}
