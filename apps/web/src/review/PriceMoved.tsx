/** The old price and the new one, and a button to accept it. */
import type { QuotePreview } from "@geoswap/core/promise"
import type { FormToken } from "@geoswap/react"
import type { ReactElement } from "react"
import { changeBps, formatTokenAmount, formatPercent } from "../format/amounts.js"
import { isLess, minimumOf } from "./requoteRule.js"

interface PriceMovedProps {
  readonly previous: QuotePreview
  readonly offered: QuotePreview
  readonly token: FormToken
  readonly disabled?: boolean
  readonly onAccept: () => void
}

/** Tells of another price. */
export const PriceMoved = (props: PriceMovedProps): ReactElement => {
  const { disabled = false, offered, onAccept, previous, token } = props
  const change = changeBps(previous.output, offered.output)
  return (
    <section className="moved" role="alert" aria-label="The price moved">
      <h3>{isLess(previous, offered) ? "The price got worse" : "The price moved"}</h3>
      <p className="moved-prices">
        <s>{formatTokenAmount(previous.output, token)}</s> → <strong>{formatTokenAmount(offered.output, token)}</strong>{" "}
        ({formatPercent(change)})
      </p>
      <p>
        At least <s>{formatTokenAmount(minimumOf(previous), token)}</s> →{" "}
        <strong>{formatTokenAmount(minimumOf(offered), token)}</strong>. Nothing is signed at this price unless you
        accept.
      </p>
      <button type="button" className="second" disabled={disabled} onClick={onAccept}>
        Accept the new price
      </button>
    </section>
  )
}
