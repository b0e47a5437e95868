/** The price per compute unit that our transactions offer. */
import type { Address } from "@solana/kit"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { remember } from "../../../concurrency/boundedMap.js"
import * as SingleFlight from "../../../concurrency/singleFlight.js"
import type { SolanaChain } from "../../../config/Config.js"
import type { Nodes } from "../nodes/rpcNodes.js"
import { PrioritizationFees } from "../nodes/rpcSchemas.js"

/** How long a price is used for the same accounts, and for how many sets of accounts. */
const lifetimeMillis = 5_000
const maxSets = 1_000

const clamp = (price: bigint, { cap, floor }: SolanaChain["computeUnitPrice"]) =>
  price > cap ? cap : price < floor ? floor : price

/**
 * Returns three quarters of the 75th percentile of recent slots' prices. The price of a slot is the lowest one with which
 * a transaction wrote one of the accounts. Most transactions that write the service's accounts are its own. If they
 * offered what they last paid, the price could never fall again.
 */
export const marketPrice = (slots: ReadonlyArray<bigint>) => {
  const ascending = slots.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0))
  return ((ascending[Math.floor((ascending.length * 3) / 4)] ?? 0n) * 3n) / 4n
}

/**
 * Raises a price for a job whose earlier transactions did not land: it doubles with each of them. No transaction may offer
 * more than the cap.
 */
export const raised = (price: bigint, { cap }: SolanaChain["computeUnitPrice"], tries: number) =>
  clamp(price << BigInt(Math.min(tries, 64)), { cap, floor: 0n })

/**
 * Creates the function that returns the current price for transactions that write these accounts. A price is read from
 * one node, because the cap limits what a wrong price costs. If no node returns one, the price is the floor.
 */
export const make = ({ computeUnitPrice }: SolanaChain, nodes: Nodes) => {
  const known = new Map<string, { readonly price: bigint; readonly readAt: number }>()
  const share = SingleFlight.make<bigint, never>()

  const read = (accounts: ReadonlyArray<string>) =>
    nodes
      .use((node) =>
        node.ask("getRecentPrioritizationFees", PrioritizationFees, (rpc) =>
          rpc.getRecentPrioritizationFees(accounts.map((each) => each as Address))
        )
      )
      .pipe(
        Effect.map((slots) => marketPrice(slots.map(({ prioritizationFee }) => prioritizationFee))),
        Effect.catch(({ message }) =>
          Effect.as(Effect.logDebug(`transactions offer the lowest price, because no price is known: ${message}`), 0n)
        )
      )

  return Effect.fnUntraced(function* (accounts: ReadonlyArray<string>) {
    const writable = [...new Set(accounts)].toSorted()
    const key = writable.join(" ")
    const now = yield* Clock.currentTimeMillis
    const found = known.get(key)
    if (found !== undefined && now - found.readAt < lifetimeMillis) return found.price
    return yield* share(
      key,
      Effect.map(read(writable), (market) => {
        const price = clamp(market, computeUnitPrice)
        remember(known, key, { price, readAt: now }, maxSets)
        return price
      })
    )
  })
}
