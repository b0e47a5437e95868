/**
 * Order ids. A vault marks each paid order with the bit of its id, and 256 ids that differ only in their last byte share
 * a storage slot, which makes deliveries cheaper. The ids of a destination therefore count up in the last byte of a random
 * prefix. The prefix changes after 256 ids and with each start. An order id is not a secret.
 */
import * as Hex from "effect/encoding/Hex"
import * as RandomPool from "../crypto/randomPool.js"

/** How many ids share a prefix. */
const idsPerPrefix = 256

/** Creates a function that returns a new order id for a destination chain. */
export const make = (): ((destinationChain: number) => `0x${string}`) => {
  const random = RandomPool.make()
  const prefixes = new Map<number, { readonly prefix: string; used: number }>()
  return (destinationChain) => {
    const known = prefixes.get(destinationChain)
    const current =
      known === undefined || known.used === idsPerPrefix ? { prefix: Hex.encode(random(31)), used: 0 } : known
    prefixes.set(destinationChain, current)
    return `0x${current.prefix}${(current.used++).toString(16).padStart(2, "0")}`
  }
}
