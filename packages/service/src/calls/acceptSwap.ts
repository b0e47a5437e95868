/** The end of a submit: the last looks at price, recipient and balances, and the swap is stored. */
import { Quote } from "@geoswap/core"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import type { Chain, ChainUnavailable } from "../chains/Chains.js"
import { refuse, type Refusal } from "../Refusal.js"
import { checkpoint } from "../execution/Checkpoints.js"
import type { Acceptance, Limits } from "../store/Store.js"
import type { SignedOperation } from "../store/SwapRecord.js"
import { currentPrice, worthDelivering } from "../pricing/priceDrift.js"
import { venueRefusal } from "../pricing/venueRefusal.js"
import { behindRefusal, chainRefusal } from "../chains/chainRefusal.js"
import { storeRefusal } from "../store/storeRefusal.js"
import type { EvmContext, QuoteContext, SolanaContext } from "./tokenContents.js"
import * as Trace from "../tracing/traceContext.js"
import { chainOf } from "../chains/Directory.js"
import type { Dependencies } from "./Service.js"

type Decided = Exclude<Acceptance, { readonly _tag: "Outdated" }>

export const alreadyUsed = () =>
  refuse("QUOTE_ALREADY_USED", "This quote is used by another operation: follow that swap, or request a fresh quote.")

export const nonceUsed = () =>
  refuse(
    "NONCE_USED",
    "Another operation of the wallet with the same nonce became a swap, or was executed. Nothing was done with this one: follow that swap, which submitting its operation again returns."
  )

export const expired = () =>
  refuse("OPERATION_EXPIRED", "The operation has expired: request a fresh quote, build and sign again.")

/** The venue's word once more: a quote is no free option, and the wallet is spared an input that would come back. */
const checkPrice = Effect.fnUntraced(function* ({ directory, pricing, quotes }: Dependencies, quote: QuoteContext) {
  const price = yield* currentPrice(directory, pricing, quote).pipe(
    Effect.catchTags({ NoPrice: venueRefusal, VenueUnavailable: venueRefusal })
  )
  if (!worthDelivering(quote, price, quotes)) {
    return yield* refuse(
      "SLIPPAGE",
      "The price moved too far since the quote: request a fresh one, build and sign again."
    )
  }
})

/**
 * Whether it is the recipient who would not take the output: then the input would only go in and back at our cost.
 * What would be refused to anybody may be mended until then, and is not judged here.
 */
const checkRecipient = (
  destination: Chain,
  { opensAccount, orderId, output, outputToken, recipient }: QuoteContext
) => {
  const job = { kind: "deliver", orderId, token: outputToken, amount: output } as const
  return destination.prepare({ ...job, to: recipient, opensAccount }).pipe(
    Effect.catchTag("Impossible", (refused) =>
      destination.prepare({ ...job, to: destination.relayer, opensAccount: true }).pipe(
        Effect.andThen(
          Effect.fail(
            refuse(
              "NO_ROUTE",
              `The recipient cannot take this on ${destination.name}: ${refused.message} Name another.`
            )
          )
        ),
        Effect.catchTag("Impossible", () => Effect.void)
      )
    ),
    Effect.catchTag("ChainUnavailable", (error) => Effect.fail(chainRefusal(error)))
  )
}

/** By how much the gas of a delivery may be above what was quoted, in percent: estimates vary, and balances change. */
const moreGasPercent = 25n

/** Whether the quote pays for the delivery as it is now: the recipient's code may have become expensive since. */
const checkGas = Effect.fnUntraced(function* (
  destination: Chain,
  { deliveryGas, output, outputToken, recipient }: QuoteContext
): Effect.fn.Return<void, Refusal> {
  if (destination.family !== "evm" || deliveryGas === undefined) return
  const { needed } = yield* Effect.mapError(
    destination.deliveryGas({ token: outputToken, to: recipient, amount: output }),
    chainRefusal
  )
  if (needed * 100n <= deliveryGas * (100n + moreGasPercent)) return
  return yield* refuse(
    "SLIPPAGE",
    `The delivery on ${destination.name} needs more gas by now than the quote pays for: request a fresh one, build and sign again.`,
    { details: { quotedGas: `${deliveryGas}`, neededGas: `${needed}` } }
  )
})

