/** The consents that a quote requires besides its confirmation: to a large loss of value, and to high slippage. */
import { isHighCost, type QuotePreview, slippageRisk } from "@geoswap/core/promise"
import type { FormToken } from "@geoswap/react"
import { type ReactNode, useState } from "react"
import { formatDollars, formatExactAmount, formatPercent } from "../format/amounts.js"
import { text } from "../language/language.js"
import { usePage } from "../pageContext.js"
import { coversLoss, lossBound } from "./lossConsent.js"

interface CheckProps {
  readonly checked: boolean
  readonly onChange: (checked: boolean) => void
  /** What the user accepts. */
  readonly title: string
  readonly children: ReactNode
}

const Check = ({ checked, children, onChange, title }: CheckProps) => (
  <label className="loss">
    <input type="checkbox" checked={checked} onChange={(event) => onChange(event.target.checked)} />
    <span>
      {title}
      <small>{children}</small>
    </span>
  </label>
)

/** States what most of the cost is: the network, the fee or the price impact. */
const reasonOf = ({ costs: { fee, impact, network } }: QuotePreview) => {
  if (impact === undefined) return undefined
  const { consent: words } = text
  const parts = [
    { bps: network?.bps ?? 0, text: words.mostlyNetwork },
    { bps: fee.bps, text: words.mostlyFee },
    { bps: impact.bps, text: words.mostlyImpact }
  ]
  return parts.toSorted((one, other) => other.bps - one.bps)[0]?.text
}

/** Returns the checkboxes, and whether one of them is not checked. `token` is the output. */
export const useConsents = (quote: QuotePreview, token: FormToken | undefined, slippageBps?: number) => {
  const { config } = usePage()
  const { consent: words } = text
  const [loss, setLoss] = useState<number>()
  const [minimum, setMinimum] = useState<bigint>()
  const isHigh = isHighCost(quote, config.highCostBps)
  const bound = lossBound(quote)
  const usd = quote.costs.total?.usd
  // Consent that does not cover the current price is discarded. It does not apply to later prices either, even if it
  // would cover them.
  const accepted = isHigh && coversLoss(loss, quote)
  if (!accepted && loss !== undefined) setLoss(undefined)
  const risk = slippageRisk(quote, slippageBps)
  const risked = minimum !== undefined && minimum <= risk.minOutput
  if (!risked && minimum !== undefined) setMinimum(undefined)
  return {
    isMissing: (isHigh && !accepted) || (risk.isHigh && !risked),
    /** The loss in basis points that is accepted with the quote, if any. */
    lossBps: isHigh ? bound : undefined,
    checks: (
      <>
        {isHigh && (
          <Check
            checked={accepted}
            onChange={(checked) => setLoss(checked ? bound : undefined)}
            title={Number.isFinite(bound) ? words.cost(formatPercent(bound)) : words.unknownCost}
          >
            {usd !== undefined && `${words.now(formatDollars(usd))} `}
            {reasonOf(quote)}
          </Check>
        )}
        {risk.isHigh && token && (
          <Check
            checked={risked}
            onChange={(checked) => setMinimum(checked ? risk.minOutput : undefined)}
            title={words.slippage(formatExactAmount(risk.minOutput, token))}
          >
            {words.atRisk(formatExactAmount(risk.atRisk, token), formatPercent(risk.bps))}
          </Check>
        )}
      </>
    )
  }
}
