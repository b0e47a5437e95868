/** Formats the terms of a swap as text. */
import { Operation, Quote } from "@geoswap/core"
import * as Directory from "../chains/Directory.js"
import { formatDecimal, formatDollars, formatPercent, formatUsd } from "../output/numbers.js"
import * as Output from "../output/Output.js"
import { problemOf, summaries } from "./payment.js"
import { type IndicativeTerms, type Price, type PriceTerms, slippageOf, type Terms } from "./terms.js"

const formatSlippage = (terms: PriceTerms, { bold, red }: Output.Style): string => {
  const { atRisk, bps, isHigh } = slippageOf(terms)
  return isHigh
    ? bold(
        red(`${formatPercent(bps)}: high, puts ${Directory.formatExactAmount(atRisk, terms.destination.token)} at risk`)
      )
    : formatPercent(bps)
}

const usdOf = (text: string | undefined): string | undefined => {
  if (text === undefined) return undefined
  return /^\d{1,15}(\.\d{1,30})?$/.test(text) ? formatUsd(Number(text)) : `$${Output.sanitize(text, 24)}`
}

/** Formats a share of the input: `$0.08 (0.08%)`, or only the percentage if the dollars are unknown. */
const formatCost = ({ bps, usd }: Quote.Cost): string => {
  const percent = formatPercent(bps)
  return usd === undefined ? percent : `${formatDollars(usd)} (${percent})`
}

const feeOf = ({ costs: { fee }, feeDiscount }: Price): string =>
  feeDiscount === undefined
    ? formatCost(fee)
    : `${formatCost(fee)}: ${feeDiscount.discountPercent}% off ${formatPercent(feeDiscount.baseFeeBps)} for the wallet's discount tier "${Output.sanitize(feeDiscount.tier, 24)}"`

const networkOf = ({ origin, quote: { costs, networkCost } }: PriceTerms): string | undefined => {
  if (networkCost === undefined) return undefined
  const amount = Directory.formatAmount(networkCost, origin.token, "up")
  return costs.network?.usd === undefined ? amount : `${formatDollars(costs.network.usd)} (${amount})`
}

const totalOf = (quote: Price, { bold, red }: Output.Style): string => {
  const { total } = quote.costs
  if (total === undefined) return bold(red("unknown: treated as high"))
  return Quote.isHighCost(quote)
    ? `${bold(red(`${formatCost(total)}: high`))}, already deducted`
    : `${formatCost(total)}, already deducted`
}

/** Formats the rate so that the number is at least 1, if both tokens are pinned: `1 WETH = 4,003.24 USDC`. */
const rateOf = ({ destination, origin, quote: { output }, request: { amount } }: PriceTerms): string | undefined => {
  const [paid, received] = [origin.token, destination.token]
  if (!paid.pinned || !received.pinned) return undefined
  const rate = Quote.exchangeRate({ amount, decimals: paid.decimals }, { amount: output, decimals: received.decimals })
  if (rate === undefined) return undefined
  return /^[1-9]/.test(rate.inputPerOutput)
    ? `1 ${received.symbol} = ${formatDecimal(rate.inputPerOutput)} ${paid.symbol}`
    : `1 ${paid.symbol} = ${formatDecimal(rate.outputPerInput)} ${received.symbol}`
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
  if (!signs) {
    const others = payment.offered.filter((method) => method !== payment.method)
    return [
      `${payment.method ?? "none"}, chosen automatically`,
      ...(others.length === 0 ? [] : [`also possible: ${others.join(", ")}`])
    ].join("; ")
  }
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

const receiveRow = ({ destination, quote }: PriceTerms, { bold }: Output.Style): Rows[number] => [
  "Receive",
  bold(`${Directory.formatAmount(quote.output, destination.token)} on ${Directory.formatChain(destination.chain)}`)
]

/** The price, with the texts from the service. */
const priceRows = (terms: PriceTerms, style: Output.Style): Rows => {
  const { quote, seconds } = terms
  return [
    ["Rate", rateOf(terms)],
    ["Worth", worthOf(quote)],
    ["Fee", feeOf(quote)],
    ["Network cost", networkOf(terms)],
    ["Price impact", quote.costs.impact && formatCost(quote.costs.impact)],
    ["Total cost", totalOf(quote, style)],
    ["Slippage", formatSlippage(terms, style)],
    ["Refund", "the entire input, minus the network cost if delivery fails because of the recipient"],
    [
      "Expected time",
      seconds === undefined ? undefined : `about ${seconds} s, like your last swaps between these chains`
    ],
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

const fromRow = ({ payer, request: { walletAddress } }: Terms): Rows[number] => [
  "From",
  payer === undefined ? walletAddress : `${walletAddress} (${payer})`
]

const toRow = ({ recipient: label, request }: Terms, style: Output.Style): Rows[number] => {
  const recipient = `${request.recipient ?? request.walletAddress} (${label.text})`
  return ["To", label.own ? recipient : style.yellow(recipient)]
}

/**
 * Formats the terms for the user to read before signing. The fields that the signature commits to come last, so that no
 * text from the service comes between those fields and the prompt.
 */
const formatSigned = (terms: Terms, style: Output.Style): string =>
  Output.fields(
    [
      receiveRow(terms, style),
      ...priceRows(terms, style),
      [
        "Deadline",
        `at most ${terms.maxLifetimeSeconds ?? Operation.maxLifetimeSeconds} seconds after signing; checked before signing`
      ],
      ["Payment", paymentOf(terms, style)],
      ...pairs("Delegation", delegationOf(terms)),
      ...payRows(terms, style, true),
      fromRow(terms),
      ...minimumRows(terms, style, true),
      toRow(terms, style)
    ],
    style.dim
  )

/** Formats a quote, with what the user pays and receives first, because nothing is signed. */
const formatQuoted = (terms: Terms, style: Output.Style): string =>
  Output.fields(
    [
      ...payRows(terms, style, false),
      fromRow(terms),
      receiveRow(terms, style),
      ...minimumRows(terms, style, false),
      toRow(terms, style),
      ...priceRows(terms, style),
      ["Payment", paymentOf(terms, style)]
    ],
    style.dim
  )

/** Formats the terms: those that are about to be signed, or those of a quote. */
export const formatTerms = (terms: Terms, style: Output.Style): string =>
  terms.signs ? formatSigned(terms, style) : formatQuoted(terms, style)

/** Formats the terms of an indicative quote. */
export const formatIndicativeTerms = (terms: IndicativeTerms, style: Output.Style): string =>
  Output.fields(
    [
      ...payRows(terms, style, false),
      receiveRow(terms, style),
      ...minimumRows(terms, style, false),
      ["To", terms.request.recipient],
      ...priceRows(terms, style)
    ],
    style.dim
  )
