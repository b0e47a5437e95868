/** What all parts of an EVM chain share. */
import type { Address } from "viem"
import type * as Config from "../../config/Config.js"
import type { Relayers } from "../Draft.js"
import type { EvmKey } from "../Keys.js"
import type { Vaults } from "./accounts/vaults.js"
import type { CollectGas } from "./fees/collectGas.js"
import type { FeeModel } from "./fees/feeModels.js"
import type { Market } from "./fees/gasFees.js"
import type { Samples } from "./fees/sampleTransactions.js"
import type { NodeQuorum } from "./nodes/nodeQuorum.js"
import type { AttemptSigners } from "./transactions/attemptSigner.js"

export interface EvmContext {
  readonly config: Config.EvmChain
  readonly quorum: NodeQuorum
  /** The addresses of `keys`. */
  readonly relayers: Relayers
  /** The relayers' keys, by their addresses in lowercase. */
  readonly keys: ReadonlyMap<Address, EvmKey>
  readonly market: Market
  readonly feeModel: FeeModel
  readonly samples: Samples
  readonly collectGas: CollectGas
  readonly signers: AttemptSigners
  readonly vaults: Vaults
}
