/** What the calls need. */
import type { Seal } from "../accounts/Seal.js"
import type { Admission } from "../admission/admitSwap.js"
import type * as Config from "../config/Config.js"

export interface Dependencies extends Admission {
  readonly delegations: Config.Delegations
  readonly sealer: Seal
}
