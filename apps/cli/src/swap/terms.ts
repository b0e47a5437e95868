/** The terms that the user accepts by signing. */
import { Quote, type SwapEvent } from "@geoswap/core"
import * as Effect from "effect/Effect"
import type { DelegationTerms } from "../chains/delegation.js"
import * as Directory from "../chains/Directory.js"
import { formatPercent } from "../output/numbers.js"
import * as History from "./History.js"
import { paymentSignatures, type PaymentTerms } from "./payment.js"
import { type RecipientLabel, recipientLabel, walletName } from "./recipientLabel.js"
import type { Order } from "./SwapRequest.js"

/** The price in a quote or in an indicative quote. */
export type Price = Omit<SwapEvent.QuotePreview, "expiresAt">

/** The terms that do not depend on a wallet. */
export interface PriceTerms extends Directory.Pair {
  readonly request: Pick<Quote.QuoteRequest, "amount" | "slippageBps">
  readonly quote: Price
  /** How long the swap is expected to take, in seconds, if known. */
  readonly seconds?: number | undefined
}

/** The terms of an indicative quote, which cannot be signed. */
export interface IndicativeTerms extends PriceTerms {
  readonly request: Quote.IndicativeQuoteRequest
}

/** The terms of a swap. */
export interface Terms extends PriceTerms {
  readonly request: Quote.QuoteRequest
  readonly quote: SwapEvent.QuotePreview
  /** Whether these terms are about to be signed. `geoswap quote` only shows the terms. */
  readonly signs: boolean
  /** The policy's maximum lifetime for an operation, if the policy sets one. */
  readonly maxLifetimeSeconds?: number | undefined
  /** The delegation. Absent on Solana, which has no delegations. */
  readonly delegation?: DelegationTerms | undefined
  /** How the wallet pays. Absent on Solana. */
  readonly payment?: PaymentTerms | undefined
  /** The name of the wallet that pays, if it has one. */
  readonly payer?: string | undefined
  /** Whose wallet the recipient is. */
  readonly recipient: RecipientLabel
}

/** Returns the terms that no quote changes: who pays, who receives, and how long such swaps took. */
export const partiesOf = Effect.fnUntraced(function* (
  { destination, origin, recipient }: Pick<Order, "destination" | "origin" | "recipient">,
  wallet: string
) {
  return {
    origin,
    destination,
    seconds: yield* History.expectedSeconds(origin.chain.id, destination.chain.id),
    payer: yield* walletName(origin.chain.family, wallet),
    recipient: yield* recipientLabel(destination, recipient ?? wallet, wallet)
  }
})

/** Returns the slippage that a signature allows. */
export const slippageOf = ({ quote, request }: Pick<PriceTerms, "quote" | "request">) =>
  Quote.slippageRisk(quote, request.slippageBps ?? Quote.defaultSlippageBps)

/** States how much high slippage puts at risk. */
export const riskMessage = (terms: Pick<PriceTerms, "quote" | "request" | "destination">) => {
  const { atRisk, bps, minOutput: minimum } = slippageOf(terms)
  const amount = (value: bigint) => Directory.formatExactAmount(value, terms.destination.token)
  return `Slippage of ${formatPercent(bps)} puts ${amount(atRisk)} at risk: the swap may deliver as little as ${amount(minimum)}.`
}

/** Describes each signature in one sentence. */
export const signatures = (terms: Terms) => {
  const { delegation, destination, origin, payment, quote, request } = terms
  const amount = Directory.formatExactAmount(request.amount, origin.token)
  const what = `pays exactly ${amount} on ${Directory.formatChain(origin.chain)} for at least ${Directory.formatExactAmount(Quote.minOutputOf(quote), destination.token)} on ${Directory.formatChain(destination.chain)} to ${request.recipient ?? request.walletAddress}`
  if (payment?.method !== undefined && payment.method !== "delegation") {
    return paymentSignatures(payment.method, what, amount, payment.vault)
  }
  return origin.chain.family === "evm"
    ? [
        ...(delegation?.needed === true
          ? [
              `An EIP-7702 authorization that delegates ${request.walletAddress} on ${Directory.formatChain(origin.chain)} to ${delegation.contract ?? "an unknown contract"}.`
            ]
          : []),
        `An operation that ${what}.`
      ]
    : [`A transaction that ${what}.`]
}
