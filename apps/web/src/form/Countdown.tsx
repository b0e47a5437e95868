/** A countdown until the quote expires. */
import type { QuoteResult } from "@geoswap/react"
import { text } from "../language/language.js"

const lifetime = 30

const labelOf = ({ isFetching, phase, secondsLeft = 0 }: QuoteResult) => {
  if (phase === "ready") return secondsLeft > 0 ? text.price.validFor(secondsLeft) : text.price.refreshing
  if (isFetching || phase === "loading") return text.price.getting
  return phase === "expired" ? text.price.expired : text.price.none
}

interface CountdownProps {
  readonly quote: QuoteResult
  /** Whether the price is an estimate, which does not expire. */
  readonly isEstimate?: boolean
}

/** A ring and the number of seconds left. Screen readers do not announce every second. */
export const Countdown = ({ isEstimate = false, quote }: CountdownProps) => (
  <span className="countdown" data-testid="countdown" aria-live="off">
    <svg viewBox="0 0 20 20" aria-hidden="true">
      <circle cx="10" cy="10" r="8" pathLength="1" />
      <circle
        className="countdown-left"
        cx="10"
        cy="10"
        r="8"
        pathLength="1"
        strokeDasharray={`${Math.min(1, (quote.secondsLeft ?? 0) / lifetime)} 1`}
      />
    </svg>
    {isEstimate ? text.price.estimate : labelOf(quote)}
  </span>
)
