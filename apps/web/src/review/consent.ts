/** Asks the person about a price that got worse while a swap was on its way to being signed. */
import type { QuotePreview } from "@geoswap/core/promise"
import { minimumOf } from "./requoteRule.js"
import { coversLoss } from "./lossConsent.js"

/** A question that waits for its answer. */
export interface Question {
  readonly previous: QuotePreview
  readonly offered: QuotePreview
  /** Says yes, with the loss in basis points that is consented to, or no. */
  readonly answer: (yes: boolean, lossBps?: number) => void
}

/** What was agreed to, and whom to ask beyond it. */
export interface Consent {
  readonly subscribe: (listener: () => void) => () => void
  readonly question: () => Question | undefined
  /** Notes what is agreed to at the start: a quote, and the loss that it may bring. */
  readonly begin: (quote: QuotePreview, lossBps: number | undefined) => void
  /** Nobody waits for an answer any more. */
  readonly end: () => void
  readonly onHighImpact: (offered: QuotePreview) => boolean | Promise<boolean>
  readonly acceptRequote: (previous: QuotePreview, offered: QuotePreview) => boolean | Promise<boolean>
}

const isSame = (one: QuotePreview, other: QuotePreview): boolean =>
  one.output === other.output && minimumOf(one) === minimumOf(other)

/** The consent of whoever sits before the page; one swap at a time. */
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
    begin: (quote, lossBps) => {
      agreed = quote
      loss = lossBps
    },
    end: () => {
      question?.answer(false)
      agreed = loss = undefined
    },
    onHighImpact: (offered) => agreed !== undefined && (coversLoss(loss, offered) || ask(agreed, offered)),
    // What was just agreed to for its loss is not asked again for its price.
    acceptRequote: (previous, offered) => (agreed && isSame(agreed, offered) ? true : ask(previous, offered))
  }
}
