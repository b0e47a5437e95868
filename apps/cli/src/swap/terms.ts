/** The terms that the user accepts by signing, formatted as human-readable text and as JSON. */
import { Amount, Operation, Quote, type SwapEvent } from "@geoswap/core"
import type { DelegationTerms } from "../chains/delegation.js"
import * as Directory from "../chains/Directory.js"
import { formatPercent, formatUsd } from "../output/numbers.js"
import * as Output from "../output/Output.js"
import type { RecipientLabel } from "./recipientLabel.js"
import { paymentSignatures, type PaymentTerms, problemOf, summaries } from "./payment.js"

/** The price in a quote or in an indicative quote. */
export type Price = Omit<SwapEvent.QuotePreview, "expiresAt">

/** The terms that do not depend on a wallet. */
interface PriceTerms {
  readonly origin: Directory.ChainToken
  readonly destination: Directory.ChainToken
  readonly request: Pick<Quote.QuoteRequest, "amount" | "slippageBps">
  readonly quote: Price
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
  /** Whose wallet the recipient is. */
  readonly recipient: RecipientLabel
}

/**
 * The price impact at or below which a swap requires a separate confirmation, even if the service does not warn about
 * it. A negative price impact is a loss.
 */
const highImpactBps = -300

/** Whether the price impact requires a separate confirmation. An unknown impact is treated as high. */
export const isHighImpact = ({ priceImpactBps, warnings }: Price): boolean =>
  !((priceImpactBps ?? -Infinity) > highImpactBps) ||
  (warnings ?? []).some(({ code }) => code === Quote.highPriceImpact)

/** Above this slippage, a swap requires a separate confirmation that names the amount at risk. */
const highSlippageBps = 500

/** How far the output may be below the quote. */
export interface Slippage {
  readonly bps: number
  readonly high: boolean
  /** The difference between the quoted and the minimum output, in the token's smallest unit. */
  readonly atRisk: bigint
  readonly minimum: bigint
}

/**
 * Returns the slippage that a signature allows: the requested slippage or, if none was requested, the slippage that the
 * service chose.
 */
export const slippageOf = ({ quote, request }: Pick<PriceTerms, "quote" | "request">): Slippage => {
  const minimum = Quote.minimumOf(quote)
  const atRisk = quote.output - minimum
  const chosen = quote.output > 0n ? Number((atRisk * 10_000n) / quote.output) : 0
  const bps = request.slippageBps ?? chosen
  // One unit is a rounding error, even if it is a large part of a tiny output.
  return { bps, high: bps > highSlippageBps && (request.slippageBps !== undefined || atRisk > 1n), atRisk, minimum }
}

/** States how much high slippage puts at risk. */
export const riskMessage = (terms: Pick<PriceTerms, "quote" | "request" | "destination">): string => {
  const { atRisk, bps, minimum } = slippageOf(terms)
  const amount = (value: bigint) => Directory.formatExactAmount(value, terms.destination.token)
  return `Slippage of ${formatPercent(bps)} puts ${amount(atRisk)} at risk: the swap may deliver as little as ${amount(minimum)}.`
}

const formatSlippage = (terms: PriceTerms, { bold, red }: Output.Style): string => {
  const { atRisk, bps, high } = slippageOf(terms)
  return high
    ? bold(
        red(`${formatPercent(bps)}: high, puts ${Directory.formatExactAmount(atRisk, terms.destination.token)} at risk`)
      )
    : formatPercent(bps)
}

const usdOf = (text: string | undefined): string | undefined => {
  if (text === undefined) return undefined
  const known = /^\d{1,15}(\.\d{1,30})?$/.test(text)
  return known ? formatUsd(Number(text)) : `$${Output.sanitize(text, 24)}`
}

const feeOf = ({ feeBps, feeDiscount }: Price): string =>
  feeDiscount === undefined
    ? formatPercent(feeBps)
    : `${formatPercent(feeBps)}, ${feeDiscount.discountPercent}% off ${formatPercent(feeDiscount.baseFeeBps)} (${Output.sanitize(feeDiscount.tier, 24)})`

const impactOf = (quote: Price, { bold, red }: Output.Style): string => {
  const { priceImpactBps: stated } = quote
  if (stated === undefined) return bold(red("unknown: treated as high"))
  return isHighImpact(quote) ? bold(red(`${formatPercent(stated)}: high`)) : formatPercent(stated)
}

/** The maximum number of warnings shown. */
const maxWarnings = 5

