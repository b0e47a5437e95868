/** Compares a requote with the quote that the user accepted. */
import { minOutputOf, type QuotePreview, weakensMinimum } from "@geoswap/core/promise"

/**
 * Whether a requote is worse than what the user accepted: its output is below the accepted minimum, or its minimum is a
 * smaller share of its output than before.
 */
export const isWorse = (accepted: QuotePreview, offered: QuotePreview) =>
  offered.output < minOutputOf(accepted) || weakensMinimum(accepted, offered)

/**
 * Whether a requote has a lower output or a lower minimum than the previous quote, even if its output is not below the
 * accepted minimum.
 */
export const isLess = (previous: QuotePreview, offered: QuotePreview) =>
  isWorse(previous, offered) || offered.output < previous.output || minOutputOf(offered) < minOutputOf(previous)
