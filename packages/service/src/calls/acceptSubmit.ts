/** The last step of a submission: checks the price, the recipient, the gas and the claims, and stores the swap. */
import { Chain as CoreChain, Quote } from "@geoswap/core"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"
import { claimRefusal } from "../admission/claimRefusals.js"
import { anyBlock, claimsOf, notBefore, type OldestBlock } from "../admission/claims.js"
import type { ChainUnavailable } from "../chains/ChainError.js"
import { behindRefusal, chainRefusal } from "../chains/chainRefusal.js"
import type { Chain, EvmChain } from "../chains/Chains.js"
import { chainOf } from "../chains/Directory.js"
import type { Draft } from "../chains/Draft.js"
import { type Claim, keyOf, type Kind } from "../domain/Claim.js"
import { type Refusal, refuse } from "../domain/Refusal.js"
import type { SignedOperation } from "../domain/SwapRecord.js"
import { countPayment } from "../metrics/countPayments.js"
import type { EvmContext, QuoteContext, SolanaContext } from "../operations/tokenContents.js"
import { currentPrice, worthDelivering } from "../pricing/priceDrift.js"
import { venueRefusal } from "../pricing/venueRefusal.js"
import type { Acceptance } from "../store/acceptance/Acceptance.js"
import type { StoreUnavailable } from "../store/StoreError.js"
import { storeRefusal } from "../store/storeRefusal.js"
import { checkpoint } from "../tracing/Checkpoints.js"
import * as Trace from "../tracing/traceContext.js"
import type { Dependencies } from "./Dependencies.js"

type Decided = Exclude<Acceptance, { readonly _tag: "Outdated" }>

export const alreadyUsed = () =>
  refuse(
    "QUOTE_ALREADY_USED",
    "Another operation has already used this quote. Follow that operation's swap, or request a new quote."
  )

export const nonceUsed = () =>
  refuse(
    "NONCE_USED",
    "Another operation from this wallet with the same nonce became a swap or was executed. This operation was not executed. To follow the other operation's swap, submit that operation again."
  )

export const expired = () =>
  refuse("OPERATION_EXPIRED", "The operation has expired. Request a new quote, then build and sign again.")

/**
 * Checks the price again. This check prevents a quote from being a free option, and avoids collecting an input that
 * would then have to be refunded.
 */
const checkPrice = Effect.fnUntraced(function* ({ directory, pricing, quotes }: Dependencies, quote: QuoteContext) {
  const price = yield* currentPrice(directory, pricing, quote).pipe(
    Effect.catchTags({ NoPrice: venueRefusal, VenueUnavailable: venueRefusal })
  )
  if (!worthDelivering(quote, price, quotes)) {
    return yield* refuse(
      "SLIPPAGE",
      "The price has moved too far since the quote. Request a new quote, then build and sign again."
    )
  }
})

/**
 * Refuses a recipient that cannot receive the output, because the input would be collected and then refunded at the
 * service's expense. If the delivery would fail for every recipient, the swap is not refused, because the cause may be
 * fixed before the delivery.
 */
const checkRecipient = (
  destination: Chain,
  { opensAccount, orderId, output, outputToken, recipient }: QuoteContext
): Effect.Effect<Draft | undefined, Refusal> => {
  const job = { kind: "deliver", orderId, token: outputToken, amount: output } as const
  return destination.prepare({ ...job, to: recipient, opensAccount }).pipe(
    Effect.catchTag("Impossible", (refused) =>
      destination.prepare({ ...job, to: destination.relayer, opensAccount: true }).pipe(
        Effect.andThen(
          Effect.fail(
            refuse(
              "NO_ROUTE",
              `The recipient cannot receive the output on ${destination.name}: ${refused.message} Use another recipient.`
            )
          )
        ),
        Effect.catchTag("Impossible", () => Effect.undefined)
      )
    ),
    Effect.catchTag("ChainUnavailable", (error) => Effect.fail(chainRefusal(error)))
  )
}

/**
 * The percentage by which the gas that a delivery needs may exceed the quoted gas. The margin is needed because
 * estimates vary and balances change.
 */
const moreGasPercent = 25n

/**
 * The gas that a delivery needs now. A token's delivery was already simulated. A recipient of native tokens may use more
 * gas than the simulation shows.
 */
const neededGas = (destination: EvmChain, { output, outputToken, recipient }: QuoteContext, draft: Draft | undefined) =>
  outputToken === CoreChain.nativeToken.evm
    ? Effect.map(destination.deliveryGas({ token: outputToken, to: recipient, amount: output }), ({ needed }) => needed)
    : Effect.succeed(draft?.gas ?? 0n)

/**
 * Refuses a recipient that cannot receive the output, and a quote that no longer covers the gas for the delivery, for
 * example because the recipient's code has become more expensive to run.
 */
const checkDelivery = Effect.fnUntraced(function* (
  destination: Chain,
  quote: QuoteContext
): Effect.fn.Return<void, Refusal> {
  const { deliveryGas } = quote
  const draft = yield* checkRecipient(destination, quote)
  if (destination.family !== "evm" || deliveryGas === undefined) return
  const needed = yield* Effect.mapError(neededGas(destination, quote, draft), chainRefusal)
  if (needed * 100n <= deliveryGas * (100n + moreGasPercent)) return
  return yield* refuse(
    "SLIPPAGE",
    `The delivery on ${destination.name} now requires more gas than the quote pays for. Request a new quote, then build and sign again.`,
    { details: { quotedGas: `${deliveryGas}`, neededGas: `${needed}` } }
  )
})

