/** The request under review, and why a review was closed. */
import type { QuoteInput } from "@geoswap/core/promise"
import { text } from "../language/language.js"

const serialize = (request: QuoteInput) =>
  JSON.stringify(
    Object.entries(request)
      .map(([field, value]) => `${field}=${value}`)
      .toSorted()
  )

/** Whether two requests are equal. */
export const isSameRequest = (one: QuoteInput, other: QuoteInput | undefined) =>
  other !== undefined && serialize(one) === serialize(other)

/** Returns a message that explains why a review was closed, based on the current payer and recipient. */
export const closedMessage = (
  { recipient, walletAddress }: QuoteInput,
  now: { readonly wallet: string | undefined; readonly recipient: string | undefined }
) => {
  const isSame = now.wallet === walletAddress && now.recipient === (recipient ?? walletAddress)
  return isSame ? text.review.swapChanged : text.review.walletChanged
}
