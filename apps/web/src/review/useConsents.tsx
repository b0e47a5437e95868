/** The consents that a quote requires besides its confirmation: to a large loss of value, and to high slippage. */
import { isHighCost, type QuotePreview, slippageRisk } from "@geoswap/core/promise"
import type { FormToken } from "@geoswap/react"
import { useState } from "react"
import { usePage } from "../pageContext.js"
import { LossCheck } from "./LossCheck.js"
import { coversLoss, lossBound } from "./lossConsent.js"
import { SlippageCheck } from "./SlippageCheck.js"

/** Returns the checkboxes, and whether one of them is not checked. `token` is the output. */
export const useConsents = (quote: QuotePreview, token: FormToken | undefined, slippageBps?: number) => {
  const { config } = usePage()
  const [loss, setLoss] = useState<number>()
  const [minimum, setMinimum] = useState<bigint>()
  const isHigh = isHighCost(quote, config.highCostBps)
  // Consent that does not cover the current price is discarded. It does not apply to later prices either, even if it
  // would cover them.
  const accepted = isHigh && coversLoss(loss, quote)
  if (!accepted && loss !== undefined) setLoss(undefined)
  const risk = slippageRisk(quote, slippageBps)
  const risked = minimum !== undefined && minimum <= risk.minOutput
  if (!risked && minimum !== undefined) setMinimum(undefined)
  return {
    isHigh,
    isMissing: (isHigh && !accepted) || (risk.isHigh && !risked),
    /** The loss in basis points that is accepted with the quote, if any. */
    lossBps: isHigh ? lossBound(quote) : undefined,
    checks: (
      <>
        {isHigh && <LossCheck quote={quote} checked={accepted} onChange={setLoss} />}
        {risk.isHigh && token && <SlippageCheck risk={risk} token={token} checked={risked} onChange={setMinimum} />}
      </>
    )
  }
}
