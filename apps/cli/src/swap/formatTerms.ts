/** Formats the terms of a swap as text. */
import { Operation, Quote } from "@geoswap/core"
import * as Directory from "../chains/Directory.js"
import { formatDecimal, formatDollars, formatPercent, formatUsd } from "../output/numbers.js"
import * as Output from "../output/Output.js"
import { problemOf, summaries } from "./payment.js"
import { type IndicativeTerms, type Price, type PriceTerms, slippageOf, type Terms } from "./terms.js"

type Rows = Parameters<typeof Output.fields>[0]

const formatSlippage = (terms: PriceTerms, { bold, red }: Output.Style) => {
  const { atRisk, bps, isHigh } = slippageOf(terms)
  return isHigh
    ? bold(
        red(`${formatPercent(bps)}: high, puts ${Directory.formatExactAmount(atRisk, terms.destination.token)} at risk`)
      )
    : formatPercent(bps)
}

const usdOf = (text: string | undefined) => {
  if (text === undefined) return undefined
  return /^\d{1,15}(\.\d{1,30})?$/.test(text) ? formatUsd(Number(text)) : `$${Output.sanitize(text, 24)}`
}

/** Formats a share of the input: `$0.08 (0.08%)`, or only the percentage if the dollars are unknown. */
const formatCost = ({ bps, usd }: Quote.Cost) => {
  const percent = formatPercent(bps)
  return usd === undefined ? percent : `${formatDollars(usd)} (${percent})`
}

const feeOf = ({ costs: { fee }, feeDiscount }: Price) =>
  feeDiscount === undefined
    ? formatCost(fee)
    : `${formatCost(fee)}: ${feeDiscount.discountPercent}% off ${formatPercent(feeDiscount.baseFeeBps)} for the wallet's discount tier "${Output.sanitize(feeDiscount.tier, 24)}"`

const networkOf = ({ origin, quote: { costs, networkCost } }: PriceTerms) => {
  if (networkCost === undefined) return undefined
  const amount = Directory.formatAmount(networkCost, origin.token, "up")
  return costs.network?.usd === undefined ? amount : `${formatDollars(costs.network.usd)} (${amount})`
}

const totalOf = (quote: Price, { bold, red }: Output.Style) => {
  const { total } = quote.costs
  if (total === undefined) return bold(red("unknown: treated as high"))
  return Quote.isHighCost(quote)
    ? `${bold(red(`${formatCost(total)}: high`))}, already deducted`
    : `${formatCost(total)}, already deducted`
}

/**
 * Formats the rate if both tokens are pinned, so that the number is at least 1: `1 WETH = 4,003.24 USDC`. For tokens with
 * the same symbol, formats what one token gets, with the chains.
 */
const rateOf = ({ destination, origin, quote: { output }, request: { amount } }: PriceTerms) => {
  const [paid, received] = [origin.token, destination.token]
  if (!paid.pinned || !received.pinned) return undefined
  const rate = Quote.exchangeRate({ amount, decimals: paid.decimals }, { amount: output, decimals: received.decimals })
  if (rate === undefined) return undefined
  if (paid.symbol === received.symbol) {
    const output = `${formatDecimal(rate.outputPerInput)} ${received.symbol} on ${destination.chain.name}`
    return `1 ${paid.symbol} on ${origin.chain.name} = ${output}`
  }
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

const worthOf = ({ inputUsd, outputUsd }: Price) => {
  const [paid, received] = [usdOf(inputUsd), usdOf(outputUsd)]
  return paid === undefined || received === undefined ? undefined : `${paid} for ${received}`
}

const delegationRows = ({ delegation, origin, payment }: Terms): Rows => {
  if (delegation === undefined || (payment?.method ?? "delegation") !== "delegation") return []
  const { contract, needed, pinned } = delegation
  if (!needed) return [["Delegation", "already in place, so no authorization is signed"]]
  const named = contract ?? "a contract that the service does not name"
  const isPinned =
    pinned === undefined ? "" : pinned ? ", which is pinned" : ", which is NOT pinned and will be refused"
  return [
    ["Delegation", `first swap from this wallet on ${origin.chain.name}: delegates the wallet (EIP-7702) to`],
    ["", `${named}${isPinned}.`],
    ["", "That contract can then act for the wallet on this chain, but only with signatures by the wallet's key,"],
    ["", `until you remove the delegation: geoswap delegation revoke ${origin.chain.name}`]
  ]
}

/** How the wallet pays or, in a quote, how it can pay. */
const paymentOf = ({ payment, quote, signs }: Terms, { bold, red }: Output.Style) => {
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

const formatToken = ({ token }: Directory.ChainToken, { yellow }: Output.Style) => {
  if (token.native) return "the chain's native token"
  return token.pinned
    ? `token ${token.address}`
    : yellow("not pinned: its symbol and decimals are unknown, so the amount is in its smallest unit")
}

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

/**
 * Formats the terms of a swap or, without a wallet, of an indicative quote. If they are about to be signed, the fields
 * that the signature commits to come last, exactly, so that no text from the service comes between those fields and the
 * prompt. Otherwise, what the user pays and receives comes first.
 */
export const formatTerms = (terms: Terms | IndicativeTerms, style: Output.Style) => {
  const { destination, origin, quote, request } = terms
  const own = "signs" in terms ? terms : undefined
  const signs = own?.signs === true
  const { formatChain } = Directory
  const format = signs ? Directory.formatExactAmount : Directory.formatAmount
  const recipient = request.recipient ?? own?.request.walletAddress
  const to = own === undefined ? recipient : `${recipient} (${own.recipient.text})`
  const pay: Rows = [
    ["Pay", style.bold(`${format(request.amount, origin.token)} on ${formatChain(origin.chain)}`)],
    ["", formatToken(origin, style)],
    ["From", own && `${own.request.walletAddress}${own.payer === undefined ? "" : ` (${own.payer})`}`]
  ]
  const receive: Rows = [
    [
      "Receive",
      style.bold(`${Directory.formatAmount(quote.output, destination.token)} on ${formatChain(destination.chain)}`)
    ]
  ]
  const least: Rows = [
    ["At least", `${format(Quote.minOutputOf(quote), destination.token)}; otherwise the input is refunded`],
    ["", formatToken(destination, style)],
    ["To", own?.recipient.own === false ? style.yellow(String(to)) : to]
  ]
  const payment: Rows = [["Payment", own && paymentOf(own, style)]]
  const lifetime = own?.maxLifetimeSeconds ?? Operation.maxLifetimeSeconds
  const deadline: Rows = [["Deadline", `at most ${lifetime} seconds after signing; checked before signing`]]
  return Output.fields(
    signs
      ? [...receive, ...priceRows(terms, style), ...deadline, ...payment, ...delegationRows(own), ...pay, ...least]
      : [...pay, ...receive, ...least, ...priceRows(terms, style), ...payment],
    style.dim
  )
}
