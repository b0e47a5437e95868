/** Connected wallets and wallet options. */
import type { PromiseEvmSigner, PromiseSolanaSigner } from "@geoswap/core/promise"
import type { Family } from "../config.js"

interface WalletOf<F extends Family, Signer> {
  readonly family: F
  readonly name: string
  readonly address: string
  /** An image as a `data:` URI. */
  readonly icon?: string | undefined
  /** Whether the wallet prompts the user in its own window. */
  readonly prompts: boolean
  readonly signer: Signer
  /** Loads the signing code ahead of time. */
  readonly preload: () => void
}

/** A connected EVM wallet. Its signer indicates whether the wallet can sign delegations. */
export type EvmWallet = WalletOf<"evm", PromiseEvmSigner>

/** A connected Solana wallet. */
export type SolanaWallet = WalletOf<"solana", PromiseSolanaSigner>

/** A connected wallet. */
export type Wallet = EvmWallet | SolanaWallet

/** A wallet that can be connected. */
export interface WalletOption {
  /** An id that is stable across visits, so that the wallet can be found again. */
  readonly id: string
  readonly family: Family
  readonly name: string
  readonly icon?: string | undefined
  /** Connects to the wallet. With `silent`, never prompts, and returns `undefined` if a prompt would be needed. */
  readonly connect: (silent: boolean) => Promise<Wallet | undefined>
  /** Calls `changed` when the account changes or the wallet disconnects. Returns a function that unsubscribes. */
  readonly onAccountChange?: ((changed: (wallet: Wallet | undefined) => void) => () => void) | undefined
}

/**
 * Returns an icon only if it is a `data:` URI, because loading a remote icon would reveal the visitor to another host.
 */
export const iconOf = (icon: unknown) =>
  typeof icon === "string" && /^data:image\/(png|jpeg|gif|webp|svg\+xml)[;,]/.test(icon) ? icon : undefined

/** Cleans and shortens a name so that it fits on a button and in an error message. */
export const nameOf = (name: unknown, fallback: string) => {
  const clean = typeof name === "string" ? name.replace(/[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu, "").trim() : ""
  return clean === "" ? fallback : Array.from(clean).slice(0, 40).join("")
}
