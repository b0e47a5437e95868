/** The last word before anything is signed is the person's. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { Quote } from "@geoswap/core"
import * as Directory from "../chains/Directory.js"
import { Declined } from "../output/Exit.js"
import { Flags } from "../commands/Flags.js"
import { Output } from "../output/Output.js"
import type { Progress } from "./progress.js"
import { ask } from "../terminal/confirmBeforeExpiry.js"
import * as Terms from "./terms.js"

const declined = (message: string, next: string) => new Declined({ message, next })

const tooLoose = (terms: Terms.Terms) => {
  const { bps } = Terms.slippageOf(terms)
  return new Declined({
    message: Terms.riskWords(terms),
    next: `Lower --slippage-bps, or accept it with --accept-slippage ${bps / 100}. --yes alone does not.`,
    slippage: Terms.slippageJson(terms)
  })
}

const tooDear = ({ quote }: Terms.Terms) =>
  declined(
    quote.priceImpactBps === undefined
      ? "The price impact is not known, and is treated as high."
      : `The price impact is high: ${Terms.percentOf(quote.priceImpactBps)}.`,
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
  /** The slippage that was accepted on the command line, in percent. */
  readonly acceptSlippage: number | undefined
  /** The terms got worse since they were agreed to. */
  readonly worse?: boolean
}

/** Whether the slippage still needs a confirmation; accepting less than it is does not confirm it. */
export const isTooLoose = (
  terms: Pick<Terms.Terms, "quote" | "request">,
  acceptSlippage: number | undefined
): boolean => {
  const { bps, high } = Terms.slippageOf(terms)
  return high && !(acceptSlippage !== undefined && bps <= Math.round(acceptSlippage * 100))
}

/**
 * Asks for a yes to the terms. A high price impact and a high slippage need one of their own, typed or by their flags;
 * where nobody can be asked only `--yes` counts. What was signed before a no, the caller adds.
 */
export const consent = (terms: Terms.Terms, view: Progress, { acceptImpact, acceptSlippage, worse = false }: Options) =>
  view.pause(
    Effect.gen(function* () {
      const output = yield* Output
      const { canAsk } = output
      const { yes } = yield* Flags
      const high = Terms.isHighImpact(terms.quote) && !acceptImpact
      const loose = isTooLoose(terms, acceptSlippage)
      const mayAsk = canAsk && !yes
      const until = (yield* Clock.currentTimeMillis) + Quote.lifetimeMillis
      // Before the terms: what is signed stands directly above the question.
      if (loose && mayAsk) yield* output.remark(output.remarkStyle.yellow(Terms.riskWords(terms)))
      yield* show(terms, mayAsk)
      if (yes && !high && !loose && !worse) return
      if (!mayAsk) {
        if (loose) return yield* tooLoose(terms)
        if (high) return yield* tooDear(terms)
        return yield* worse
          ? declined("The price moved away from what was agreed.", "Run it again at the new price.")
          : declined("This needs a yes, and there is nobody to ask.", "Add --yes once you are sure.")
      }
      const text = worse
        ? "The price got worse. Sign this instead?"
        : high
          ? `The price impact is ${terms.quote.priceImpactBps === undefined ? "not known" : "high"}. Sign this?`
          : loose
            ? `${Directory.formatAmount(Terms.slippageOf(terms).atRisk, terms.destination.token)} are at risk. Sign this?`
            : "Sign this?"
      if (yield* ask({ text, typed: high || loose, until })) return
      return yield* declined("You said no.", "Run it again when you want to.")
    })
  )
