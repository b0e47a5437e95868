/** Asks the user about a price that got worse between confirmation and signing. */
import { minOutputOf, type QuotePreview } from "@geoswap/core/promise"
import { createStore } from "../ui/store.js"
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

const isSame = (one: QuotePreview, other: QuotePreview) =>
  one.output === other.output && minOutputOf(one) === minOutputOf(other)

/** Creates the store for what the user has agreed to, and for the question that the user has not answered yet. The store handles one swap at a time. */
export const createConsent = () => {
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
    /** Records the confirmed quote and the accepted loss. */
    start: (quote: QuotePreview, lossBps: number | undefined) => {
      agreed = quote
      loss = lossBps
    },
    /** Declines an open question and clears the consent. */
    end: () => {
      question.get()?.answer(false)
      agreed = loss = undefined
    },
    onHighCost: (offered: QuotePreview) => agreed !== undefined && (coversLoss(loss, offered) || ask(agreed, offered)),
    // If the user has just accepted the loss of this quote, do not also ask about its price.
    acceptRequote: (previous: QuotePreview, offered: QuotePreview) =>
      agreed && isSame(agreed, offered) ? true : ask(previous, offered)
  }
}
