/**
 * Order ids. A vault marks each paid order with the bit of its id, and 256 ids that differ only in their last byte share
 * a storage slot, which makes deliveries cheaper. The ids of a destination therefore count up in the last byte of a random
 * prefix. The prefix changes after 256 ids and with each start. An order id is not a secret.
 */
import * as Hex from "effect/encoding/Hex"
import * as RandomPool from "../crypto/randomPool.js"

/** How many ids share a prefix. */
const idsPerPrefix = 256

export interface OrderIds {
  /** Returns a new order id for a destination chain. */
  readonly next: (destinationChain: number) => `0x${string}`
  /**
   * Returns the id with the prefix of the next one that is used last. It shares a storage slot with the next one, so a
   * delivery for it uses as much gas.
   */
  readonly sample: (destinationChain: number) => `0x${string}`
}

/** Creates the order ids of a process. */
export const make = (): OrderIds => {
  const random = RandomPool.make()
  const prefixes = new Map<number, { readonly prefix: string; used: number }>()
  const current = (destinationChain: number) => {
    const known = prefixes.get(destinationChain)
    const found =
      known === undefined || known.used === idsPerPrefix ? { prefix: Hex.encode(random(31)), used: 0 } : known
    prefixes.set(destinationChain, found)
    return found
  }
  const idOf = (prefix: string, index: number) => `0x${prefix}${index.toString(16).padStart(2, "0")}` as const
  return {
    next: (destinationChain) => {
      const found = current(destinationChain)
      return idOf(found.prefix, found.used++)
    },
    sample: (destinationChain) => idOf(current(destinationChain).prefix, idsPerPrefix - 1)
  }
}
