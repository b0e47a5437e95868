/** `POST /swap/quote`: prices a swap, and seals all that a later call needs. */
import { Chain as CoreChain, Quote } from "@geoswap/core"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { Chain } from "../../Chains.js"
import { refuse } from "../../Refusal.js"
import { chainRefusal } from "../refusals.js"
import { seal } from "../sealed.js"
import type { Parts } from "./parts.js"
import { assetOf, chainOf, familyOf } from "./directory.js"

const randomOrderId = Effect.sync(
  () =>
    `0x${Array.from(crypto.getRandomValues(new Uint8Array(32)), (byte) => byte.toString(16).padStart(2, "0")).join("")}`
)

/** Somebody who can receive there: neither we ourselves nor a token. */
const checkParties = (origin: Chain, destination: Chain, wallet: string, recipient: string) => {
  const same = (chain: Chain, address: string) => (other: string) => CoreChain.sameAddress(chain.family, other, address)
  if ([origin.vault, origin.relayer].some(same(origin, wallet))) {
    return Effect.fail(refuse("VALIDATION", "walletAddress: is an address of this service; give the wallet that pays."))
  }
  const closed = [destination.vault, ...destination.tokens.map(({ address }) => address)]
  return closed.some(same(destination, recipient))
    ? Effect.fail(
        refuse("VALIDATION", "recipient: is a contract of this service or a token; give a wallet that can receive.")
      )
    : Effect.void
}

export const quote = (parts: Parts) =>
  Effect.fn("Service.quote")(function* (account: string, input: Quote.QuoteRequest) {
    const { directory, pricing, sealer } = parts
    const origin = yield* chainOf(directory, input.originChain)
    const destination = yield* chainOf(directory, input.destinationChain)
    const request = yield* Quote.request(input).pipe(
      Effect.provideService(CoreChain.Families, familyOf(directory)),
      Effect.mapError((error) => refuse("VALIDATION", error.message))
    )
    const inputToken = yield* assetOf(directory, origin, request.inputToken)
    const outputToken = yield* assetOf(directory, destination, request.outputToken)
    const wallet = request.walletAddress
    const recipient = request.recipient ?? wallet
    yield* checkParties(origin, destination, wallet, recipient)

    const { amount } = request
    // One look decides both who pays for the recipient's account and whether it is opened.
    const opensAccount =
      destination.family === "solana" &&
      (yield* Effect.mapError(destination.lacksAccount(outputToken.address, recipient), chainRefusal))
    const [priced, balance, largest, inventory] = yield* Effect.all(
      [
        pricing.price({
          origin,
          destination,
          inputToken,
          outputToken,
          amount,
          wallet,
          recipient,
          opensAccount,
          ...(request.slippageBps !== undefined && { slippageBps: request.slippageBps })
        }),
        Effect.mapError(origin.balanceOf(inputToken.address, wallet), chainRefusal),
        Effect.mapError(origin.largestInput(inputToken.address), chainRefusal),
        Effect.mapError(destination.inventoryOf(outputToken.address), chainRefusal)
      ],
      { concurrency: "unbounded" }
    )
    if (balance < amount) {
      return yield* refuse(
        "INSUFFICIENT_BALANCE",
        `The wallet has ${balance} of ${inputToken.symbol} in smallest units on ${origin.name}, and ${amount} is asked for.`,
        { details: { balance: `${balance}` } }
      )
    }
    if (largest < amount) {
      return yield* refuse(
        "NO_ROUTE",
        `At most ${largest} of ${inputToken.symbol} in smallest units can be swapped at once: ask for less.`,
        { details: { maximum: `${largest}` } }
      )
    }
    if (inventory < priced.output) {
      return yield* refuse(
        "NO_ROUTE",
        `There is not enough ${outputToken.symbol} on ${destination.name} for this swap at the moment: ask for less, or later.`
      )
    }

    const now = yield* Clock.currentTimeMillis
    const expiresAt = now + Quote.lifetimeMillis
    const geoQuoteToken = yield* seal(
      sealer,
      "quote",
      { family: origin.family, account },
      {
        orderId: yield* randomOrderId,
        expiresAt,
        originChain: origin.id,
        destinationChain: destination.id,
        inputToken: inputToken.address,
        outputToken: outputToken.address,
        wallet,
        recipient,
        amount,
        output: priced.output,
        minOutput: priced.minOutput,
        feeBps: priced.feeBps,
        networkCost: priced.networkCost,
        opensAccount
      }
    )
    return { geoQuoteToken, ...priced, expiresAt: new Date(expiresAt), origin: origin.family } satisfies Quote.Quote
  })
