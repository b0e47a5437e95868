/** The details of a quote. The rows are shown even before there is a quote, to avoid layout shifts. */
import { type IndicativeQuote, minimumOf, type Quote } from "@geoswap/core/promise"
import type { FormToken, SwapForm } from "@geoswap/react"
import { type ReactElement, type ReactNode, useState } from "react"
import { Icon } from "../ui/Icon.js"
import { formatDollars, formatTokenAmount, formatPercent, formatExactDecimal } from "../format/amounts.js"
import { formatAbout } from "../format/time.js"
import { type Cost, costsOf, type QuoteCosts } from "./quoteCosts.js"
import { text } from "../language/language.js"

/** A quote and the values derived from it. */
export interface QuoteDetailsProps {
  readonly quote: Quote | IndicativeQuote | undefined
  readonly amount: bigint | undefined
  readonly inputToken: FormToken | undefined
  readonly outputToken: FormToken | undefined
  readonly impact: SwapForm["impact"]
  readonly rate: SwapForm["rate"]
  /** How long the swap is expected to take, in seconds, if known. */
  readonly seconds: number | undefined
}

const empty = "–"

const Rate = ({ inputToken, outputToken, rate }: QuoteDetailsProps): ReactElement => {
  const [inverted, setInverted] = useState(false)
  if (rate === undefined || inputToken === undefined || outputToken === undefined) return <>{empty}</>
  const [one, other, value] = inverted
    ? [inputToken, outputToken, rate.outputPerInput]
    : [outputToken, inputToken, rate.inputPerOutput]
  return (
    <button type="button" className="turn" title={text().price.invert} onClick={() => setInverted(!inverted)}>
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
const CostText = ({ cost }: { readonly cost: Cost | undefined }): ReactElement => {
  if (cost === undefined) return <>{text().price.unknown}</>
  const percent = formatPercent(cost.bps)
  return <span className="number">{cost.usd === undefined ? percent : `${formatDollars(cost.usd)} (${percent})`}</span>
}

interface FeeProps {
  readonly quote: Quote | IndicativeQuote
  readonly costs: QuoteCosts
}

const Fee = ({ costs: { baseFee, fee }, quote: { feeDiscount } }: FeeProps): ReactElement => {
  if (feeDiscount === undefined || baseFee === undefined) return <CostText cost={fee} />
  return (
    <>
      <span className="visually-hidden">{text().price.was} </span>
      <s>
        <CostText cost={baseFee} />
      </s>{" "}
      <span className="visually-hidden">{text().price.now} </span>
      <CostText cost={fee} />{" "}
      <span className="tag" title={text().price.tierText(formatPercent(feeDiscount.discountPercent * 100))}>
        {text().price.tier(feeDiscount.tier)}
      </span>
    </>
  )
}

const Row = ({ children, name }: { readonly name: string; readonly children: ReactNode }): ReactElement => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
)

/** The total in dollars, marked if it requires a separate consent. */
export const TotalCost = ({ amount, impact, quote }: Pick<QuoteDetailsProps, "amount" | "impact" | "quote">) => {
  if (quote === undefined || amount === undefined) return <>{empty}</>
  return (
    <span className={`impact impact-${impact}`}>
      {impact === "high" && <Icon name="alert" />}
      <span>
        <CostText cost={costsOf(quote, amount).total} />
        {impact === "high" && `, ${text().price.high}`}
      </span>
    </span>
  )
}

/** The rate, what the swap costs, and the minimum received. */
export const QuoteDetails = (props: QuoteDetailsProps): ReactElement => {
  const { amount, inputToken, outputToken, quote } = props
  const costs = quote && amount && costsOf(quote, amount)
  const network = quote?.networkCost
  return (
    <dl className="details">
      <Row name={text().price.rate}>
        <Rate {...props} />
      </Row>
      <Row name={text().price.fee}>{costs ? <Fee quote={quote} costs={costs} /> : empty}</Row>
      <Row name={text().price.network}>
        {costs && network !== undefined && inputToken ? (
          <span title={formatTokenAmount(network, inputToken)}>
            <CostText cost={costs.network} />
          </span>
        ) : (
          empty
        )}
      </Row>
      <Row name={text().price.impact}>{costs ? <CostText cost={costs.impact} /> : empty}</Row>
      <Row name={text().price.total}>
        <TotalCost {...props} />
      </Row>
      <Row name={text().price.minimum}>
        {quote === undefined || outputToken === undefined ? (
          empty
        ) : (
          <span className="number">{formatTokenAmount(minimumOf(quote), outputToken)}</span>
        )}
      </Row>
      {props.seconds !== undefined && <Row name={text().price.time}>{formatAbout(props.seconds)}</Row>}
    </dl>
  )
}
