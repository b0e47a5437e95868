/** `geoswap swap`: a whole swap, from the price to its end. */
import { Client, Policy, type Quote, Signer, type SwapEvent } from "@geoswap/core"
import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type * as Terminal from "effect/Terminal"
import type * as Directory from "../Directory.js"
import type * as Exit from "../Exit.js"
import * as FileJournal from "../FileJournal.js"
import type { Flags } from "../Flags.js"
import * as History from "../History.js"
import { consent } from "../internal/swap/consent.js"
import { delegatedOn } from "../internal/swap/delegated.js"
import { dryRun } from "../internal/swap/dryRun.js"
import { endAs, follow, nothing, type Reached, tellInterrupted } from "../internal/swap/follow.js"
import { settle } from "../internal/swap/leftovers.js"
import type { GivenSwap } from "../internal/swap/params.js"
import * as Output from "../Output.js"
import * as Session from "../Session.js"
import type { Settings } from "../Settings.js"
import * as SwapRequest from "../SwapRequest.js"
import * as Outcome from "../views/outcome.js"
import * as Progress from "../views/progress.js"

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
  let offered: Agreed | undefined
  const originOf = (flowId: string): History.Origin | undefined =>
    agreed && { flowId, createdAt: startedAt, request: agreed.request, output: agreed.quote.output }

  // A no comes to light in here, and stops the swap's program from outside.
  const refused = yield* Deferred.make<never, Exit.Declined>()
  const agreeTo = Effect.fnUntraced(function* (terms: Agreed, worse: boolean) {
    const { destination, origin } = order
    yield* consent({ ...terms, origin, destination, signs: true, maxLifetimeSeconds, delegation }, view, {
      acceptImpact: given.acceptImpact,
      acceptSlippage: Option.getOrUndefined(given.acceptSlippage),
      worse
    }).pipe(Effect.catch((declined) => Effect.andThen(Deferred.fail(refused, declined), Effect.never)))
    agreed = terms
  })
  const tell = follow(view, reached, originOf)
  const onProgress = (event: SwapEvent.SwapEvent): Effect.Effect<void> =>
    Effect.provideContext(
      Effect.gen(function* () {
        yield* tell(event)
        if (event.type === "quoted") yield* agreeTo({ request: event.request, quote: event.quote }, false)
        // Below the minimum that was agreed to first, the client asks through `acceptRequote`.
        if (event.type === "requoted" && agreed !== undefined) offered = { ...agreed, quote: event.quote }
        if (event.type === "built") agreed = offered ?? agreed
        // The wallet was delegated when the terms were shown: now that it is not, they are others.
        if (event.type === "authorizing" && agreed !== undefined && delegation?.needed !== true) {
          delegation = { needed: true, contract: event.delegate, pinned: true }
          yield* agreeTo(offered ?? agreed, false)
        }
      }),
      context
    )
  const acceptRequote = (): Effect.Effect<boolean> =>
    offered === undefined || offered === agreed
      ? Effect.succeed(offered !== undefined)
      : Effect.provideContext(Effect.as(agreeTo(offered, true), true), context)
  const swap = yield* Effect.raceFirst(
    Client.execute(input, { onProgress, acceptRequote, idempotencyKey }),
    Deferred.await(refused)
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
