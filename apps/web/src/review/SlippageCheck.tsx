/** Asks for separate consent to slippage that may cost a large share of the output. */
import type { SlippageRisk } from "@geoswap/core/promise"
import type { FormToken } from "@geoswap/react"
import { formatExactAmount, formatPercent } from "../format/amounts.js"
import { text } from "../language/language.js"

interface SlippageCheckProps {
  readonly risk: SlippageRisk
  readonly token: Pick<FormToken, "symbol" | "decimals">
  readonly checked: boolean
  /** Called with the accepted minimum output. */
  readonly onChange: (minimum: bigint | undefined) => void
}

/** A checkbox that states the minimum output that the user accepts. */
export const SlippageCheck = ({ checked, onChange, risk, token }: SlippageCheckProps) => (
  <label className="loss">
    <input
      type="checkbox"
      checked={checked}
      onChange={(event) => onChange(event.target.checked ? risk.minOutput : undefined)}
    />
    <span>
      {text.consent.slippage(formatExactAmount(risk.minOutput, token))}
      <small>{text.consent.atRisk(formatExactAmount(risk.atRisk, token), formatPercent(risk.bps))}</small>
    </span>
  </label>
)
