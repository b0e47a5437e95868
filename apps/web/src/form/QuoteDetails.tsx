/** The price in detail. Every line is there before there is a price, so that nothing jumps. */
import type { Quote } from "@geoswap/core/promise"
import type { FormToken, SwapForm } from "@geoswap/react"
import { type ReactElement, type ReactNode, useState } from "react"
import { minimumOf } from "../review/requoteRule.js"
import { Icon } from "../ui/Icon.js"
import { formatTokenAmount, formatPercent, formatDecimal } from "../format/amounts.js"

/** What there is to know about a price. */
export interface Priced {
  readonly quote: Quote | undefined
  readonly inputToken: FormToken | undefined
  readonly outputToken: FormToken | undefined
  readonly impact: SwapForm["impact"]
  readonly rate: SwapForm["rate"]
}

const nothing = "–"

const Rate = ({ inputToken, outputToken, rate }: Priced): ReactElement => {
  const [turned, setTurned] = useState(false)
  if (rate === undefined || inputToken === undefined || outputToken === undefined) return <>{nothing}</>
  const [one, other, value] = turned
    ? [inputToken, outputToken, rate.outputPerInput]
    : [outputToken, inputToken, rate.inputPerOutput]
  return (
    <button type="button" className="turn" title="Turn the rate around" onClick={() => setTurned(!turned)}>
      1 {one.symbol} = {formatDecimal(value)} {other.symbol}
      <Icon name="turn" />
    </button>
  )
}

const Fee = ({ quote }: Pick<Priced, "quote">): ReactElement => {
  if (quote === undefined) return <>{nothing}</>
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

const words: Readonly<Record<SwapForm["impact"], string>> = { none: "none", low: "low", high: "high" }

const Impact = ({ impact, quote }: Pick<Priced, "impact" | "quote">): ReactElement => {
  if (quote === undefined) return <>{nothing}</>
  const known = quote.priceImpactBps === undefined ? "not known" : formatPercent(quote.priceImpactBps)
  return (
    <span className={`impact impact-${impact}`}>
      {impact === "high" && <Icon name="alert" />}
      {known}, {words[impact]}
    </span>
  )
}

const Row = ({ children, name }: { readonly name: string; readonly children: ReactNode }): ReactElement => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
)

/** Rate, fee, cost, minimum and impact. */
export const QuoteDetails = (priced: Priced): ReactElement => {
  const { impact, inputToken, outputToken, quote } = priced
  const cost = quote?.networkCost
  return (
    <dl className="details">
      <Row name="Rate">
        <Rate {...priced} />
      </Row>
      <Row name="Fee">
        <Fee quote={quote} />
      </Row>
      <Row name="Network cost">
        {cost === undefined || inputToken === undefined ? nothing : formatTokenAmount(cost, inputToken)}
      </Row>
      <Row name="Minimum received">
        {quote === undefined || outputToken === undefined ? nothing : formatTokenAmount(minimumOf(quote), outputToken)}
      </Row>
      <Row name="Price impact">
        <Impact impact={impact} quote={quote} />
      </Row>
    </dl>
  )
}
