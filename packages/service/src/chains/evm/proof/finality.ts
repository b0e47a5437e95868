/** Finality: how deep a block must be to be final. */
import type * as Config from "../../../config/Config.js"

/** The largest assumed difference between the chain's clock and the service's clock. */
export const skewMillis = 60_000

/** Returns the height of the latest finalized block. */
export const finalOf = ({ confirmations }: Config.EvmChain, latest: bigint): bigint => {
  const height = latest - BigInt(confirmations) + 1n
  return height > 0n ? height : 0n
}
