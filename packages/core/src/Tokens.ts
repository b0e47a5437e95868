/**
 * Token metadata that the caller trusts, for converting amounts. The service's list is for display only: with the wrong
 * decimals, "10 USDC" could become 10,000 USDC.
 */
import * as Effect from "effect/Effect"
import { format, parse } from "./Amount.js"
import type { ExecuteInput } from "./programs/prepareRequest.js"
import * as Chain from "./Chain.js"
import * as Network from "./Network.js"
import { ChainReader, type TokenFacts } from "./ChainReader.js"
import { compact } from "./codecs/compact.js"
import { withTimeout } from "./programs/timeout.js"
import { InvalidInput, ReaderError, type Unavailable } from "./SwapError.js"

/** A token whose decimals come from the caller or from the caller's own node. */
export interface KnownToken extends TokenFacts {
  readonly chainId: number
  readonly address: string
}

/** A token that the caller has pinned, so its decimals and its symbol never come from the service. */
export interface PinnedToken extends KnownToken {
  readonly symbol: string
}

/** Where token metadata comes from. */
interface Options {
  /**
   * The chains and the tokens that the caller has pinned. Pinned tokens take precedence over the readers. The names of
   * the chains can be used in texts such as "10 USDC@base", and chain ids always.
   */
  readonly network?: Network.Network | undefined
  /** ChainReader for the caller's own nodes (default: `ChainReader`). */
  readonly readers?: ChainReader | undefined
}

/** An amount of a token, in the token's smallest unit. */
export interface TokenAmount {
  readonly token: KnownToken
  readonly amount: bigint
}

/** A wallet's balance of a token. */
export interface Balance extends TokenAmount {
  readonly wallet: string
}

/** The addresses of wallets, by chain family. */
type Wallets = { readonly [family in Chain.Family]?: string | undefined }

/** The parts of a request that an amount and a token do not determine. */
type RequestExtras = Pick<ExecuteInput, "walletAddress" | "recipient" | "slippageBps">

type Failure = InvalidInput | ReaderError | Unavailable

/** Finds tokens, and parses and formats their amounts. */
interface Resolver {
  /** Finds a token by address, or a pinned token by symbol. */
  readonly find: (chainId: number, token: string) => Effect.Effect<KnownToken, Failure>
  /** Converts an amount such as "10.5" to the token's smallest unit. */
  readonly parse: (chainId: number, token: string, text: string) => Effect.Effect<bigint, Failure>
  /** Formats an amount, given in the token's smallest unit, for display. */
  readonly format: (chainId: number, token: string, amount: bigint) => Effect.Effect<string, Failure>
  /** Resolves an amount such as "10.5 USDC@base": an amount, a symbol or address, and the name or id of a chain. */
  readonly amount: (text: string) => Effect.Effect<TokenAmount, Failure>
  /** Creates a request for `execute` or `quote`: `request("10 USDC@base", "WETH@arbitrum")`. */
  readonly request: (input: string, output: string, extras?: RequestExtras) => Effect.Effect<ExecuteInput, Failure>
  /** Reads the balances of all pinned tokens on the chains that have a reader. */
  readonly balances: (wallets: Wallets) => Effect.Effect<ReadonlyArray<Balance>, Failure>
}

const invalid = (field: string, message: string) =>
  Effect.fail(new InvalidInput({ field, message: `${field}: ${message}.` }))

const unknown = (token: string, message: string) =>
  Effect.fail(new InvalidInput({ field: "token", message: `token: ${token} ${message}.` }))

const isDecimals = (value: unknown): boolean => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 255

/**
 * Creates a token resolver from the caller's network and nodes. The resolver never queries the service.
 *
 * @example
 * ```ts
 * const tokens = Tokens.resolver({ network })
 * const amount = tokens.parse(8453, "USDC", "10")
 * const request = tokens.request("10 USDC@base", "WETH@arbitrum")
 * ```
 */
