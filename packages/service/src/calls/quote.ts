/** `POST /swap/quote`: prices a swap and seals everything that later calls need. */
import { Quote } from "@geoswap/core"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { methodsOf } from "../admission/paymentMethods.js"
import { chainRefusal } from "../chains/chainRefusal.js"
import { chainOf, type Directory } from "../chains/Directory.js"
import { together } from "../concurrency/together.js"
import { refuse } from "../domain/Refusal.js"
import * as OrderIds from "../operations/orderIds.js"
import { seal } from "../operations/tokenContents.js"
import { checkCapacity, opensAccount, priceSwap, readCapacity, rereadIfBelow } from "../pricing/priceSwap.js"
import { checkParties, resolveSwap } from "../pricing/resolveSwap.js"
import { withSpanIfTraced } from "../tracing/withSpanIfTraced.js"
import type { Dependencies } from "./Dependencies.js"

/** Creates the quote call. `cached` is the directory with cached reads. */
export const quote = (
  {
    directory,
    paymentMethods,
    pricing,
    sealer
  }: Pick<Dependencies, "directory" | "paymentMethods" | "pricing" | "sealer">,
  cached: Directory
) => {
  const nextOrderId = OrderIds.make()
  return withSpanIfTraced(
    "Service.quote",
    Effect.fnUntraced(function* (account: string, input: Quote.QuoteRequest) {
      const resolved = yield* resolveSwap(cached, input, Quote.request)
      const { amount, destination, inputToken, origin, outputToken } = resolved
      const wallet = input.walletAddress
      const recipient = input.recipient ?? wallet
      yield* checkParties(resolved, { wallet, recipient })
      const swap = { ...resolved, wallet, recipient, opensAccount: yield* opensAccount(resolved, recipient) }

      const [{ charged, priced }, seenBalance, capacity, methods] = yield* together([
        priceSwap(pricing, swap),
        Effect.mapErrorEager(origin.balanceOf(inputToken.address, wallet), chainRefusal),
        readCapacity(swap),
        methodsOf(paymentMethods, account, swap)
      ])
      const uncached = yield* chainOf(directory, origin.id)
      const balance = yield* rereadIfBelow(seenBalance, amount, () => uncached.balanceOf(inputToken.address, wallet))
      if (balance < amount) {
        return yield* refuse(
          "INSUFFICIENT_BALANCE",
          `The wallet has ${balance} ${inputToken.symbol} on ${origin.name}, but the swap requires ${amount} (both in the token's smallest unit). Use a smaller amount, or add funds.`,
          { details: { token: inputToken.address, balance: `${balance}`, required: `${amount}` } }
        )
      }
      yield* checkCapacity(directory, swap, priced.output, capacity)

      const now = yield* Clock.currentTimeMillis
      const expiresAt = now + Quote.lifetimeMillis
      const geoQuoteToken = yield* seal(
        sealer,
        "quote",
        { family: origin.family, account },
        {
          orderId: nextOrderId(destination.id),
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
          opensAccount: swap.opensAccount,
          ...charged
        }
      )
      return {
        geoQuoteToken,
        ...priced,
        expiresAt: new Date(expiresAt),
        origin: origin.family,
        ...methods
      } satisfies Quote.QuoteResponse
    })
  )
}
