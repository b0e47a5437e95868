/** What will be signed, in words. */
import type { Quote } from "@geoswap/core/promise"
import type { Family } from "../config.js"
import { formatExactAmount } from "../format/amounts.js"
import { minimumOf } from "./requoteRule.js"

interface Coin {
  readonly symbol: string
  readonly decimals: number
}

/** What is agreed to. */
export interface Terms {
  readonly family: Family
  readonly wallet: string
  readonly origin: string
  readonly destination: string
  readonly input: Coin
  readonly output: Coin
  readonly amount: bigint
  readonly recipient: string
  readonly quote: Pick<Quote, "output" | "minOutput">
  /** The contract to delegate to; absent where nothing has to be delegated. */
  readonly delegate?: { readonly address: string | undefined; readonly pinned: boolean } | undefined
}

/** One signature. */
export interface Signature {
  readonly title: string
  readonly text: string
}

const delegationOf = ({ delegate, origin, wallet }: Terms): ReadonlyArray<Signature> => {
  if (delegate === undefined) return []
  const { address = "that the service does not name", pinned } = delegate
  return [
    {
      title: "A delegation",
      text: `Once, ${wallet} lets the contract ${address} (${pinned ? "pinned by this page" : "NOT pinned: it will be refused"}) act for it on ${origin}, on your signatures alone. That is how a wallet without gas can pay.`
    }
  ]
}

/** Every signature that the swap needs, in its order. */
export const describeSignatures = (terms: Terms): ReadonlyArray<Signature> => {
  const { amount, destination, family, input, origin, output, quote, recipient } = terms
  const what = `pays exactly ${formatExactAmount(amount, input)} on ${origin} for at least ${formatExactAmount(minimumOf(quote), output)} on ${destination} to ${recipient}`
  return [
    ...(family === "evm" ? delegationOf(terms) : []),
    family === "evm"
      ? { title: "An operation", text: `It ${what}. Nothing else can be done with it.` }
      : { title: "A transaction", text: `It ${what}. The service pays its network fee; nothing else is in it.` }
  ]
}