export const resolver = ({ network = Network.empty, readers }: Options = {}): Resolver => {
  const familyOf = Network.familyOf(network)
  const pinnedOn = ({ id, tokens = [] }: Network.NetworkChain): ReadonlyArray<PinnedToken> =>
    tokens.map(({ address, decimals, symbol }) => ({ chainId: id, address, symbol, decimals }))
  const find = Effect.fnUntraced(function* (chainId: number, token: string): Effect.fn.Return<KnownToken, Failure> {
    const family = familyOf(chainId)
    const here = network.chains.filter(({ id }) => id === chainId).flatMap(pinnedOn)
    const byAddress: boolean = Chain.isAddress(family, token)
    const [pinned, ...others] = byAddress
      ? here.filter(({ address }) => Chain.sameAddress(family, address, token))
      : here.filter(({ symbol }) => symbol?.toLowerCase() === token.toLowerCase())
    if (others.length > 0) return yield* unknown(token, `appears more than once on chain ${chainId} of the network`)
    if (pinned) {
      return isDecimals(pinned.decimals)
        ? pinned
        : yield* unknown(token, "must have decimals between 0 and 255 in the network")
    }
    if (!byAddress) {
      return yield* unknown(token, `is not pinned on chain ${chainId} of the network: pin it, or pass its address`)
    }
    if (token === Chain.nativeToken[family]) {
      return { chainId, address: token, decimals: Chain.nativeDecimals[family] }
    }
    const reader = (readers ?? (yield* ChainReader))[family]
    if (!reader)
      return yield* unknown(
        token,
        `is not pinned in the network, and there is no reader for ${family} chains: pin it, or add a reader`
      )
    const { decimals, symbol } = yield* withTimeout(reader.token({ chainId, address: token }))
    return isDecimals(decimals)
      ? compact({ chainId, address: token, decimals, symbol })
      : yield* new ReaderError({ message: `Your own node did not return valid decimals for ${token}.` })
  })
  const parseFor = ({ decimals }: KnownToken, text: string): Effect.Effect<bigint, Failure> => {
    const amount = parse(text, decimals)
    return amount === undefined
      ? invalid("amount", `expected a number such as 12.5 with at most ${decimals} decimals, got "${text}"`)
      : Effect.succeed(amount)
  }
  const chainOf = (text: string): Effect.Effect<number, Failure> => {
    const { id = Number(text) } = network.chains.find(({ name }) => name.toLowerCase() === text.toLowerCase()) ?? {}
    return Chain.isChainId(id)
      ? Effect.succeed(id)
      : invalid("chain", `${text} is neither a chain id nor the name of a chain of the network`)
  }
  /** Finds a token such as "USDC@base". */
  const findText = (text: string): Effect.Effect<KnownToken, Failure> => {
    const [, token, chain] = /^([^\s@]+)@([^\s@]+)$/.exec(text.trim()) ?? []
    return token === undefined || chain === undefined
      ? invalid("token", `expected a token and a chain, for example USDC@base or USDC@8453, got ${text}`)
      : Effect.flatMap(chainOf(chain), (id) => find(id, token))
  }
  const amount = (text: string): Effect.Effect<TokenAmount, Failure> => {
    const [, digits, rest] = /^\s*(\S+)\s+(\S+)\s*$/.exec(text) ?? []
    return digits === undefined || rest === undefined
      ? invalid("amount", `expected an amount, a token and a chain, for example 10 USDC@base, got ${text}`)
      : Effect.flatMap(findText(rest), (token) =>
          Effect.map(parseFor(token, digits), (units) => ({ token, amount: units }))
        )
  }
  return {
    find,
    parse: (chainId, token, text) => Effect.flatMap(find(chainId, token), (known) => parseFor(known, text)),
    format: (chainId, token, units) => Effect.map(find(chainId, token), ({ decimals }) => format(units, decimals)),
    amount,
    request: (input, output, extras) =>
      Effect.zipWith(amount(input), findText(output), ({ token, amount: units }, received) => ({
        originChain: token.chainId,
        destinationChain: received.chainId,
        inputToken: token.address,
        outputToken: received.address,
        amount: units,
        ...extras
      })),
    balances: Effect.fnUntraced(function* (wallets): Effect.fn.Return<ReadonlyArray<Balance>, Failure> {
      const current = readers ?? (yield* ChainReader)
      const reads = network.chains.flatMap(pinnedOn).flatMap((token) => {
        const family = familyOf(token.chainId)
        const [wallet, balance] = [wallets[family], current[family]?.balance]
        return wallet === undefined || balance === undefined
          ? []
          : [
              Effect.map(
                withTimeout(balance({ chainId: token.chainId, token: token.address, wallet })),
                (units): Balance => ({ token, wallet, amount: units })
              )
            ]
      })
      return yield* Effect.all(reads, { concurrency: 8 })
    })
  }
}

/** A resolver whose methods return promises. */
export interface PromiseResolver {
  readonly find: (chainId: number, token: string) => Promise<KnownToken>
  readonly parse: (chainId: number, token: string, text: string) => Promise<bigint>
  readonly format: (chainId: number, token: string, amount: bigint) => Promise<string>
  /** Resolves an amount such as "10.5 USDC@base": an amount, a symbol or address, and the name or id of a chain. */
  readonly amount: (text: string) => Promise<TokenAmount>
  /** Creates a request for `execute` or `quote`: `request("10 USDC@base", "WETH@arbitrum")`. */
  readonly request: (input: string, output: string, extras?: RequestExtras) => Promise<ExecuteInput>
  /** Reads the balances of all pinned tokens on the chains that have a reader. */
  readonly balances: (wallets: Wallets) => Promise<ReadonlyArray<Balance>>
}
