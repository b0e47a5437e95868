/** Shows the old and new prices. */
import { minOutputOf, type QuotePreview } from "@geoswap/core/promise"
import type { FormToken } from "@geoswap/react"
import { changeBps, formatTokenAmount, formatPercent } from "../format/amounts.js"
import { isLess } from "./requoteRule.js"
import { text } from "../language/language.js"

interface PriceChangeProps {
  readonly previous: QuotePreview
  readonly offered: QuotePreview
  readonly token: FormToken
  readonly disabled?: boolean
  readonly onAccept: () => void
}

/** Shows a changed price and a button to accept it. */
export const PriceChange = (props: PriceChangeProps) => {
  const { disabled = false, offered, onAccept, previous, token } = props
  const { review: words } = text
  const change = changeBps(previous.output, offered.output)
  return (
    <section className="moved" role="alert" aria-label={words.priceChanged}>
      <h3>{isLess(previous, offered) ? words.priceIsWorse : words.priceIsOther}</h3>
      <p className="moved-prices">
        <s>{formatTokenAmount(previous.output, token)}</s> → <strong>{formatTokenAmount(offered.output, token)}</strong>{" "}
        ({formatPercent(change)})
      </p>
      <p>
        {words.atLeastNow} <s>{formatTokenAmount(minOutputOf(previous), token)}</s> →{" "}
        <strong>{formatTokenAmount(minOutputOf(offered), token)}</strong>. {words.nothingSigned}
      </p>
      <button type="button" className="second" disabled={disabled} onClick={onAccept}>
        {words.acceptPrice}
      </button>
    </section>
  )
}
