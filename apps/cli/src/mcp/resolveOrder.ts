/** Resolves an order of a tool: its tokens, amount, recipient and slippage. */
import { Amount, Chain, Quote } from "@geoswap/core"
import { type Names, type Order, resolveToken, type ToolError } from "@geoswap/tools"
import * as Effect from "effect/Effect"
import type { AgentRules } from "../agent/PolicyFile.js"
import * as Keys from "../keys/Keys.js"
import { attempt, fail } from "./toolError.js"

/** Parses an amount in whole tokens. */
export const parseAmount = (text: string, decimals: number, what: string): Effect.Effect<bigint, ToolError> => {
  const amount = Amount.parse(text, decimals)
  return amount !== undefined && amount > 0n
    ? Effect.succeed(amount)
    : fail(
        "INVALID_ARGUMENTS",
        `${what} is invalid: expected more than zero, with at most ${decimals} decimal places.`,
        "Nothing was sent. Correct the amount. It is in whole tokens."
      )
}

/** Resolves the tokens, the amount and the recipient of an order. `known` are the tokens that may be named. */
export const resolveOrder = Effect.fnUntraced(function* (order: Order, known: Names) {
  const [from, to] = yield* attempt(() => [resolveToken(known, order.from), resolveToken(known, order.to)] as const)
  const amount = yield* parseAmount(order.amount, from.token.decimals, "amount")
  const { recipient } = order
  if (recipient !== undefined && !Chain.isAddress(to.chain.kind, recipient)) {
    return yield* fail(
      "INVALID_ARGUMENTS",
      `recipient is not an address on ${to.chain.name}.`,
      "Nothing was sent. Use an address that the user gave you, exactly as it was written."
    )
  }
  const own = recipient ?? (from.chain.kind === to.chain.kind ? undefined : yield* ownAddress(to.chain.kind))
  return { from, to, amount, recipient: own }
})

/** The address of the user's wallet on the other kind of chain, for the default recipient. */
const ownAddress = Effect.fnUntraced(function* (family: Chain.Family) {
  const address = yield* Effect.catch(Keys.addressWithoutPassword(family), () => Effect.succeed(undefined))
  return (
    address ??
    (yield* fail(
      "INVALID_ARGUMENTS",
      "recipient is missing: the two chains are of different kinds.",
      "Ask the user for the address that receives the output."
    ))
  )
})

/** A resolved order. */
export type Resolved = Effect.Success<ReturnType<typeof resolveOrder>>

/** The slippage of an order that names none: the default, or less if the policy allows less. */
export const slippageOf = ({ slippageBps }: Order, rules: AgentRules | undefined): number | undefined =>
  slippageBps ?? (rules && Math.min(Quote.defaultSlippageBps, rules.maxSlippageBps))

/** The request for a quote. */
export const inputOf = ({ amount, from, recipient, to }: Resolved, slippageBps: number | undefined) => ({
  originChain: from.chain.id,
  destinationChain: to.chain.id,
  inputToken: from.token.address,
  outputToken: to.token.address,
  amount,
  recipient,
  slippageBps
})
