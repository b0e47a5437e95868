/** The last word before anything is signed is the person's. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { Quote } from "@geoswap/core"
import { Declined } from "../../Exit.js"
import { Flags } from "../../Flags.js"
import { Output } from "../../Output.js"
import type { Progress } from "../../views/progress.js"
import { ask } from "../../views/question.js"
import * as Terms from "../../views/terms.js"

const declined = (message: string, next: string) => new Declined({ message: `${message} Nothing was signed.`, next })

const tooDear = ({ quote }: Terms.Terms) =>
  declined(
    `The price impact is high: ${quote.priceImpactBps === undefined ? "nobody knows how high" : Terms.percentOf(quote.priceImpactBps)}.`,
    "Try another amount, or agree to it with --accept-impact."
  )

/** Shows the terms: on standard output, and where that belongs to a program only if somebody is asked. */
const show = (terms: Terms.Terms, asked: boolean) =>
  Effect.flatMap(Output, (output) => {
    const forPeople = output.mode === "terminal" || output.mode === "lines"
    if (forPeople) return output.line(Terms.words(terms, output.style))
    return asked ? output.remark(Terms.words(terms, output.remarkStyle)) : Effect.void
  })

/** What is asked for besides the terms. */
export interface Options {
  readonly acceptImpact: boolean
  /** The terms got worse since they were agreed to. */
  readonly worse?: boolean
}

/**
 * Asks for a yes to the terms. A high price impact needs one of its own, typed or by its flag; where nobody can be asked
 * only `--yes` counts.
 */
export const consent = (terms: Terms.Terms, view: Progress, { acceptImpact, worse = false }: Options) =>
  view.pause(
    Effect.gen(function* () {
      const { canAsk } = yield* Output
      const { yes } = yield* Flags
      const high = Terms.isHighImpact(terms.quote) && !acceptImpact
      const mayAsk = canAsk && !yes
      const until = (yield* Clock.currentTimeMillis) + Quote.lifetimeMillis
      yield* show(terms, mayAsk)
      if (yes && !high && !worse) return
      if (!mayAsk) {
        if (high) return yield* tooDear(terms)
        return yield* worse
          ? declined("The price moved away from what was agreed.", "Run it again at the new price.")
          : declined("This needs a yes, and there is nobody to ask.", "Add --yes once you are sure.")
      }
      const text = worse
        ? "The price got worse. Sign this instead?"
        : high
          ? "The price impact is high. Sign this?"
          : "Sign this?"
      if (yield* ask({ text, typed: high, until })) return
      return yield* declined("You said no.", "Run it again when you want to.")
    })
  )
