/** What is known about a public network, as plain data. */
import type { NetworkChain } from "@geoswap/core/promise"

/** How a token can be paid with, other than with a delegation. */
export type PaymentMethod = "eip3009" | "permit2" | "erc2612"

/** The EIP-712 domain of a token. */
export interface TokenDomain {
  readonly name: string
  readonly version: string
  /**
   * The remaining fields: `chainId` for `chainId` and `verifyingContract`, and `salt` for `verifyingContract` and a
   * `salt` that contains the chain id. The service and the signers support only `chainId`.
   */
  readonly fields: "chainId" | "salt"
}

/** A token of a public network. */
export interface PublicToken {
  readonly symbol: string
  /** What the contract's `symbol()` returns, if it differs from `symbol`. */
  readonly chainSymbol?: string
  readonly address: string
  readonly decimals: number
  /** The name of what the token is worth (default: its symbol). */
  readonly asset?: string
  /** Omitted if the token has no EIP-712 domain, or if it is not known. */
  readonly domain?: TokenDomain
  /** What the token supports. `permit2` works with every token on a network that has Permit2. */
  readonly methods: ReadonlyArray<PaymentMethod>
}

/** A contract that reports a price as Chainlink's aggregators do. */
export interface PriceFeed {
  /** For example `ETH/USD`. */
  readonly pair: string
  readonly address: string
  readonly decimals: number
}

/**
 * When a transaction is final: a time after its block, or when the node's `safe` or `finalized` block has reached its
 * block.
 */
export type FinalAfter = { readonly seconds: number } | "safe" | "finalized"

/** When a transaction of up to a value is final. */
export interface FinalityTier {
  /** In US dollars. Only the last tier has no limit. */
  readonly upToUsd?: number
  readonly after: FinalAfter
}

/**
 * What a transaction costs. `l1`: gas. `op-stack`: gas and a fee for data on Ethereum, from the `GasPriceOracle`.
 * `arbitrum`: gas, whose amount includes data on Ethereum. `polygon`: gas, with a minimum tip. `solana`: signatures,
 * compute units and rent.
 */
export type FeeModel = "l1" | "op-stack" | "arbitrum" | "polygon" | "solana"

/** A public network. */
export interface PublicNetwork {
  /** The name in configurations and commands, such as `base`. */
  readonly name: string
  /** The display name, such as `Base`. */
  readonly title: string
  readonly family: "evm" | "solana"
  /** The chain id in the protocol. */
  readonly id: number
  readonly testnet: boolean
  /** The hash of the first block. Only on Solana, whose nodes do not report a chain id. */
  readonly genesisHash?: string
  readonly nativeSymbol: string
  readonly nativeDecimals: number
  /** The tokens to list: USDC, USDT, WETH and the wrapped native token, as far as they exist. */
  readonly tokens: ReadonlyArray<PublicToken>
  /** Tokens that are easily confused with the listed ones, such as bridged versions. */
  readonly otherTokens: ReadonlyArray<PublicToken>
  /** Whether Permit2 is at its usual address. */
  readonly permit2: boolean
  readonly feeModel: FeeModel
  /** From the smallest value to the largest. */
  readonly finality: readonly [FinalityTier, ...ReadonlyArray<FinalityTier>]
  /** The time between two blocks, in milliseconds. */
  readonly blockMillis: number
  /** The URL of a transaction in a block explorer, with `{hash}`. */
  readonly explorer: string
  readonly priceFeeds: ReadonlyArray<PriceFeed>
  /** What the network lacks compared with the others, in sentences. */
  readonly missing: ReadonlyArray<string>
}

/**
 * Returns a public network as a chain of a `Network`, with its tokens pinned. Without a deployment, wallets on this
 * chain can only receive.
 *
 * @example
 * ```ts
 * const network = { chains: [pinnedChain(base), pinnedChain(arbitrum)] }
 * ```
 */
export const pinnedChain = (
  { family, id, name, nativeSymbol, tokens }: PublicNetwork,
  deployment?: NetworkChain["deployment"]
): NetworkChain => ({
  id,
  name,
  family,
  nativeSymbol,
  tokens: tokens.map(({ address, decimals, symbol }) => ({ symbol, address, decimals })),
  ...(deployment !== undefined && { deployment })
})
