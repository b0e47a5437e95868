/** Finality: how deep a block must be. */
import type * as Config from "../../config/Config.js"

/** The largest difference between the clocks of the chain and the service. */
export const skewMillis = 60_000

/** Returns the height of the newest final block. */
export const finalOf = ({ confirmations }: Config.EvmChain, latest: bigint): bigint => {
  const height = latest - BigInt(confirmations) + 1n
  return height > 0n ? height : 0n
}
