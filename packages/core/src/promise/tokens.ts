/** Amounts and tokens for code without Effect. */
import type * as Effect from "effect/Effect"
import * as Amount from "../Amount.js"
import { fromPromise } from "./readers.js"
import type { ClientOptions } from "./options.js"
import { InvalidInput, type SwapError } from "../SwapError.js"
import { type KnownToken, type PromiseResolver, resolver } from "../Tokens.js"
import { runPromise } from "./runPromise.js"

/** Where `tokenResolver` gets token metadata from: the pinned tokens first, and then your own nodes. */
type TokenOptions = Pick<ClientOptions, "network" | "readers">

/** The decimals of a token, as a number or in a pinned token. */
type Decimals = number | Pick<KnownToken, "decimals">

const decimalsOf = (token: Decimals): number => (typeof token === "number" ? token : token.decimals)

/**
 * Converts an amount from whole tokens to the token's smallest unit. Throws `InvalidInput` if the text is not an amount
 * or has more decimal places than the token.
 *
 * @example
 * ```ts
 * const usdc = { chainId: 8453, address: "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913", symbol: "USDC", decimals: 6 }
 * parseAmount("10.5", usdc) // 10500000n
 * ```
 */
export const parseAmount = (text: string, token: Decimals): bigint => {
  const amount = Amount.parse(text, decimalsOf(token))
  if (amount !== undefined) return amount
  const message = `amount: expected a number such as 12.5 with at most ${decimalsOf(token)} decimals, got "${text}".`
  throw new InvalidInput({ field: "amount", message })
}

/**
 * Formats an amount as whole tokens, without trailing zeros.
 *
 * @example
 * ```ts
 * formatAmount(10500000n, 6) // "10.5"
 * ```
 */
export const formatAmount = (amount: bigint, token: Decimals): string => Amount.format(amount, decimalsOf(token))

/**
 * Creates a resolver for token metadata from your network and your own nodes, never from the service.
 *
 * @example
 * ```ts
 * const tokens = tokenResolver({ network })
 * const amount = await tokens.parse(8453, "USDC", "10")
 * const swap = await client.execute(await tokens.request("10 USDC@base", "WETH@arbitrum"))
 * ```
 */
export const tokenResolver = ({ network, readers }: TokenOptions): PromiseResolver => {
  const { find, parse, format, amount, request, balances } = resolver({ network, readers: fromPromise(readers) })
  const promise =
    <I extends ReadonlyArray<unknown>, A>(method: (...input: I) => Effect.Effect<A, SwapError>) =>
    (...input: I): Promise<A> =>
      runPromise(method(...input))
  return {
    find: promise(find),
    parse: promise(parse),
    format: promise(format),
    amount: promise(amount),
    request: promise(request),
    balances: promise(balances)
  }
}
