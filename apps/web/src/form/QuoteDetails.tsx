/** The details of a quote. The rows are shown even before there is a quote, to avoid layout shifts. */
import { type Cost, type IndicativeQuote, isHighCost, minOutputOf, type Quote } from "@geoswap/core/promise"
import { useState } from "react"
import { formatDollars, formatTokenAmount, formatPercent, formatExactDecimal } from "../format/amounts.js"
import { formatAbout } from "../format/time.js"
import { text } from "../language/language.js"
import { usePage } from "../pageContext.js"
import { Icon } from "../ui/Icon.js"
import type { PageForm } from "./usePageForm.js"

type Price = Quote | IndicativeQuote

const empty = "–"

/** The rate. Tokens with the same symbol are told apart by their chains, and the rate is what one unit gets. */
const Rate = ({ form }: { readonly form: PageForm }) => {
  const [turned, setTurned] = useState(false)
  const { destination, inputToken, origin, outputToken, rate } = form
  if (rate === undefined || !inputToken || !outputToken || !origin || !destination) return <>{empty}</>
  const isSame = inputToken.symbol === outputToken.symbol
  const name = ({ symbol }: { readonly symbol: string }, chain: string) =>
    isSame ? text.picker.on(symbol, chain) : symbol
  const input = name(inputToken, origin.name)
  const output = name(outputToken, destination.name)
  const [one, other, value] =
    turned === isSame ? [output, input, rate.inputPerOutput] : [input, output, rate.outputPerInput]
  return (
    <button type="button" className="turn" title={text.price.invert} onClick={() => setTurned(!turned)}>
      <span>
        <span className="number">1 {one}</span> ={" "}
        <span className="number">
          {formatExactDecimal(value)} {other}
        </span>
      </span>
      <Icon name="turn" />
    </button>
  )
}

/** Formats a share with its dollars: `$0.08 (0.08%)`. */
const costText = (cost: Cost | undefined) => {
  if (cost === undefined) return text.price.unknown
  const percent = formatPercent(cost.bps)
  return <span className="number">{cost.usd === undefined ? percent : `${formatDollars(cost.usd)} (${percent})`}</span>
}

const feeText = ({ costs: { fee }, feeDiscount }: Price) => {
  const { price: words } = text
  if (feeDiscount === undefined) return costText(fee)
  return (
    <>
      <span className="visually-hidden">{words.was} </span>
      <s className="number">{formatPercent(feeDiscount.baseFeeBps)}</s>{" "}
      <span className="visually-hidden">{words.now} </span>
      {costText(fee)}{" "}
      <span className="tag" title={words.tierText(formatPercent(feeDiscount.discountPercent * 100))}>
        {words.tier(feeDiscount.tier)}
      </span>
    </>
  )
}

/** The total in dollars, marked if it requires a separate consent. */
export const TotalCost = ({ quote }: { readonly quote: Price | undefined }) => {
  const { config } = usePage()
  if (quote === undefined) return <>{empty}</>
  const isHigh = isHighCost(quote, config.highCostBps)
  return (
    <span className={isHigh ? "total-cost high" : "total-cost"}>
      {isHigh && <Icon name="alert" />}
      <span>
        {costText(quote.costs.total)}
        {isHigh && `, ${text.price.high}`}
      </span>
    </span>
  )
}

interface QuoteDetailsProps {
  readonly form: PageForm
  readonly quote: Price | undefined
}

/** The rate, what the swap costs, and the minimum received. */
export const QuoteDetails = ({ form, quote }: QuoteDetailsProps) => {
  const { inputToken, outputToken, seconds } = form
  const { price: words } = text
  const network = quote?.networkCost
  const rows = [
    [words.rate, <Rate form={form} />],
    [words.fee, quote && feeText(quote)],
    [
      words.network,
      network !== undefined && inputToken && (
        <span title={formatTokenAmount(network, inputToken)}>{costText(quote?.costs.network)}</span>
      )
    ],
    [words.impact, quote && costText(quote.costs.impact)],
    [words.total, <TotalCost quote={quote} />],
    [
      words.minimum,
      quote && outputToken && <span className="number">{formatTokenAmount(minOutputOf(quote), outputToken)}</span>
    ],
    ...(seconds === undefined ? [] : [[words.time, formatAbout(seconds)] as const])
  ] as const
  return (
    <dl className="details">
      {rows.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value || empty}</dd>
        </div>
      ))}
    </dl>
  )
}
