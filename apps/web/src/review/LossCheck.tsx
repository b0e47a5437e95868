/** Asks for separate consent to a swap that loses a large share of its value. */
import type { QuotePreview } from "@geoswap/core/promise"
import type { ReactElement } from "react"
import { formatPercent } from "../format/amounts.js"
import { lossBound } from "./lossConsent.js"

interface LossCheckProps {
  readonly quote: QuotePreview
  readonly checked: boolean
  /** Called with the accepted loss in basis points. */
  readonly onChange: (lossBps: number | undefined) => void
}

/** A checkbox that states the loss that the user accepts. */
export const LossCheck = ({ checked, onChange, quote }: LossCheckProps): ReactElement => {
  const bound = lossBound(quote)
  const what = Number.isFinite(bound) ? `up to ${formatPercent(bound)}` : "an unknown part"
  return (
    <label className="loss">
      <input
        type="checkbox"
        checked={checked}
        onChange={(event) => onChange(event.target.checked ? bound : undefined)}
      />
      I accept losing {what} of the value
    </label>
  )
}
