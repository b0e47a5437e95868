/** What is to be swapped, as it is written on the command line, and what that means. */
import type { Policy } from "@geoswap/core"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Balances from "../chains/Balances.js"
import * as Directory from "../chains/Directory.js"
import { Failure, UsageError } from "../output/Exit.js"
import { addressProblem } from "../chains/addressProblem.js"
import type { Given, GivenRules } from "../commands/swapFlags.js"
import * as Keys from "../keys/Keys.js"

type Size = { readonly kind: "human" | "raw"; readonly text: string } | { readonly kind: "max" }

/** A swap whose places are known; how much it is may still depend on the wallet. */
export interface Order {
  readonly origin: Directory.Place
  readonly destination: Directory.Place
  readonly size: Size
  readonly recipient: string | undefined
  readonly slippageBps: number | undefined
}

const usage = (message: string, next: string) => new UsageError({ message, next })

const example = "Write geoswap swap 10 usdc@base weth@arbitrum, or see --help."

const sizeOf = (given: Given, word: string | undefined): Effect.Effect<Size, UsageError> => {
  const sizes: ReadonlyArray<Size> = [
    ...(word === undefined ? [] : [{ kind: "human", text: word } as const]),
    ...(Option.isSome(given.amountIn) ? [{ kind: "human", text: given.amountIn.value } as const] : []),
    ...(Option.isSome(given.amountRaw) ? [{ kind: "raw", text: given.amountRaw.value } as const] : []),
    ...(given.max ? [{ kind: "max" } as const] : [])
  ]
  const [only, ...others] = sizes
  if (only === undefined) return Effect.fail(usage("No amount is named.", example))
  return others.length === 0
    ? Effect.succeed(only)
    : Effect.fail(usage("The amount is named more than once.", "Use one of: the amount, --amount-raw, --max."))
}

const named = (name: string, value: Option.Option<string>) =>
  Option.isSome(value) ? Effect.succeed(value.value) : Effect.fail(usage(`--${name} is missing.`, example))

const placesOf = Effect.fnUntraced(function* (given: Given, pairs: ReadonlyArray<string>) {
  const [from, to] = pairs
  const flags = [given.tokenIn, given.chainIn, given.tokenOut, given.chainOut]
  if (from !== undefined && to !== undefined) {
    if (flags.some(Option.isSome)) {
      return yield* usage("The tokens are named twice, by words and by flags.", "Use one of the two forms.")
    }
    return { origin: yield* Directory.resolvePair(from), destination: yield* Directory.resolvePair(to) }
  }
  if (pairs.length > 0) return yield* usage("Two tokens have to be named.", example)
  const origin = yield* Directory.resolveChain(yield* named("chain-in", given.chainIn))
  const destination = yield* Directory.resolveChain(yield* named("chain-out", given.chainOut))
  return {
    origin: { chain: origin, token: yield* Directory.resolveToken(yield* named("token-in", given.tokenIn), origin) },
    destination: {
      chain: destination,
      token: yield* Directory.resolveToken(yield* named("token-out", given.tokenOut), destination)
    }
  }
})

/** Who receives. Between families nobody is guessed: an address of our own is only proposed. */
const recipientOf = Effect.fnUntraced(function* (
  given: Option.Option<string>,
  { chain: { kind: from } }: Directory.Place,
  { chain: { kind: to, name } }: Directory.Place
) {
  if (Option.isSome(given)) {
    const problem = addressProblem(to, given.value)
    if (problem === undefined) return given.value
    return yield* usage(`--recipient is no address on ${name}: ${problem.what}`, problem.next)
  }
  if (from === to) return undefined
  const own = yield* Effect.catch(Keys.addressWithoutPassword(to), () => Effect.succeed(undefined))
  return yield* usage(
    `A swap from ${Keys.familyName[from]} to ${Keys.familyName[to]} needs a recipient.`,
    own === undefined ? "Name one with --recipient <address>." : `Name one; your own wallet is --recipient ${own}`
  )
})

