/** Asks the user to accept the terms before anything is signed. */
import * as Effect from "effect/Effect"
import { Quote } from "@geoswap/core"
import * as Directory from "../../chains/Directory.js"
import { Declined, declined } from "../../output/Exit.js"
import { Flags } from "../../flags/Flags.js"
import { formatPercent } from "../../output/numbers.js"
import * as Output from "../../output/Output.js"
import type { Progress } from "../../swap/progress.js"
import * as Prompts from "../../terminal/Prompts.js"
import { formatTerms } from "../../swap/formatTerms.js"
import { slippageToJson } from "../../swap/termsToJson.js"
import * as Terms from "../../swap/terms.js"

/** What the user has accepted on the command line. */
export interface Options {
  readonly acceptCost: boolean
  /** The slippage that the user accepted, in basis points. */
  readonly acceptSlippage: number | undefined
  /** Whether these terms are worse than the terms that the user accepted earlier. */
  readonly worse?: boolean
}

/** Whether the slippage is high and exceeds the slippage that the user accepted. */
export const exceedsAcceptedSlippage = (
  terms: Pick<Terms.Terms, "quote" | "request">,
  acceptSlippage: number | undefined
) => {
  const { bps, isHigh } = Terms.slippageOf(terms)
  return isHigh && !(acceptSlippage !== undefined && bps <= acceptSlippage)
}

/**
 * Asks the user to accept the terms. A high cost or slippage requires a typed "yes" or a dedicated flag. Without
 * a terminal, only `--yes` accepts the terms. If the user cancels, the caller extends the error message with what was
 * already signed.
 */
export const consent = (terms: Terms.Terms, view: Progress, { acceptCost, acceptSlippage, worse = false }: Options) =>
  view.pause(
    Effect.gen(function* () {
      const output = yield* Output.Output
      const { interactive } = output
      const { yes } = yield* Flags
      const high = Quote.isHighCost(terms.quote) && !acceptCost
      const highSlippage = exceedsAcceptedSlippage(terms, acceptSlippage)
      const { atRisk, bps } = Terms.slippageOf(terms)
      const { total } = terms.quote.costs
      const canAsk = interactive && !yes
      // Printed above the terms, so that nothing comes between the terms and the prompt.
      if (highSlippage && canAsk) yield* Output.notice(output.noticeStyle.yellow(Terms.riskMessage(terms)))
      // In the JSON modes, the terms are shown on standard error, and only before a prompt.
      if (!output.isJson) yield* output.line(formatTerms(terms, output.style))
      else if (canAsk) yield* output.notice(formatTerms(terms, output.noticeStyle))
      if (yes && !high && !highSlippage && !worse) return
      if (!canAsk) {
        if (highSlippage) {
          return yield* new Declined({
            message: Terms.riskMessage(terms),
            next: `Lower --slippage, or accept the slippage with --accept-slippage ${bps / 100}. --yes does not accept it.`,
            slippage: slippageToJson(terms)
          })
        }
        if (high) {
          return yield* declined(
            total === undefined
              ? "The total cost is unknown, so it is treated as high."
              : `The total cost is high: ${formatPercent(total.bps)} of the input.`,
            "Try a different amount, or accept the cost with --accept-cost."
          )
        }
        return yield* worse
          ? declined(
              "The price is now worse than the one you accepted.",
              "Run the command again to accept the new price."
            )
          : declined(
              "Your confirmation is required, but no interactive terminal is available.",
              "Pass --yes if you are sure, with --min-output <amount>: the least that you accept."
            )
      }
      const text = worse
        ? "The price is now worse. Sign this instead?"
        : high
          ? `The total cost is ${total === undefined ? "unknown" : "high"}. Sign this?`
          : highSlippage
            ? `${Directory.formatAmount(atRisk, terms.destination.token, "up")} at risk. Sign this?`
            : "Sign this?"
      const question = `The price is valid for ${Quote.lifetimeMillis / 1000} s. ${text}`
      if (yield* high || highSlippage ? Prompts.confirmTyped(question) : Prompts.confirm(question)) return
      return yield* declined("Cancelled.", "Run the command again when you are ready.")
    })
  )
