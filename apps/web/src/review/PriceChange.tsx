/** Shows the old and new prices. */
import { minimumOf, type QuotePreview } from "@geoswap/core/promise"
import type { FormToken } from "@geoswap/react"
import type { ReactElement } from "react"
import { changeBps, formatTokenAmount, formatPercent } from "../format/amounts.js"
import { isLess } from "./requoteRule.js"

interface PriceChangeProps {
  readonly previous: QuotePreview
  readonly offered: QuotePreview
  readonly token: FormToken
  readonly disabled?: boolean
  readonly onAccept: () => void
}

/** Shows a changed price and a button to accept it. */
export const PriceChange = (props: PriceChangeProps): ReactElement => {
  const { disabled = false, offered, onAccept, previous, token } = props
  const change = changeBps(previous.output, offered.output)
  return (
    <section className="moved" role="alert" aria-label="Price changed">
      <h3>{isLess(previous, offered) ? "The price is now worse" : "The price changed"}</h3>
      <p className="moved-prices">
        <s>{formatTokenAmount(previous.output, token)}</s> → <strong>{formatTokenAmount(offered.output, token)}</strong>{" "}
        ({formatPercent(change)})
      </p>
      <p>
        At least <s>{formatTokenAmount(minimumOf(previous), token)}</s> →{" "}
        <strong>{formatTokenAmount(minimumOf(offered), token)}</strong>. Nothing is signed at this price unless you
        accept it.
      </p>
      <button type="button" className="second" disabled={disabled} onClick={onAccept}>
        Accept the new price
      </button>
    </section>
  )
}