/** What was asked for. */
export const resolve = Effect.fnUntraced(function* (given: Given) {
  const short = given.words.length === 3 ? given.words[0] : undefined
  const size = yield* sizeOf(given, short)
  const { destination, origin } = yield* placesOf(given, short === undefined ? given.words : given.words.slice(1))
  if (origin.token.native) {
    return yield* usage(
      `The coin of ${Directory.chainWords(origin.chain)} is native, and can only be received.`,
      "Pay with a token: see geoswap tokens."
    )
  }
  const order: Order = {
    origin,
    destination,
    size,
    recipient: yield* recipientOf(given.recipient, origin, destination),
    slippageBps: Option.getOrUndefined(given.slippageBps)
  }
  // What makes no sense as an amount is told before a key is opened.
  if (size.kind !== "max") yield* amountOf(order, "")
  return order
})

/** The whole balance of the input token. */
const balanceOf = Effect.fnUntraced(function* ({ chain, token }: Directory.Place, wallet: string) {
  if (chain.rpcUrl === undefined) {
    return yield* new Failure({
      message: `--max needs a node of ${chain.name}, to read the balance from.`,
      next: `Set chains.${chain.id}.rpcUrl in the configuration, or name the amount.`
    })
  }
  const balances = yield* Balances.read(chain, chain.rpcUrl, wallet, [token])
  const amount = balances[0]?.amount ?? 0n
  return amount > 0n
    ? amount
    : yield* new Failure({
        message: `The wallet ${wallet} holds no ${token.pinned ? token.symbol : token.address}.`,
        next: "See geoswap balance."
      })
})

/** How much is paid, in the token's smallest unit. */
const amountOf = (
  { origin, size }: Order,
  wallet: string
): Effect.Effect<bigint, UsageError | Failure | Balances.NodeError> =>
  size.kind === "max"
    ? balanceOf(origin, wallet)
    : size.kind === "raw"
      ? Directory.parseRawAmount(size.text, origin)
      : Directory.parseAmount(size.text, origin)

/** The request as the client takes it, for a wallet. */
export const inputOf = (order: Order, wallet: string) =>
  Effect.map(amountOf(order, wallet), (amount) => ({
    originChain: order.origin.chain.id,
    destinationChain: order.destination.chain.id,
    inputToken: order.origin.token.address,
    outputToken: order.destination.token.address,
    amount,
    walletAddress: wallet,
    recipient: order.recipient,
    slippageBps: order.slippageBps
  }))

const least = (one: number | undefined, other: number | undefined): number | undefined =>
  one === undefined || (other !== undefined && other < one) ? other : one

const most = (one: bigint | undefined, other: bigint | undefined): bigint | undefined =>
  one === undefined || (other !== undefined && other > one) ? other : one

/** The configured rules with those of this swap: the stricter of two counts, so that no flag loosens a policy. */
export const stricter = Effect.fnUntraced(function* (configured: Policy.Options, given: GivenRules, order: Order) {
  if (Option.isSome(given.minOutput) && Option.isSome(given.minOutputRaw)) {
    return yield* usage("The least output is named twice.", "Use one of: --min-output, --min-output-raw.")
  }
  const minimum = Option.isSome(given.minOutput)
    ? yield* Directory.parseAmount(given.minOutput.value, order.destination, "--min-output-raw")
    : Option.isSome(given.minOutputRaw)
      ? yield* Directory.parseRawAmount(given.minOutputRaw.value, order.destination)
      : undefined
  const rules: Policy.Options = {
    ...configured,
    maxPriceImpactBps: least(configured.maxPriceImpactBps, Option.getOrUndefined(given.maxImpactBps)),
    maxFeeBps: least(configured.maxFeeBps, Option.getOrUndefined(given.maxFeeBps)),
    minOutput: (request) => most(configured.minOutput?.(request), minimum)
  }
  return rules
})
