/** Quotes a swap. */
import { Client } from "@geoswap/core"
import { type Order, quoteView } from "@geoswap/tools"
import * as Effect from "effect/Effect"
import * as Keys from "../keys/Keys.js"
import { names, usableRules } from "./names.js"
import { inputOf, resolveOrder, slippageOf } from "./resolveOrder.js"
import { fail } from "./toolError.js"

/** Quotes an order for the wallet, or without a wallet. */
export const quote = Effect.fnUntraced(function* (order: Order & { readonly indicative: boolean }) {
  const known = yield* names
  const resolved = yield* resolveOrder(order, known)
  const { kind } = resolved.from.chain
  const rules = (yield* usableRules()).find(({ wallet }) => wallet.kind === kind)
  const input = inputOf(resolved, slippageOf(order, rules))
  if (order.indicative) return quoteView(known, resolved, yield* Client.indicativeQuote(input))
  const wallet = yield* Keys.addressWithoutPassword(kind)
  if (wallet === undefined) {
    return yield* fail(
      "NO_WALLET",
      `There is no ${Keys.familyName[kind]} wallet.`,
      "Pass indicative: true for a price."
    )
  }
  const quoted = yield* Client.quote({ ...input, walletAddress: wallet })
  return quoteView(known, { ...resolved, recipient: resolved.recipient ?? wallet }, quoted)
})
