/** How deep a block has to be before it counts. */
import type * as Config from "../../config/Config.js"

/** By how much the clocks of chain and service may differ. */
export const skewMillis = 60_000

/** The height of the newest final block under a newest one. */
export const finalOf = ({ confirmations }: Config.EvmChain, latest: bigint): bigint => {
  const height = latest - BigInt(confirmations) + 1n
  return height > 0n ? height : 0n
}