const warningsOf = ({ warnings = [] }: Price, { yellow }: Output.Style) => {
  const more = warnings.length - maxWarnings
  return [
    ...warnings
      .slice(0, maxWarnings)
      // The limit keeps each warning on one terminal line.
      .map(({ code, message }) => ["Warning", yellow(Output.sanitize(message ?? code, 64))] as const),
    ...(more > 0 ? [["", yellow(`and ${more} more`)] as const] : [])
  ]
}

const worthOf = ({ inputUsd, outputUsd }: Price): string | undefined => {
  const [paid, received] = [usdOf(inputUsd), usdOf(outputUsd)]
  return paid === undefined || received === undefined ? undefined : `${paid} for ${received}`
}

/** Whether the wallet pays with an operation of its delegated account. */
const paysByDelegation = ({ payment }: Terms): boolean => (payment?.method ?? "delegation") === "delegation"

const delegationOf = (terms: Terms): string | undefined => {
  const { delegation, origin } = terms
  if (delegation === undefined || !paysByDelegation(terms)) return undefined
  const { contract, needed, pinned } = delegation
  if (!needed) return "already in place, so no authorization is signed"
  return [
    `first swap from this wallet on ${origin.chain.name}: delegates the wallet (EIP-7702) to`,
    `${contract ?? "a contract that the service does not name"}${pinned === true ? ", which is pinned" : ""}${pinned === false ? ", which is NOT pinned and will be refused" : ""}.`,
    "That contract can then act for the wallet on this chain, but only with signatures by the wallet's key,",
    `until you remove the delegation: geoswap delegation revoke ${origin.chain.name}`
  ].join("\n")
}

/** How the wallet pays or, in a quote, how it can pay. */
const paymentOf = ({ payment, quote, signs }: Terms, { bold, red }: Output.Style): string | undefined => {
  if (payment === undefined) return undefined
  const problem = problemOf(quote)
  if (problem !== undefined) return bold(red(`not possible: ${problem}`))
  if (!signs) return payment.offered.join(", ")
  // Without a list from the service, the delegation is the only way, and its own row describes it.
  return payment.method === undefined || (payment.method === "delegation" && quote.paymentMethods === undefined)
    ? undefined
    : `${payment.method}: ${summaries[payment.method]}`
}

/** Splits a multi-line value into rows. */
const pairs = (name: string, value: string | undefined): ReadonlyArray<readonly [string, string | undefined]> =>
  value === undefined ? [] : value.split("\n").map((line, at) => [at === 0 ? name : "", line] as const)

const formatToken = ({ token }: Directory.ChainToken, { yellow }: Output.Style): string => {
  if (token.native) return "the chain's native token"
  return token.pinned
    ? `token ${token.address}`
    : yellow("not pinned: its symbol and decimals are unknown, so the amount is in its smallest unit")
}

type Rows = Parameters<typeof Output.fields>[0]

/** Formats an amount exactly if it is about to be signed, and otherwise rounded. */
const signed = (value: bigint, { token }: Directory.ChainToken, signs: boolean): string =>
  signs ? Directory.formatExactAmount(value, token) : Directory.formatAmount(value, token)

/** The price, with the texts from the service. */
const priceRows = (terms: PriceTerms, style: Output.Style): Rows => {
  const { destination, origin, quote } = terms
  return [
    [
      "Receive",
      style.bold(
        `${Directory.formatAmount(quote.output, destination.token)} on ${Directory.formatChain(destination.chain)}`
      )
    ],
    ["Fee", feeOf(quote)],
    [
      "Network",
      quote.networkCost === undefined
        ? undefined
        : `${Directory.formatAmount(quote.networkCost, origin.token, "up")}, already deducted from the output`
    ],
    ["Slippage", formatSlippage(terms, style)],
    ["Refund", "the entire input, minus the network cost if delivery fails because of the recipient"],
    ["Impact", impactOf(quote, style)],
    ["Worth", worthOf(quote)],
    ...warningsOf(quote, style)
  ]
}

const payRows = ({ origin, request }: PriceTerms, style: Output.Style, signs: boolean): Rows => [
  ["Pay", style.bold(`${signed(request.amount, origin, signs)} on ${Directory.formatChain(origin.chain)}`)],
  ["", formatToken(origin, style)]
]

const minimumRows = ({ destination, quote }: PriceTerms, style: Output.Style, signs: boolean): Rows => [
  ["At least", `${signed(Quote.minimumOf(quote), destination, signs)}; otherwise the input is refunded`],
  ["", formatToken(destination, style)]
]

/**
 * Formats the terms for the user to read before signing. The fields that the signature commits to come last, so that no
 * text from the service comes between those fields and the prompt.
 */
