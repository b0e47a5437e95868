/** Resolves the swap that the command line describes: chains, tokens, amount, recipient and rules. */
import { Chain, Policy } from "@geoswap/core"
import * as Effect from "effect/Effect"
import * as Directory from "../chains/Directory.js"
import { readBalances } from "../chains/nodes.js"
import { type Failure, failure, usage, type UsageError } from "../output/Exit.js"
import type { RequestArgs, RuleArgs } from "../flags/swapFlags.js"
import * as Keys from "../keys/Keys.js"
import * as OwnPrices from "./OwnPrices.js"
import { resolveRecipient } from "./recipientLabel.js"

type Size = { readonly kind: "human" | "raw"; readonly text: string } | { readonly kind: "max" }

/** A swap with resolved chains and tokens. With `--max`, the amount still depends on the wallet's balance. */
export interface Order extends Directory.Pair {
  readonly size: Size
  readonly recipient: string | undefined
  readonly slippageBps: number | undefined
}

const formatToken = ({ chain, token }: Directory.ChainToken) =>
  `${token.pinned ? token.symbol : token.address} on ${Directory.formatChain(chain)}`

/** A form that is right for every configuration, with the command that lists what can be filled in. */
const form = "Write <amount> <token>@<chain> <token>@<chain>. To list the tokens, run 'geoswap tokens'."

const sizeOf = ({ amountIn, amountRaw, max }: RequestArgs, positional: string | undefined) => {
  const [only, ...others]: ReadonlyArray<Size> = [
    ...[positional, amountIn].flatMap((text) => (text === undefined ? [] : [{ kind: "human" as const, text }])),
    ...(amountRaw === undefined ? [] : [{ kind: "raw" as const, text: amountRaw }]),
    ...(max ? [{ kind: "max" as const }] : [])
  ]
  if (only === undefined) return Effect.fail(usage("The amount is missing.", form))
  return others.length === 0
    ? Effect.succeed(only)
    : Effect.fail(usage("The amount was given more than once.", "Pass only one of: the amount, --amount-raw, --max."))
}

/** Whether an argument is an amount and not a token: `10`, `0.5`. */
const isAmount = (text: string) => /^[0-9.,]+$/.test(text)

/** Splits the arguments into the amount and the tokens, and reports which of them is missing. */
const splitPositionals = Effect.fnUntraced(function* (positionals: ReadonlyArray<string>) {
  const [first, second] = positionals
  if (positionals.length === 3) return { amount: first, pairs: positionals.slice(1) }
  if (first === undefined || (second !== undefined && !isAmount(first)))
    return { amount: undefined, pairs: positionals }
  return yield* usage(
    second === undefined && isAmount(first) ? "The tokens are missing." : "The token to receive is missing.",
    form
  )
})

/** Resolves a token that is named by two flags. */
const tokenIn = Effect.fnUntraced(function* (side: "in" | "out", chain: string | undefined, token: string | undefined) {
  if (chain === undefined) return yield* usage(`--chain-${side} is missing.`, form)
  if (token === undefined) return yield* usage(`--token-${side} is missing.`, form)
  const found = yield* Directory.resolveChain(chain)
  return { chain: found, token: yield* Directory.resolveToken(token, found) }
})

const tokensOf = Effect.fnUntraced(function* (args: RequestArgs, [from, to]: ReadonlyArray<string>) {
  const { chainIn, chainOut, tokenIn: input, tokenOut: output } = args
  if (from === undefined || to === undefined) {
    return { origin: yield* tokenIn("in", chainIn, input), destination: yield* tokenIn("out", chainOut, output) }
  }
  if ((chainIn ?? chainOut ?? input ?? output) !== undefined) {
    return yield* usage("The tokens were given twice, as arguments and as flags.", "Pass them only once.")
  }
  return { origin: yield* Directory.resolveChainToken(from), destination: yield* Directory.resolveChainToken(to) }
})

/**
 * Adds the recipient of a swap between chain families, if the user passed none: the user's default key for the family of
 * the destination. The terms show it. A keystore's address is not used, because it can be changed without the password.
 */
export const withRecipient = Effect.fnUntraced(function* (order: Order) {
  const [from, to] = [order.origin.chain.family, order.destination.chain.family]
  if (order.recipient !== undefined || from === to) return order
  const own = yield* Effect.orElseSucceed(Keys.defaultKeyOf(to), () => undefined)
  if (own?.isProven === true) return { ...order, recipient: own.address }
  return yield* usage(
    `A swap from ${Keys.familyName[from]} to ${Keys.familyName[to]} requires a recipient.`,
    own === undefined
      ? `Pass --recipient <address>, or add a key for ${Keys.familyName[to]} chains with geoswap keys add <name>.`
      : `Pass one. To use your own wallet: --recipient ${own.address}`
  )
})

