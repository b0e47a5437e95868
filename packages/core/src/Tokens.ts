/**
 * Token metadata that the caller trusts, for converting amounts. The service's list is for display only: with the wrong
 * decimals, "10 USDC" could become 10,000 USDC.
 */
import * as Effect from "effect/Effect"
import { format, parse } from "./Amount.js"
import * as Chain from "./Chain.js"
import { ChainReader, type TokenFacts } from "./ChainReader.js"
import { compact } from "./codecs/compact.js"
import { withTimeout } from "./programs/timeout.js"
import { InvalidInput, ReaderError, type Unavailable } from "./SwapError.js"

/** A token whose decimals come from the caller or from the caller's own node. */
export interface KnownToken extends TokenFacts {
  readonly chain: number
  readonly address: string
}

/** Where token metadata comes from. */
export interface Options {
  /** Tokens that the caller has pinned. Pinned tokens take precedence over the readers. */
  readonly list?: ReadonlyArray<KnownToken> | undefined
  /** ChainReader for the caller's own nodes (default: `ChainReader`). */
  readonly readers?: ChainReader | undefined
}

type Failure = InvalidInput | ReaderError | Unavailable

/** Finds tokens, and parses and formats their amounts. */
export interface Resolver {
  /** Finds a token by address, or a pinned token by symbol. */
  readonly find: (chain: number, token: string) => Effect.Effect<KnownToken, Failure>
  /** Converts an amount such as "10.5" to the token's smallest unit. */
  readonly parse: (chain: number, token: string, text: string) => Effect.Effect<bigint, Failure>
  /** Formats an amount, given in the token's smallest unit, for display. */
  readonly format: (chain: number, token: string, amount: bigint) => Effect.Effect<string, Failure>
}

const unknown = (token: string, message: string) =>
  Effect.fail(new InvalidInput({ field: "token", message: `token: ${token} ${message}.` }))

const isDecimals = (value: unknown): boolean => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 255

/**
 * Creates a token resolver from the caller's list and nodes. The resolver never queries the service.
 *
 * @example
 * ```ts
 * const tokens = Tokens.resolver({ list: [{ chain: 8453, address: usdc, symbol: "USDC", decimals: 6 }] })
 * const amount = tokens.parse(8453, "USDC", "10")
 * ```
 */
export const resolver = ({ list = [], readers }: Options = {}): Resolver => {
  const find = Effect.fnUntraced(function* (chain: number, token: string): Effect.fn.Return<KnownToken, Failure> {
    const family = (yield* Chain.Families)(chain)
    const here = list.filter((entry) => entry.chain === chain)
    const byAddress: boolean = Chain.isAddress(family, token)
    const [pinned, ...others] = byAddress
      ? here.filter(({ address }) => Chain.sameAddress(family, address, token))
      : here.filter(({ symbol }) => symbol?.toLowerCase() === token.toLowerCase())
    if (others.length > 0) return yield* unknown(token, `appears more than once in the list for chain ${chain}`)
    if (pinned) {
      return isDecimals(pinned.decimals)
        ? pinned
        : yield* unknown(token, "must have decimals between 0 and 255 in the list")
    }
    if (!byAddress) {
      return yield* unknown(token, `is not in the list for chain ${chain}: pin it, or pass its address`)
    }
    if (token === Chain.nativeToken[family]) {
      return { chain, address: token, decimals: Chain.nativeDecimals[family] }
    }
    const reader = (readers ?? (yield* ChainReader))[family]
    if (!reader)
      return yield* unknown(
        token,
        `is not in the list, and there is no reader for ${family} chains: pin it, or add a reader`
      )
    const { decimals, symbol } = yield* withTimeout(reader.token({ chainId: chain, address: token }))
    return isDecimals(decimals)
      ? compact({ chain, address: token, decimals, symbol })
      : yield* new ReaderError({ message: `Your own node did not return valid decimals for ${token}.` })
  })
  return {
    find,
    parse: (chain, token, text) =>
      Effect.flatMap(find(chain, token), ({ decimals }) => {
        const amount = parse(text, decimals)
        return amount === undefined
          ? Effect.fail(
              new InvalidInput({
                field: "amount",
                message: `amount: expected an amount with at most ${decimals} decimals, got ${text}.`
              })
            )
          : Effect.succeed(amount)
      }),
    format: (chain, token, amount) => Effect.map(find(chain, token), ({ decimals }) => format(amount, decimals))
  }
}

/** A resolver whose methods return promises. */
export interface PromiseResolver {
  readonly find: (chain: number, token: string) => Promise<KnownToken>
  readonly parse: (chain: number, token: string, text: string) => Promise<bigint>
  readonly format: (chain: number, token: string, amount: bigint) => Promise<string>
}
