/** Whether a renewed price is still what a person agreed to. */
import type { QuotePreview } from "@geoswap/core/promise"

/** The least that a quote promises. */
export const minimumOf = ({ minOutput, output }: Pick<QuotePreview, "output" | "minOutput">): bigint =>
  minOutput ?? output

/** Whether a new price gives less than the least that was agreed to, or promises a weaker least. */
export const isWorse = (agreed: QuotePreview, offered: QuotePreview): boolean =>
  offered.output < minimumOf(agreed) || (minimumOf(offered) + 1n) * agreed.output < minimumOf(agreed) * offered.output

/** Whether a new price gives or promises less in any way, also within what was agreed to. */
export const isLess = (previous: QuotePreview, offered: QuotePreview): boolean =>
  isWorse(previous, offered) || offered.output < previous.output || minimumOf(offered) < minimumOf(previous)
