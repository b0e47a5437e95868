/** What the calls work with. */
import type * as Changes from "../../Changes.js"
import type * as Config from "../../Config.js"
import type * as Pricing from "../../Pricing.js"
import type * as Seal from "../../Seal.js"
import type * as Store from "../../Store.js"
import type { Directory } from "./directory.js"

export interface Parts {
  readonly directory: Directory
  readonly quotes: Config.Config["quotes"]
  readonly pricing: Pricing.Pricing
  readonly sealer: Seal.Shape
  readonly store: Store.Shape
  readonly changes: Changes.Shape
}
