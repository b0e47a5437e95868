/** The details of a quote. The rows are shown even before there is a quote, to avoid layout shifts. */
import { type Cost, type IndicativeQuote, minOutputOf, type Quote } from "@geoswap/core/promise"
import type { FormToken, SwapForm } from "@geoswap/react"
import { type ReactNode, useState } from "react"
import { Icon } from "../ui/Icon.js"
import { formatDollars, formatTokenAmount, formatPercent, formatExactDecimal } from "../format/amounts.js"
import { formatAbout } from "../format/time.js"
import { text } from "../language/language.js"

/** A quote and the values derived from it. */
export interface QuoteDetailsProps {
  readonly quote: Quote | IndicativeQuote | undefined
  readonly inputToken: FormToken | undefined
  readonly outputToken: FormToken | undefined
  readonly isHighCost: boolean
  readonly rate: SwapForm["rate"]
  /** How long the swap is expected to take, in seconds, if known. */
  readonly seconds: number | undefined
}

const empty = "–"

const Rate = ({ inputToken, outputToken, rate }: QuoteDetailsProps) => {
  const [inverted, setInverted] = useState(false)
  if (rate === undefined || inputToken === undefined || outputToken === undefined) return <>{empty}</>
  const [one, other, value] = inverted
    ? [inputToken, outputToken, rate.outputPerInput]
    : [outputToken, inputToken, rate.inputPerOutput]
  return (
    <button type="button" className="turn" title={text.price.invert} onClick={() => setInverted(!inverted)}>
      <span>
        <span className="number">1 {one.symbol}</span> ={" "}
        <span className="number">
          {formatExactDecimal(value)} {other.symbol}
        </span>
      </span>
      <Icon name="turn" />
    </button>
  )
}

/** A share with its dollars: `$0.08 (0.08%)`. */
const CostText = ({ cost }: { readonly cost: Cost | undefined }) => {
  if (cost === undefined) return <>{text.price.unknown}</>
  const percent = formatPercent(cost.bps)
  return <span className="number">{cost.usd === undefined ? percent : `${formatDollars(cost.usd)} (${percent})`}</span>
}

const Fee = ({ costs: { fee }, feeDiscount }: Quote | IndicativeQuote) => {
  if (feeDiscount === undefined) return <CostText cost={fee} />
  return (
    <>
      <span className="visually-hidden">{text.price.was} </span>
      <s className="number">{formatPercent(feeDiscount.baseFeeBps)}</s>{" "}
      <span className="visually-hidden">{text.price.now} </span>
      <CostText cost={fee} />{" "}
      <span className="tag" title={text.price.tierText(formatPercent(feeDiscount.discountPercent * 100))}>
        {text.price.tier(feeDiscount.tier)}
      </span>
    </>
  )
}

const Row = ({ children, name }: { readonly name: string; readonly children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
)

/** The total in dollars, marked if it requires a separate consent. */
export const TotalCost = ({ isHighCost, quote }: Pick<QuoteDetailsProps, "isHighCost" | "quote">) => {
  if (quote === undefined) return <>{empty}</>
  return (
    <span className={isHighCost ? "total-cost high" : "total-cost"}>
      {isHighCost && <Icon name="alert" />}
      <span>
        <CostText cost={quote.costs.total} />
        {isHighCost && `, ${text.price.high}`}
      </span>
    </span>
  )
}

/** The rate, what the swap costs, and the minimum received. */
export const QuoteDetails = (props: QuoteDetailsProps) => {
  const { inputToken, outputToken, quote } = props
  const network = quote?.networkCost
  return (
    <dl className="details">
      <Row name={text.price.rate}>
        <Rate {...props} />
      </Row>
      <Row name={text.price.fee}>{quote ? <Fee {...quote} /> : empty}</Row>
      <Row name={text.price.network}>
        {quote && network !== undefined && inputToken ? (
          <span title={formatTokenAmount(network, inputToken)}>
            <CostText cost={quote.costs.network} />
          </span>
        ) : (
          empty
        )}
      </Row>
      <Row name={text.price.impact}>{quote ? <CostText cost={quote.costs.impact} /> : empty}</Row>
      <Row name={text.price.total}>
        <TotalCost {...props} />
      </Row>
      <Row name={text.price.minimum}>
        {quote === undefined || outputToken === undefined ? (
          empty
        ) : (
          <span className="number">{formatTokenAmount(minOutputOf(quote), outputToken)}</span>
        )}
      </Row>
      {props.seconds !== undefined && <Row name={text.price.time}>{formatAbout(props.seconds)}</Row>}
    </dl>
  )
}
