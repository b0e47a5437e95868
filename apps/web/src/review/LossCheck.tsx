/** Asks for separate consent to a swap that costs a large share of its value. */
import type { QuotePreview } from "@geoswap/core/promise"
import { formatDollars, formatPercent } from "../format/amounts.js"
import { lossBound } from "./lossConsent.js"
import { text } from "../language/language.js"

interface LossCheckProps {
  readonly quote: QuotePreview
  readonly checked: boolean
  /** Called with the accepted loss in basis points. */
  readonly onChange: (lossBps: number | undefined) => void
}

/** States what most of the cost is: the network, the fee or the price impact. */
const reasonOf = ({ costs: { fee, impact, network } }: QuotePreview): string | undefined => {
  if (impact === undefined) return undefined
  const { consent: words } = text
  const parts = [
    { bps: network?.bps ?? 0, text: words.mostlyNetwork },
    { bps: fee.bps, text: words.mostlyFee },
    { bps: impact.bps, text: words.mostlyImpact }
  ]
  return parts.toSorted((one, other) => other.bps - one.bps)[0]?.text
}

/** A checkbox that states the total cost that the user accepts. */
export const LossCheck = ({ checked, onChange, quote }: LossCheckProps) => {
  const bound = lossBound(quote)
  const usd = quote.costs.total?.usd
  return (
    <label className="loss">
      <input
        type="checkbox"
        checked={checked}
        onChange={(event) => onChange(event.target.checked ? bound : undefined)}
      />
      <span>
        {Number.isFinite(bound) ? text.consent.cost(formatPercent(bound)) : text.consent.unknownCost}
        <small>
          {usd !== undefined && `${text.consent.now(formatDollars(usd))} `}
          {reasonOf(quote)}
        </small>
      </span>
    </label>
  )
}