export const format = (terms: Terms, style: Output.Style): string => {
  const { recipient: label, request } = terms
  const recipient = `${request.recipient ?? request.walletAddress} (${label.text})`
  return Output.fields(
    [
      ...priceRows(terms, style),
      [
        "Deadline",
        terms.signs
          ? `at most ${terms.maxLifetimeSeconds ?? Operation.maxLifetimeSeconds} seconds after signing; checked before signing`
          : undefined
      ],
      ["Payment", paymentOf(terms, style)],
      ...pairs("Delegation", delegationOf(terms)),
      ...payRows(terms, style, terms.signs),
      ["From", request.walletAddress],
      ...minimumRows(terms, style, terms.signs),
      ["To", label.own ? recipient : style.yellow(recipient)]
    ],
    style.dim
  )
}

/** Formats the terms of an indicative quote. */
export const formatIndicative = (terms: IndicativeTerms, style: Output.Style): string =>
  Output.fields(
    [
      ...priceRows(terms, style),
      ...payRows(terms, style, false),
      ...minimumRows(terms, style, false),
      ["To", terms.request.recipient]
    ],
    style.dim
  )

/** Describes each signature in one sentence. */
export const signatures = (terms: Terms): ReadonlyArray<string> => {
  const { delegation, destination, origin, payment, quote, request } = terms
  const amount = Directory.formatExactAmount(request.amount, origin.token)
  const what = `pays exactly ${amount} on ${Directory.formatChain(origin.chain)} for at least ${Directory.formatExactAmount(Quote.minimumOf(quote), destination.token)} on ${Directory.formatChain(destination.chain)} to ${request.recipient ?? request.walletAddress}`
  if (payment?.method !== undefined && payment.method !== "delegation") {
    return paymentSignatures(payment.method, what, amount, payment.vault)
  }
  return origin.chain.kind === "evm"
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

/** Formats an amount in tokens, or returns `undefined` if the token is not pinned. */
const humanOf = (raw: bigint, token: Directory.Token): string | undefined =>
  token.pinned ? Amount.format(raw, token.decimals) : undefined

const side = ({ chain, token }: Directory.ChainToken, raw: bigint) => ({
  chainId: chain.id,
  chain: chain.name,
  token: token.address,
  pinned: token.pinned,
  ...(token.pinned && { symbol: token.symbol, decimals: token.decimals }),
  amount: humanOf(raw, token),
  raw
})

/** The slippage as JSON. */
export const slippageJson = (terms: Pick<PriceTerms, "quote" | "request" | "destination">) => {
  const { atRisk, bps, high, minimum } = slippageOf(terms)
  const { token } = terms.destination
  return {
    bps,
    high,
    token: token.address,
    ...(token.pinned && { symbol: token.symbol }),
    atRisk: humanOf(atRisk, token),
    atRiskRaw: atRisk,
    minimum: humanOf(minimum, token),
    minimumRaw: minimum
  }
}

const priceJson = (terms: PriceTerms) => {
  const { destination, origin, quote, request } = terms
  const minimum = Quote.minimumOf(quote)
  return {
    from: side(origin, request.amount),
    to: {
      ...side(destination, quote.output),
      minimum: humanOf(minimum, destination.token),
      minimumRaw: minimum
    },
    feeBps: quote.feeBps,
    feeDiscount: quote.feeDiscount && {
      tier: quote.feeDiscount.tier,
      discountPercent: quote.feeDiscount.discountPercent,
      baseFeeBps: quote.feeDiscount.baseFeeBps
    },
    networkCost:
      quote.networkCost === undefined
        ? undefined
        : { amount: humanOf(quote.networkCost, origin.token), raw: quote.networkCost },
    priceImpactBps: quote.priceImpactBps,
    highImpact: isHighImpact(quote),
    inputUsd: quote.inputUsd,
    outputUsd: quote.outputUsd,
    warnings: (quote.warnings ?? []).map(({ code, message }) => ({ code, message })),
    paymentMethods: quote.paymentMethods,
    paymentProblem: quote.paymentProblem && {
      code: quote.paymentProblem.code,
      message: quote.paymentProblem.message
    },
    slippageBps: request.slippageBps,
    slippage: slippageJson(terms)
  }
}

/** The terms as JSON. */
export const toJson = (terms: Terms) => ({
  wallet: terms.request.walletAddress,
  recipient: terms.request.recipient ?? terms.request.walletAddress,
  ...priceJson(terms),
  paymentMethod: terms.signs ? terms.payment?.method : undefined,
  expiresAt: terms.quote.expiresAt.toISOString()
})

/** The terms of an indicative quote as JSON. */
export const indicativeToJson = (terms: IndicativeTerms) => ({
  indicative: true,
  recipient: terms.request.recipient,
  ...priceJson(terms)
})
