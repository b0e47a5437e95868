/** Compares a requote with the quote that the user accepted. */
import { minimumOf, type QuotePreview, weakensMinimum } from "@geoswap/core/promise"

/** Whether a requote pays less than the accepted minimum, or has a minimum that is a smaller share of its output. */
export const isWorse = (accepted: QuotePreview, offered: QuotePreview): boolean =>
  offered.output < minimumOf(accepted) || weakensMinimum(accepted, offered)

/** Whether a requote has a lower output or a lower minimum, even if its output is not below the accepted minimum. */
export const isLess = (previous: QuotePreview, offered: QuotePreview): boolean =>
  isWorse(previous, offered) || offered.output < previous.output || minimumOf(offered) < minimumOf(previous)
