/** What a review was opened on, and why it does not stay open. */
import type { Quote, QuoteInput } from "@geoswap/core/promise"

/** A price, and the request that it is for. */
export interface OpenReview {
  readonly quote: Quote
  readonly request: QuoteInput
}

const textOf = (request: QuoteInput): string =>
  JSON.stringify(
    Object.entries(request)
      .map(([field, value]) => `${field}=${value}`)
      .toSorted()
  )

/** Whether a request is still the same, whatever object it is. */
export const isSameRequest = (one: QuoteInput, other: QuoteInput | undefined): boolean =>
  other !== undefined && textOf(one) === textOf(other)

/** Why a review was closed, with who pays and who receives by now. */
export const closedMessage = (
  { recipient, walletAddress }: QuoteInput,
  now: { readonly wallet: string | undefined; readonly recipient: string | undefined }
): string => {
  const isSame = now.wallet === walletAddress && now.recipient === (recipient ?? walletAddress)
  return `The ${isSame ? "swap" : "wallet"} changed, so the review was closed. Look at it again.`
}
