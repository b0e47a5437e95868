/** `POST /swap/quote`: prices a swap and seals everything that later calls need. */
import { Quote } from "@geoswap/core"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { methodsOf } from "../admission/paymentMethods.js"
import { chainOf, type Directory } from "../chains/Directory.js"
import { together } from "../concurrency/together.js"
import { refuse } from "../domain/Refusal.js"
import type { OrderIds } from "../operations/orderIds.js"
import { seal } from "../operations/tokenContents.js"
import { checkCapacity, priceSwap, rereadIfBelow } from "../pricing/priceSwap.js"
import { checkParties, resolveSwap } from "../pricing/resolveSwap.js"
import { call } from "./call.js"
import type { Dependencies } from "./Dependencies.js"

/** Creates the quote call. `cached` is the directory with cached reads. */
export const quote = (
  {
    directory,
    paymentMethods,
    pricing,
    sealer
  }: Pick<Dependencies, "directory" | "paymentMethods" | "pricing" | "sealer">,
  cached: Directory,
  orderIds: OrderIds
) =>
  call(
    "Service.quote",
    Effect.fnUntraced(function* (account: string, input: Quote.QuoteRequest) {
      const resolved = yield* resolveSwap(cached, input, Quote.request)
      const { amount, destination, inputToken, origin, outputToken } = resolved
      const wallet = input.walletAddress
      const parties = { wallet, recipient: input.recipient ?? wallet }
      yield* checkParties(resolved, parties)
      const [{ capacity, deliveryGas, priced, swap }, seenBalance, methods] = yield* together([
        priceSwap(pricing, resolved, parties, orderIds.sample(destination.id)),
        origin.balanceOf(inputToken.address, wallet),
        methodsOf(paymentMethods, account, resolved, parties)
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

      const { feeBps, minOutput, networkCost, output } = priced
      const expiresAt = (yield* Clock.currentTimeMillis) + Quote.lifetimeMillis
      const binding = { family: origin.family, account }
      const geoQuoteToken = yield* seal(sealer, "quote", binding, {
        orderId: orderIds.next(destination.id),
        expiresAt,
        originChain: origin.id,
        destinationChain: destination.id,
        inputToken: inputToken.address,
        outputToken: outputToken.address,
        ...parties,
        amount,
        output,
        minOutput,
        feeBps,
        networkCost,
        opensAccount: swap.opensAccount,
        ...(priced.inputUsd !== undefined && { inputUsd: Number(priced.inputUsd) }),
        ...(deliveryGas !== undefined && { deliveryGas })
      })
      return {
        geoQuoteToken,
        ...priced,
        expiresAt: new Date(expiresAt),
        origin: origin.family,
        ...methods
      } satisfies Quote.QuoteResponse
    })
  )
