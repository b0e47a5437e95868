/** Asks the user about a price that got worse between confirmation and signing. */
import { minOutputOf, type QuotePreview } from "@geoswap/core/promise"
import { createStore, type Readable } from "../ui/store.js"
import { coversLoss } from "./lossConsent.js"

/** A question for the user. */
export interface Question {
  /** Differs from that of every other question. */
  readonly id: number
  readonly previous: QuotePreview
  readonly offered: QuotePreview
  /** Accepts the offered price, together with the loss in basis points that the user accepts, or declines the price. */
  readonly answer: (yes: boolean, lossBps?: number) => void
}

/** What the user has agreed to, and the question that the user has not answered yet. */
export interface Consent {
  readonly question: Readable<Question | undefined>
  /** Records the confirmed quote and the accepted loss. */
  readonly start: (quote: QuotePreview, lossBps: number | undefined) => void
  /** Declines an open question and clears the consent. */
  readonly end: () => void
  readonly onHighCost: (offered: QuotePreview) => boolean | Promise<boolean>
  readonly acceptRequote: (previous: QuotePreview, offered: QuotePreview) => boolean | Promise<boolean>
}

const isSame = (one: QuotePreview, other: QuotePreview) =>
  one.output === other.output && minOutputOf(one) === minOutputOf(other)

/** Creates the store for the user's consent. The store handles one swap at a time. */
export const createConsent = (): Consent => {
  let asked = 0
  const question = createStore<Question | undefined>(undefined)
  let agreed: QuotePreview | undefined
  let loss: number | undefined

  const ask = (previous: QuotePreview, offered: QuotePreview) =>
    new Promise<boolean>((resolve) => {
      question.get()?.answer(false)
      question.set({
        id: ++asked,
        previous,
        offered,
        answer: (yes, lossBps) => {
          if (yes) {
            agreed = offered
            loss = lossBps
          }
          question.set(undefined)
          resolve(yes)
        }
      })
    })

  return {
    question,
    start: (quote, lossBps) => {
      agreed = quote
      loss = lossBps
    },
    end: () => {
      question.get()?.answer(false)
      agreed = loss = undefined
    },
    onHighCost: (offered) => agreed !== undefined && (coversLoss(loss, offered) || ask(agreed, offered)),
    // If the user has just accepted the loss of this quote, do not also ask about its price.
    acceptRequote: (previous, offered) => (agreed && isSame(agreed, offered) ? true : ask(previous, offered))
  }
}
