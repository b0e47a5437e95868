/** A devnet's tokens, the wallets that hold them, and the service's keys. */
import { type Address as SolanaAddress, getAddressDecoder, getBase58Decoder } from "@solana/kit"
import type { Address as EvmAddress, Hex } from "viem"
import { privateKeyToAddress } from "viem/accounts"
import { bytesToHex } from "viem/utils"
import { seedOf, solanaKeyOf } from "./internal/keys.js"

/** The two chain families. */
export type Kind = "evm" | "solana"

/** A key on the EVM chains. Its address is the same on both chains. */
export interface EvmWallet {
  readonly name: string
  readonly family: "evm"
  readonly address: EvmAddress
  readonly privateKey: Hex
}

/** A key on the SVM. */
export interface SolanaWallet {
  readonly name: string
  readonly family: "solana"
  readonly address: SolanaAddress
  /** The private key, 64 bytes in base58: the seed, then the public key. */
  readonly privateKey: string
}

/** A wallet with tokens but no gas. */
export type Wallet = EvmWallet | SolanaWallet

/**
 * One of the service's keys: `relayer` pays gas, `owner` configures the vault, `vault` holds the inventory on the SVM.
 */
export type Operator = Wallet & { readonly role: "relayer" | "owner" | "vault" }

/** A token that is created on every chain. */
export interface TokenPlan {
  readonly symbol: string
  readonly name: string
  readonly decimals: Readonly<Record<Kind, number>>
  /** The initial balance of each wallet, in tokens. */
  readonly perWallet: bigint
  /** The initial balance of each vault, in tokens. */
  readonly inVault: bigint
  /**
   * The signatures that the token accepts on EVM chains: `"permit"` (ERC-2612), or `"authorization"` (EIP-3009 and
   * ERC-2612; it asks wallets that have code, like USDC).
   */
  readonly signatures: "permit" | "authorization"
}

/** A token on the EVM chains that shows how a kind of token can be paid with. It is not among the devnet's `tokens`. */
export interface PaymentTokenPlan {
  readonly symbol: string
  readonly name: string
  readonly decimals: number
  /**
   * `"authorization"`: EIP-3009 and ERC-2612; it recovers signers and never asks a wallet's code. `"plain"`: no
   * signatures. `"legacy"`: no signatures, no return values, and an allowance changes only from 0 or to 0. `"fee"`: a fee
   * of 1% on transfers.
   */
  readonly behavior: "authorization" | "plain" | "legacy" | "fee"
}

/**
 * The tokens. Wrapped ether has 8 decimals on Solana, like bridged ether, because amounts with 18 decimals would not
 * fit into 64 bits.
 */
export const tokens: ReadonlyArray<TokenPlan> = [
  {
    symbol: "USDC",
    name: "USD Coin",
    decimals: { evm: 6, solana: 6 },
    perWallet: 10_000n,
    inVault: 10_000_000n,
    signatures: "authorization"
  },
  {
    symbol: "WETH",
    name: "Wrapped Ether",
    decimals: { evm: 18, solana: 8 },
    perWallet: 10n,
    inVault: 10_000n,
    signatures: "permit"
  },
  {
    symbol: "GEO",
    name: "GeoSwap",
    decimals: { evm: 18, solana: 9 },
    perWallet: 1_000n,
    inVault: 1_000_000n,
    signatures: "permit"
  }
]

/** The tokens that show how other kinds of tokens can be paid with. Each wallet and each vault has 10,000 of each. */
export const paymentTokens: ReadonlyArray<PaymentTokenPlan> = [
  { symbol: "EURC", name: "Euro Coin", decimals: 6, behavior: "authorization" },
  { symbol: "PLAIN", name: "Plain", decimals: 18, behavior: "plain" },
  { symbol: "USDT", name: "Tether USD", decimals: 6, behavior: "legacy" },
  { symbol: "FEE", name: "Fee on transfer", decimals: 18, behavior: "fee" }
]

/** Derives an EVM key from a name. The key is the same on every machine. */
export const evmWallet = (name: string): EvmWallet => {
  const privateKey = bytesToHex(seedOf(`evm: ${name}`))
  return { name, family: "evm", address: privateKeyToAddress(privateKey), privateKey }
}

/** Derives a Solana key from a name. The key is the same on every machine. */
export const solanaWallet = (name: string): SolanaWallet => {
  const key = solanaKeyOf(seedOf(`solana: ${name}`))
  return {
    name,
    family: "solana",
    address: getAddressDecoder().decode(key.subarray(32)),
    privateKey: getBase58Decoder().decode(key)
  }
}

/** The EVM wallets in every devnet. */
export const evmWallets = (): ReadonlyArray<EvmWallet> => ["alice", "bob", "carol", "dave"].map(evmWallet)

/** The Solana wallets in every devnet. */
export const solanaWallets = (): ReadonlyArray<SolanaWallet> => ["erin", "frank", "grace", "heidi"].map(solanaWallet)