/** The oldest blocks that may be read. */
interface Since {
  readonly balanceSince: bigint
  readonly inventorySince: bigint
}

/** How long, and how often at most, nodes that are behind are asked again: one block of most chains, and a few looks. */
const rereadMillis = 5_000
const rereadsMost = 7
const pauses = Schedule.min([Schedule.exponential("100 millis"), Schedule.spaced("1 second")])

/** How often in a row others may release something between a read and the acceptance. */
const roundsMost = 4

/**
 * Asks the store, with balances that are not older than what other swaps released: `internal/sql/releases.ts` says why.
 * Where no node has them in time, nothing is decided.
 */
const decide = Effect.fnUntraced(function* (
  read: (since: Since) => Effect.Effect<Limits, ChainUnavailable>,
  first: Limits,
  ask: (limits: Limits) => Effect.Effect<Acceptance, Refusal>
): Effect.fn.Return<{ readonly acceptance: Decided; readonly limits: Limits }, Refusal> {
  let [limits, end] = [first, Infinity]
  for (let round = 1; ; round++) {
    const acceptance = yield* ask(limits)
    if (acceptance._tag !== "Outdated") return { acceptance, limits }
    const now = yield* Clock.currentTimeMillis
    end = Math.min(end, now + rereadMillis)
    const left = end - now
    if (round > roundsMost || left <= 0) return yield* behindRefusal()
    limits = yield* read(acceptance).pipe(
      Effect.retry({ while: ({ behind }) => behind === true, schedule: pauses, times: rereadsMost }),
      Effect.mapError(chainRefusal),
      Effect.timeoutOrElse({ duration: left, orElse: () => Effect.fail(behindRefusal()) })
    )
  }
})

/** Writes the swap down, unless the wallet's balance or the inventory is promised to others. */
export const accept = Effect.fnUntraced(function* (
  dependencies: Dependencies,
  account: string,
  context: EvmContext | SolanaContext,
  origin: Chain,
  operation: SignedOperation
) {
  const { signals, directory, store } = dependencies
  const { operationHash, quote, terms, until } = context
  const destination = yield* chainOf(directory, quote.destinationChain)
  const read = ({ balanceSince, inventorySince }: Since) =>
    Effect.all(
      {
        balance: origin.balanceAt(quote.inputToken, quote.wallet, balanceSince),
        inventory: destination.inventoryAt(quote.outputToken, inventorySince)
      },
      { concurrency: "unbounded" }
    )
  const [first] = yield* Effect.all(
    [
      Effect.mapError(read({ balanceSince: 0n, inventorySince: 0n }), chainRefusal),
      checkPrice(dependencies, quote),
      checkRecipient(destination, quote),
      checkGas(destination, quote)
    ],
    { concurrency: "unbounded" }
  )
  const { deliveryGas: _gas, expiresAt, ...agreed } = quote
  const createdAt = yield* Clock.currentTimeMillis
  const trace = yield* Trace.current
  const swap = {
    ...agreed,
    quotedAt: expiresAt - Quote.lifetimeMillis,
    id: crypto.randomUUID(),
    accountId: account,
    operationHash,
    terms,
    operation,
    ...(trace !== undefined && { trace }),
    createdAt
  }
  yield* checkpoint("before accepted")
  const { acceptance, limits } = yield* decide(read, first, (seen) =>
    Effect.mapError(store.accept(swap, { ...seen, until }), storeRefusal)
  )
  switch (acceptance._tag) {
    case "Inserted":
      yield* checkpoint("after accepted")
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
    case "BalanceInFlight":
      return yield* refuse(
        "INSUFFICIENT_BALANCE",
        "The wallet has too little of the input token beside what its other swaps under way take. Wait for them, or add to it.",
        { details: { balance: `${limits.balance.amount}`, inFlight: `${acceptance.inFlight}` } }
      )
    case "InventoryReserved":
      return yield* refuse(
        "NO_ROUTE",
        "What is left of the output token on the destination chain is promised to other swaps: ask for less, or later."
      )
  }
})
