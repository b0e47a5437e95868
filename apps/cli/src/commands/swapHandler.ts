/** `geoswap swap`: a whole swap, from the price to its end. */
import { Chain, Client, Policy, type Quote, Signer, type SwapEvent } from "@geoswap/core"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type * as Terminal from "effect/Terminal"
import type * as Directory from "../chains/Directory.js"
import * as Exit from "../output/Exit.js"
import * as FileJournal from "../swap/FileJournal.js"
import type { Flags } from "./Flags.js"
import * as History from "../swap/History.js"
import { consent } from "../swap/consent.js"
import { delegatedOn } from "../swap/delegated.js"
import { dryRun } from "../swap/dryRun.js"
import { endAs, follow, nothing, type Reached, signedWords, tellInterrupted } from "../swap/trackSwap.js"
import { settle } from "../swap/unfinished/check.js"
import type { GivenSwap } from "./swapFlags.js"
import * as Output from "../output/Output.js"
import * as Session from "../service/Session.js"
import type { Settings } from "../config/Settings.js"
import * as SwapRequest from "../swap/SwapRequest.js"
import * as Outcome from "../swap/outcome.js"
import * as Progress from "../swap/progress.js"

/** Signers, policy and journal for an order. */
const session = (order: SwapRequest.Order, given: GivenSwap) =>
  Layer.mergeAll(
    Session.signers(order.origin.chain.kind),
    Layer.unwrap(
      Effect.gen(function* () {
        return Policy.layer(yield* SwapRequest.stricter(yield* Session.policyOf, given, order))
      })
    ),
    // A reader that does not know the origin would refuse every question about it.
    Session.readers(({ id }) => id === order.origin.chain.id),
    FileJournal.layer
  )

type Around = Directory.Directory | Flags | Output.Output | Settings | Terminal.Terminal

/** What was agreed to so far. */
interface Agreed {
  readonly request: Quote.QuoteRequest
  readonly quote: SwapEvent.QuotePreview
}

const trade = Effect.fnUntraced(function* (order: SwapRequest.Order, given: GivenSwap, reached: Reached) {
  const output = yield* Output.Output
  const signers = yield* Signer.Signers
  const { kind } = order.origin.chain
  const wallet = (kind === "evm" ? signers.evm : signers.solana)?.address ?? ""
  const idempotencyKey = Option.getOrUndefined(given.idempotencyKey)
  yield* settle(kind, wallet, { idempotencyKey, ignore: given.ignoreUnfinished }, reached)

  const input = yield* SwapRequest.inputOf(order, wallet)
  const view = yield* Progress.make("quote", order.destination.token)
  const { maxLifetimeSeconds } = yield* Policy.Policy
  let delegation = kind === "evm" ? yield* delegatedOn(order.origin.chain, wallet) : undefined
  const context = yield* Effect.context<Around>()
  const startedAt = yield* Clock.currentTimeMillis
  let agreed: Agreed | undefined
  /** The quote that the swap is built from, for the history alone. */
  let current: Agreed | undefined
  let refusal: Exit.Declined | undefined
  const originOf = (flowId: string): History.Origin | undefined =>
    current && { flowId, createdAt: startedAt, request: current.request, output: current.quote.output }

  const agreeTo = (terms: Agreed, worse: boolean): Effect.Effect<boolean> =>
    Effect.provideContext(
      Effect.gen(function* () {
        const { destination, origin } = order
        const answer = yield* Effect.result(
          consent({ ...terms, origin, destination, signs: true, maxLifetimeSeconds, delegation }, view, {
            acceptImpact: given.acceptImpact,
            acceptSlippage: Option.getOrUndefined(given.acceptSlippage),
            worse
          })
        )
        if (answer._tag === "Failure") refusal = answer.failure
        else agreed = terms
        return answer._tag === "Success"
      }),
      context
    )
  const tell = follow(view, reached, originOf)
  const swap = yield* Client.execute(input, {
    idempotencyKey,
    onProgress: (event) => {
      if (event.type === "quoted") current = { request: event.request, quote: event.quote }
      if (event.type === "requoted" && current !== undefined) current = { ...current, quote: event.quote }
      return Effect.provideContext(tell(event), context)
    },
    acceptQuote: (quote, request) => agreeTo({ request, quote }, false),
    // Below the minimum that was agreed to first.
    acceptRequote: (_, quote) =>
      agreed === undefined ? Effect.succeed(false) : agreeTo({ request: agreed.request, quote }, true),
    acceptDelegation: Effect.fnUntraced(function* ({ delegate }) {
      if (agreed === undefined) return false
      const shown = delegation?.needed === true && delegation.contract !== undefined
      if (!shown || !Chain.sameAddress("evm", delegation?.contract ?? "", delegate)) {
        // The terms that were agreed to name no delegation, or another one.
        delegation = { needed: true, contract: delegate, pinned: true }
        if (!(yield* agreeTo(agreed, false))) return false
      }
      reached.authorizing = true
      return true
    })
  }).pipe(
    Effect.mapError((error) => {
      // What was signed and left is another error, which says how to resume it.
      if (refusal === undefined || (error._tag !== "Declined" && error._tag !== "QuoteMoved")) return error
      const { message, next, slippage } = refusal
      return new Exit.Declined({
        message: `${message} ${signedWords(reached)}`,
        next: reached.signed ? "See geoswap history before you start it again." : next,
        ...(slippage !== undefined && { slippage }),
        ...(reached.signed && { exitCode: Exit.codes.unknown })
      })
    })
  )
  yield* view.close
  const entry = yield* History.entryOf(swap, originOf(reached.flowId ?? ""))
  if (output.mode !== "json-lines") yield* output.answer({ swap: entry }, (style) => Outcome.words(entry, style))
  return yield* endAs(Outcome.codeOf(entry.status))
})

const start = Effect.fnUntraced(function* (given: GivenSwap) {
  const order = yield* SwapRequest.resolve(given)
  if (given.dryRun) return yield* dryRun(order, given)
  const reached = nothing()
  return yield* Effect.scoped(trade(order, given, reached)).pipe(
    Effect.onInterrupt(() => tellInterrupted(reached)),
    Effect.provide(session(order, given))
  )
})

/** Swaps. */
export const run = (given: GivenSwap) => Effect.provide(start(given), Session.reads)
