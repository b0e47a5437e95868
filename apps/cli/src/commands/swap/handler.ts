/** Handles `geoswap swap`: runs a swap from the quote to its final status. */
import { Chain, Client, Policy, Quote, Signer, SwapProgress, type SwapEvent } from "@geoswap/core"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Prompts from "../../terminal/Prompts.js"
import { signingSession } from "../../agent/signingSession.js"
import { readDelegationTerms } from "../../chains/delegation.js"
import type * as Directory from "../../chains/Directory.js"
import type * as Settings from "../../config/Settings.js"
import * as Exit from "../../output/Exit.js"
import * as Output from "../../output/Output.js"
import * as Session from "../../service/Session.js"
import { withAmountsInTokens } from "../../swap/amountsInErrors.js"
import { consent } from "./consent.js"
import { dryRun } from "./dryRun.js"
import * as StateFiles from "../../swap/stateFiles.js"
import * as Outcome from "../../swap/outcome.js"
import { paymentTerms } from "../../swap/payment.js"
import * as Progress from "../../swap/progress.js"
import { recorder } from "../../swap/record.js"
import * as SwapRequest from "../../swap/SwapRequest.js"
import { partiesOf } from "../../swap/terms.js"
import {
  exitUnlessOk,
  type FlowState,
  initialFlowState,
  reportInterrupted,
  signedMessage,
  trackSwap
} from "../../swap/trackSwap.js"
import { requireMinimum } from "./requireMinimum.js"
import { checkUnfinished } from "./checkUnfinished.js"
import type { Flags } from "../../flags/Flags.js"
import type { SwapArgs } from "../../flags/swapFlags.js"

type Context = Directory.Directory | Flags | Output.Output | Settings.Settings | Prompts.Environment

/** A quote and the request for which it was made. */
interface Quoted {
  readonly request: Quote.QuoteRequest
  readonly quote: SwapEvent.QuotePreview
}

const executeSwap = Effect.fnUntraced(function* (order: SwapRequest.Order, args: SwapArgs, state: FlowState) {
  const output = yield* Output.Output
  const signers = yield* Signer.Signers
  const { family } = order.origin.chain
  const wallet = (family === "evm" ? signers.evm : signers.solana)?.address ?? ""
  const { acceptCost, acceptSlippage, idempotencyKey } = args
  const input = yield* SwapRequest.toInput(order, wallet)
  const request = yield* Quote.request({ ...input, walletAddress: wallet })
  yield* checkUnfinished(request, idempotencyKey, state)
  const view = yield* Progress.make("quote", order.destination.token)
  const policy = yield* Policy.Policy
  const parties = yield* partiesOf(order, wallet)
  let delegation = family === "evm" ? yield* readDelegationTerms(order.origin.chain, wallet) : undefined
  const context = yield* Effect.context<Context>()
  const recording = yield* recorder({ createdAt: yield* Clock.currentTimeMillis, request, output: 0n })
  let accepted: Quoted | undefined
  let declined: Exit.Declined | undefined

  const askConsent = (quoted: Quoted, worse: boolean) =>
    Effect.provideContext(
      Effect.gen(function* () {
        const { maxLifetimeSeconds } = policy
        const payment = paymentTerms(family, quoted, policy)
        const terms = { ...parties, ...quoted, signs: true, maxLifetimeSeconds, delegation, payment }
        const answer = yield* Effect.result(consent(terms, view, { acceptCost, acceptSlippage, worse }))
        if (answer._tag === "Failure") declined = answer.failure
        else accepted = quoted
        return answer._tag === "Success"
      }),
      context
    )
  const swap = yield* Client.execute(input, {
    idempotencyKey,
    onProgress: trackSwap(view, state, recording),
    acceptQuote: (quote, request) => askConsent({ request, quote }, false),
    // Called if the new quote's output is below the minimum that the user accepted.
    acceptRequote: (_, quote) =>
      accepted === undefined ? Effect.succeed(false) : askConsent({ request: accepted.request, quote }, true),
    acceptDelegation: Effect.fnUntraced(function* ({ delegate }) {
      if (accepted === undefined) return false
      const shown = delegation?.needed === true && delegation.contract !== undefined
      if (!shown || !Chain.sameAddress("evm", delegation?.contract ?? "", delegate)) {
        // The terms that the user accepted did not include a delegation, or included a delegation to a different
        // contract.
        delegation = { needed: true, contract: delegate, pinned: true }
        return yield* askConsent(accepted, false)
      }
      return true
    })
  }).pipe(
    Effect.mapError(withAmountsInTokens(order)),
    Effect.mapError((error) => {
      // Any other error concerns a signature that was submitted. The error's own message explains how to resume the
      // swap.
      if (declined === undefined || (error._tag !== "Declined" && error._tag !== "QuoteMoved")) return error
      const { message, next, slippage } = declined
      const signed = SwapProgress.signedSoFar(state.events)
      return new Exit.Declined({
        message: `${message} ${signedMessage(signed)}`,
        ...(signed.swap === "none"
          ? { next }
          : { next: "Run geoswap history before you start the swap again.", exitCode: Exit.codes.unknown }),
        ...(slippage !== undefined && { slippage })
      })
    })
  )
  yield* view.close
  const entry = yield* recording.entryOf(swap)
  if (output.mode !== "json-lines") yield* Output.result({ swap: entry }, (style) => Outcome.format(entry, style))
  return yield* exitUnlessOk(Outcome.codeOf(entry))
})

const start = Effect.fnUntraced(function* (args: SwapArgs) {
  const order = yield* SwapRequest.resolve(args)
  if (args.dryRun) return yield* dryRun(order, args)
  const state = initialFlowState()
  return yield* Effect.scoped(executeSwap(order, args, state)).pipe(
    Effect.onInterrupt(() => reportInterrupted(state)),
    Effect.provide(
      Layer.provideMerge(
        signingSession(
          order.origin.chain,
          Effect.flatMap(Session.policyOf, (configured) => SwapRequest.strictestRules(configured, args, order))
        ),
        StateFiles.layer
      )
    )
  )
})

/** Runs a swap, or a dry run. */
export const run = (args: SwapArgs) =>
  Effect.andThen(
    args.dryRun ? Effect.void : Effect.provide(requireMinimum(args), Session.offline),
    Effect.provide(start(args), Session.reads)
  )