/**
 * How long to keep querying nodes that are behind, and the maximum number of retries. The duration is about one block
 * time on most chains.
 */
const rereadMillis = 5_000
const rereadsMost = 7
const pauses = Schedule.min([Schedule.exponential("100 millis"), Schedule.spaced("1 second")])

/** The maximum number of times that limits are read again because another swap released a claim after they were read. */
const roundsMost = 4

const readRefusal = (error: ChainUnavailable | StoreUnavailable): Refusal =>
  error._tag === "ChainUnavailable" ? chainRefusal(error) : storeRefusal()

/** The wallet's own resources, of which it may have got more since the block at which they were read. */
const own: ReadonlyArray<Kind> = ["input", "approval"]

/**
 * Asks the store to accept the swap, with limits that are at least as recent as the latest release of another swap's claim
 * (see `store/claims/releases.ts`). Refuses the swap if no node reaches the block of that release in time.
 */
const decide = Effect.fnUntraced(function* (
  read: (oldest: OldestBlock) => Effect.Effect<ReadonlyArray<Claim>, ChainUnavailable | StoreUnavailable>,
  first: ReadonlyArray<Claim>,
  ask: (claims: ReadonlyArray<Claim>) => Effect.Effect<Acceptance, Refusal>
): Effect.fn.Return<Decided, Refusal> {
  let [claims, end] = [first, Infinity]
  for (let round = 1; ; round++) {
    const acceptance = yield* ask(claims)
    if (acceptance._tag === "Exceeded" && own.includes(acceptance.claim.kind) && round === 1) {
      const { kind, limit, name } = acceptance.claim
      const newer = yield* Effect.option(read(notBefore([{ kind, name, block: limit.block + 1n }])))
      const again = Option.getOrElse(newer, () => claims)
      const hasMore = again.some((claim) => keyOf(claim) === keyOf({ kind, name }) && claim.limit.amount > limit.amount)
      if (hasMore) {
        claims = again
        continue
      }
    }
    if (acceptance._tag !== "Outdated") return acceptance
    const now = yield* Clock.currentTimeMillis
    end = Math.min(end, now + rereadMillis)
    const left = end - now
    if (round > roundsMost || left <= 0) return yield* behindRefusal()
    claims = yield* read(notBefore(acceptance.since)).pipe(
      Effect.retry({
        while: (error) => error._tag === "ChainUnavailable" && error.behind === true,
        schedule: pauses,
        times: rereadsMost
      }),
      Effect.mapError(readRefusal),
      Effect.timeoutOrElse({ duration: left, orElse: () => Effect.fail(behindRefusal()) })
    )
  }
})

/** Who submits a swap: an account, and the visitor if it is the page's account. */
export interface Submitter {
  readonly account: string
  readonly visitor: string | undefined
}

/** Stores the swap if all of its claims are granted. `check` runs with the other checks. */
export const accept = Effect.fnUntraced(function* (
  dependencies: Dependencies,
  { account, visitor }: Submitter,
  context: EvmContext | SolanaContext,
  origin: Chain,
  operation: SignedOperation,
  check: Effect.Effect<void, Refusal> = Effect.void
) {
  const { directory, relayersOf, signals, store } = dependencies
  const { operationHash, quote, terms, until } = context
  const destination = yield* chainOf(directory, quote.destinationChain)
  const { deliveryGas, expiresAt, ...agreed } = quote
  const createdAt = yield* Clock.currentTimeMillis
  const trace = yield* Trace.current
  const swap = {
    ...agreed,
    quotedAt: expiresAt - Quote.lifetimeMillis,
    id: crypto.randomUUID(),
    accountId: account,
    ...(visitor !== undefined && { visitor }),
    operationHash,
    terms,
    operation,
    ...(trace !== undefined && { trace }),
    createdAt
  }
  const read = (oldest: OldestBlock) => claimsOf({ swap, origin, destination, relayersOf, deliveryGas }, oldest)
  const [first] = yield* Effect.all(
    [
      Effect.mapError(read(anyBlock), readRefusal),
      checkPrice(dependencies, quote),
      checkDelivery(destination, quote),
      check
    ],
    { concurrency: "unbounded" }
  )
  yield* checkpoint("before accepted")
  const acceptance = yield* decide(read, first, (claims) =>
    Effect.mapError(store.accept(swap, { claims, until }), storeRefusal)
  )
  switch (acceptance._tag) {
    case "Inserted":
      yield* checkpoint("after accepted")
      yield* countPayment(origin.id, operation)
      yield* signals.announce
      return acceptance.swap
    case "Existing":
      return acceptance.swap
    case "QuoteUsed":
      return yield* alreadyUsed()
    case "NonceUsed":
      return yield* nonceUsed()
    case "Late":
      return yield* expired()
    case "Exceeded":
      return yield* claimRefusal(acceptance.claim, acceptance.used, quote.inputToken)
  }
})
