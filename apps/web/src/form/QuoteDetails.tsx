/** The details of a quote. All rows are shown even before there is a quote, to avoid layout shifts. */
import { minimumOf, type Quote } from "@geoswap/core/promise"
import type { FormToken, SwapForm } from "@geoswap/react"
import { type ReactElement, type ReactNode, useState } from "react"
import { Icon } from "../ui/Icon.js"
import { formatTokenAmount, formatPercent, formatExactDecimal } from "../format/amounts.js"

/** A quote and the values derived from it. */
export interface QuoteDetailsProps {
  readonly quote: Quote | undefined
  readonly inputToken: FormToken | undefined
  readonly outputToken: FormToken | undefined
  readonly impact: SwapForm["impact"]
  readonly rate: SwapForm["rate"]
}

const empty = "–"

const Rate = ({ inputToken, outputToken, rate }: QuoteDetailsProps): ReactElement => {
  const [inverted, setInverted] = useState(false)
  if (rate === undefined || inputToken === undefined || outputToken === undefined) return <>{empty}</>
  const [one, other, value] = inverted
    ? [inputToken, outputToken, rate.outputPerInput]
    : [outputToken, inputToken, rate.inputPerOutput]
  return (
    <button type="button" className="turn" title="Invert the rate" onClick={() => setInverted(!inverted)}>
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

const Fee = ({ quote }: Pick<QuoteDetailsProps, "quote">): ReactElement => {
  if (quote === undefined) return <>{empty}</>
  const { feeBps, feeDiscount } = quote
  if (feeDiscount === undefined) return <>{formatPercent(feeBps)}</>
  return (
    <>
      <span className="visually-hidden">was </span>
      <s>{formatPercent(feeDiscount.baseFeeBps)}</s> <span className="visually-hidden">now </span>
      {formatPercent(feeBps)} <span className="tag">{feeDiscount.tier}</span>
    </>
  )
}

const labels: Readonly<Record<SwapForm["impact"], string>> = { none: "none", low: "low", high: "high" }

const Impact = ({ impact, quote }: Pick<QuoteDetailsProps, "impact" | "quote">): ReactElement => {
  if (quote === undefined) return <>{empty}</>
  const known = quote.priceImpactBps === undefined ? "unknown" : formatPercent(quote.priceImpactBps)
  return (
    <span className={`impact impact-${impact}`}>
      {impact === "high" && <Icon name="alert" />}
      {known}, {labels[impact]}
    </span>
  )
}

const Row = ({ children, name }: { readonly name: string; readonly children: ReactNode }): ReactElement => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
)

/** The rate, fee, network cost, minimum received and price impact. */
export const QuoteDetails = (props: QuoteDetailsProps): ReactElement => {
  const { impact, inputToken, outputToken, quote } = props
  const cost = quote?.networkCost
  return (
    <dl className="details">
      <Row name="Rate">
        <Rate {...props} />
      </Row>
      <Row name="Fee">
        <Fee quote={quote} />
      </Row>
      <Row name="Network cost">
        {cost === undefined || inputToken === undefined ? empty : formatTokenAmount(cost, inputToken)}
      </Row>
      <Row name="Minimum received">
        {quote === undefined || outputToken === undefined ? empty : formatTokenAmount(minimumOf(quote), outputToken)}
      </Row>
      <Row name="Price impact">
        <Impact impact={impact} quote={quote} />
      </Row>
    </dl>
  )
}
