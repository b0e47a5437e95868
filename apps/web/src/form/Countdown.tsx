/** How long the price holds: a ring that empties, and seconds. */
import type { QuoteState } from "@geoswap/react"
import type { ReactElement } from "react"

const lifetime = 30

const wordsOf = ({ isFetching, secondsLeft = 0, status }: QuoteState): string => {
  if (status === "ready") return secondsLeft > 0 ? `Price holds ${secondsLeft} s` : "Renewing the price"
  if (isFetching || status === "loading") return "Asking for a price"
  return status === "expired" ? "The price ran out" : "No price yet"
}

/** Counts calmly: nobody is told of every second. */
export const Countdown = ({ quote }: { readonly quote: QuoteState }): ReactElement => (
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
    {wordsOf(quote)}
  </span>
)
