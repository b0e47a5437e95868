/** The last step of a submission: checks the price, the delivery and the claims, and stores the swap. */
import { Quote } from "@geoswap/core"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"
import type { ChainUnavailable } from "../chains/ChainError.js"
import { behindRefusal } from "../chains/chainRefusal.js"
import type { Chain } from "../chains/Chains.js"
import { chainOf, type Directory } from "../chains/Directory.js"
import type { SwapSignals } from "../concurrency/SwapSignals.js"
import type * as Config from "../config/Config.js"
import { type Claim, keyOf, type Kind } from "../domain/Claim.js"
import type { Refusal } from "../domain/Refusal.js"
import type { SignedOperation } from "../domain/SwapRecord.js"
import { countPayment } from "../metrics/countPayments.js"
import { alreadyUsed, expired, nonceUsed } from "../operations/refusals.js"
import type { EvmContext, SolanaContext } from "../operations/tokenContents.js"
import type { Pricing } from "../pricing/Pricing.js"
import type { Acceptance } from "../store/acceptance/Acceptance.js"
import type { Store } from "../store/Store.js"
import type { StoreUnavailable } from "../store/StoreError.js"
import { checkpoint } from "../tracing/Checkpoints.js"
import * as Trace from "../tracing/traceContext.js"
import { claimRefusal } from "./claimRefusals.js"
import { checkDelivery, checkPrice } from "./deliverable.js"
import type { PaymentMethods } from "./paymentMethods.js"
import { anyBlock, claimsOf, notBefore, type OldestBlock } from "./readClaims.js"
import type { Execution } from "./resources.js"

/**
 * How long to keep querying nodes that are behind, and the maximum number of retries. The duration is about one block
 * time on most chains.
 */
const rereadMillis = 5_000
const rereadsMost = 7
const pauses = Schedule.min([Schedule.exponential("100 millis"), Schedule.spaced("1 second")])

/** The maximum number of times that limits are read again because another swap released a claim after they were read. */
const roundsMost = 4

/** The wallet's own resources, of which it may have got more since the block at which they were read. */
const own: ReadonlyArray<Kind> = ["input", "approval"]

/**
 * Asks the store to accept the swap, with limits that are at least as recent as the latest release of another swap's claim
 * (see `store/acceptance/releases.ts`). Refuses the swap if no node reaches the block of that release in time.
 */
const ask = Effect.fnUntraced(function* (
  read: (oldest: OldestBlock) => Effect.Effect<ReadonlyArray<Claim>, ChainUnavailable | StoreUnavailable>,
  first: ReadonlyArray<Claim>,
  accept: (claims: ReadonlyArray<Claim>) => Effect.Effect<Acceptance, StoreUnavailable>
) {
  let [claims, end] = [first, Infinity]
  for (let round = 1; ; round++) {
    const acceptance = yield* accept(claims)
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
      Effect.timeoutOrElse({ duration: left, orElse: () => Effect.fail(behindRefusal()) })
    )
  }
})

/** Who submits a swap: an account, and the visitor if it is the page's account. */
export interface Submitter {
  readonly account: string
  readonly visitor: string | undefined
}

/** What admitting a swap needs. */
export interface Admission {
  readonly directory: Directory
  readonly quotes: Config.Config["quotes"]
  readonly pricing: Pricing
  readonly store: Store
  readonly signals: SwapSignals
  readonly paymentMethods: PaymentMethods
  readonly relayersOf: Execution["relayersOf"]
}

/** Stores the swap if all of its claims are granted. `check` runs with the other checks. */
export const admitSwap = Effect.fnUntraced(function* (
  admission: Admission,
  { account, visitor }: Submitter,
  context: EvmContext | SolanaContext,
  origin: Chain,
  operation: SignedOperation,
  check: Effect.Effect<void, Refusal | ChainUnavailable> = Effect.void
) {
  const { directory, relayersOf, signals, store } = admission
  const { operationHash, quote, terms, until } = context
  const destination = yield* chainOf(directory, quote.destinationChain)
  const { deliveryGas, expiresAt, inputUsd, ...agreed } = quote
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
  const read = (oldest: OldestBlock) =>
    claimsOf({ swap, origin, destination, relayersOf, deliveryGas, inputUsd }, oldest)
  const [first] = yield* Effect.all(
    [read(anyBlock), checkPrice(admission, quote), checkDelivery(destination, quote), check],
    { concurrency: "unbounded" }
  )
  yield* checkpoint("before accepted")
  const acceptance = yield* ask(read, first, (claims) => store.accept(swap, { claims, until }))
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