/** Resolves the swap that the arguments describe. A recipient that is required may still be missing. */
export const resolveOrder = Effect.fnUntraced(function* (args: RequestArgs) {
  const { amount, pairs } = yield* splitPositionals(args.positionals)
  const size = yield* sizeOf(args, amount)
  const { destination, origin } = yield* tokensOf(args, pairs)
  if (
    origin.chain.id === destination.chain.id &&
    Chain.sameAddress(origin.chain.family, origin.token.address, destination.token.address)
  ) {
    return yield* usage(
      `Both sides are the same token: ${formatToken(origin)}.`,
      "Choose another token, or another chain, for one of the sides."
    )
  }
  if (origin.token.native) {
    return yield* usage(
      `The native token on ${Directory.formatChain(origin.chain)} can only be received, not used to pay.`,
      "Pay with a different token. To list the tokens, run 'geoswap tokens'."
    )
  }
  const { recipient, slippage, slippageBps } = args
  if (slippage !== undefined && slippageBps !== undefined) {
    return yield* usage("The slippage was given twice.", "Pass only one of: --slippage, --slippage-bps.")
  }
  const order: Order = {
    origin,
    destination,
    size,
    recipient: recipient && (yield* resolveRecipient(recipient, destination)),
    slippageBps: slippage ?? slippageBps
  }
  // Reports an invalid amount before a key is opened.
  if (size.kind !== "max") yield* amountOf(order, "")
  return order
})

/** Resolves the swap that the arguments describe, including a recipient if one is required. */
export const resolve = (args: RequestArgs) => Effect.flatMap(resolveOrder(args), withRecipient)

/** Reads the entire balance of the input token. */
const balanceOf = Effect.fnUntraced(function* ({ chain, token }: Directory.ChainToken, wallet: string) {
  if (chain.rpcUrl === undefined) {
    return yield* failure(
      `--max requires a node for ${chain.name} to read the balance from.`,
      `Set chains.${chain.id}.rpcUrl in the configuration, or pass the amount.`
    )
  }
  const balances = yield* readBalances(chain, chain.rpcUrl, wallet, [token])
  const amount = balances[0]?.amount ?? 0n
  return amount > 0n
    ? amount
    : yield* failure(
        `The wallet ${wallet} holds no ${token.pinned ? token.symbol : token.address}.`,
        "To see your balances, run 'geoswap balance'."
      )
})

/** Returns the input amount in the token's smallest unit. */
const amountOf = ({ origin, size }: Order, wallet: string): Effect.Effect<bigint, UsageError | Failure> =>
  size.kind === "max"
    ? balanceOf(origin, wallet)
    : size.kind === "raw"
      ? Directory.parseRawAmount(size.text, origin)
      : Directory.parseAmount(size.text, origin)

const inputOf = (order: Order, amount: bigint) => ({
  originChain: order.origin.chain.id,
  destinationChain: order.destination.chain.id,
  inputToken: order.origin.token.address,
  outputToken: order.destination.token.address,
  amount,
  recipient: order.recipient,
  slippageBps: order.slippageBps
})

/** Returns the input for `Client.execute`. `wallet` is the wallet that pays. */
export const toInput = (order: Order, wallet: string) =>
  Effect.map(amountOf(order, wallet), (amount) => ({ ...inputOf(order, amount), walletAddress: wallet }))

/** Returns the input for an indicative quote without a wallet. The size must not be `max`. */
export const toIndicativeInput = (order: Order) => Effect.map(amountOf(order, ""), (amount) => inputOf(order, amount))

const lowest = (one: number | undefined, other: number | undefined) =>
  one === undefined || (other !== undefined && other < one) ? other : one

/**
 * Combines the configured policy with the rules for this swap. The stricter value wins, so no flag can loosen the
 * policy.
 */
export const strictestRules = Effect.fnUntraced(function* (configured: Policy.Options, rules: RuleArgs, order: Order) {
  const { maxLoss: maxLossBps, minOutput, minOutputRaw } = rules
  if (minOutput !== undefined && minOutputRaw !== undefined) {
    return yield* usage("The minimum output was given twice.", "Pass only one of: --min-output, --min-output-raw.")
  }
  const minimum =
    minOutput !== undefined
      ? yield* Directory.parseAmount(minOutput, order.destination, "--min-output-raw")
      : minOutputRaw !== undefined
        ? yield* Directory.parseRawAmount(minOutputRaw, order.destination)
        : undefined
  if (minimum === 1n) {
    return yield* usage("A minimum output of one unit limits nothing.", "Pass the least that you accept.")
  }
  const ownMinimum = yield* OwnPrices.minimumWithin(maxLossBps)
  if (maxLossBps !== undefined && !(yield* OwnPrices.coverPair(order))) {
    return yield* usage(
      `--max-loss requires your own prices of ${formatToken(order.origin)} and ${formatToken(order.destination)}.`,
      `Set both in policy.prices of the configuration, in dollars per token, or pass --min-output instead. For example: geoswap config set policy.prices '{"usdc@base":"1","weth@arbitrum":"2500"}'`
    )
  }
  const { paymentMethods: allowed } = configured
  const { paymentMethod: chosen } = rules
  if (chosen !== "auto" && allowed?.includes(chosen) === false) {
    return yield* Policy.violation("paymentMethods", allowed.join(", "), chosen)
  }
  const strictest: Policy.Options = {
    ...configured,
    paymentMethods: chosen === "auto" ? allowed : [chosen],
    maxTotalCostBps: lowest(configured.maxTotalCostBps, rules.maxTotalCostBps),
    maxFeeBps: lowest(configured.maxFeeBps, rules.maxFeeBps),
    minOutput: (request) =>
      OwnPrices.highest(OwnPrices.highest(configured.minOutput?.(request), minimum), ownMinimum(request))
  }
  return strictest
})
