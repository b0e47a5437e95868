/** Asks the user about a price that got worse between confirmation and signing. */
import { minimumOf, type QuotePreview } from "@geoswap/core/promise"
import { coversLoss } from "./lossConsent.js"

/** A question for the user. */
export interface Question {
  readonly previous: QuotePreview
  readonly offered: QuotePreview
  /** Accepts the offered price, together with the loss in basis points that the user accepts, or declines the price. */
  readonly answer: (yes: boolean, lossBps?: number) => void
}

/** What the user has agreed to, and the question that the user has not answered yet. */
export interface Consent {
  readonly subscribe: (listener: () => void) => () => void
  readonly question: () => Question | undefined
  /** Records the confirmed quote and the accepted loss. */
  readonly start: (quote: QuotePreview, lossBps: number | undefined) => void
  /** Declines an open question and clears the consent. */
  readonly end: () => void
  readonly onHighCost: (offered: QuotePreview) => boolean | Promise<boolean>
  readonly acceptRequote: (previous: QuotePreview, offered: QuotePreview) => boolean | Promise<boolean>
}

const isSame = (one: QuotePreview, other: QuotePreview): boolean =>
  one.output === other.output && minimumOf(one) === minimumOf(other)

/** Creates the store for the user's consent. The store handles one swap at a time. */
export const createConsent = (): Consent => {
  const listeners = new Set<() => void>()
  let question: Question | undefined
  let agreed: QuotePreview | undefined
  let loss: number | undefined

  const set = (next: Question | undefined) => {
    question = next
    for (const listener of listeners) listener()
  }

  const ask = (previous: QuotePreview, offered: QuotePreview) =>
    new Promise<boolean>((resolve) => {
      question?.answer(false)
      set({
        previous,
        offered,
        answer: (yes, lossBps) => {
          if (yes) {
            agreed = offered
            loss = lossBps
          }
          set(undefined)
          resolve(yes)
        }
      })
    })

  return {
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    question: () => question,
    start: (quote, lossBps) => {
      agreed = quote
      loss = lossBps
    },
    end: () => {
      question?.answer(false)
      agreed = loss = undefined
    },
    onHighCost: (offered) => agreed !== undefined && (coversLoss(loss, offered) || ask(agreed, offered)),
    // If the user has just accepted the loss of this quote, do not also ask about its price.
    acceptRequote: (previous, offered) => (agreed && isSame(agreed, offered) ? true : ask(previous, offered))
  }
}
