/** Describes what the user will sign. */
import { minimumOf, type Quote } from "@geoswap/core/promise"
import type { Family } from "../config.js"
import { formatExactAmount } from "../format/amounts.js"

interface Coin {
  readonly symbol: string
  readonly decimals: number
}

/** The terms of the swap. */
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
  /** The contract to delegate to, if the swap needs a delegation. */
  readonly delegate?: { readonly address: string | undefined; readonly pinned: boolean } | undefined
}

/** A description of one signature. */
export interface Signature {
  readonly title: string
  readonly text: string
}

const delegationOf = ({ delegate, origin, wallet }: Terms): ReadonlyArray<Signature> => {
  if (delegate === undefined) return []
  const { address = "(not named by the service)", pinned } = delegate
  return [
    {
      title: "A delegation",
      text: `You sign this once. It lets the contract ${address} (${pinned ? "pinned by this page" : "NOT pinned: it will be refused"}) act for ${wallet} on ${origin}, but only with your signatures. This is how a wallet without gas can pay.`
    }
  ]
}

/** Describes every signature that the swap needs, in order. */
export const describeSignatures = (terms: Terms): ReadonlyArray<Signature> => {
  const { amount, destination, family, input, origin, output, quote, recipient } = terms
  const what = `pays exactly ${formatExactAmount(amount, input)} on ${origin} for at least ${formatExactAmount(minimumOf(quote), output)} on ${destination} to ${recipient}`
  return [
    ...(family === "evm" ? delegationOf(terms) : []),
    family === "evm"
      ? { title: "An operation", text: `It ${what}. It allows nothing else.` }
      : {
          title: "A transaction",
          text: `It ${what}. The service pays the network fee. The transaction contains nothing else.`
        }
  ]
}
