/** A wallet that the page can use, and a way to get at one. */
import type { EvmSigner, SolanaSigner } from "@geoswap/core/promise"
import type { Family } from "../config.js"

/** What wallets of both families have. */
interface Common {
  readonly name: string
  readonly address: string
  /** A picture as `data:` URI. */
  readonly icon?: string | undefined
  /** Whether a person is asked by the wallet itself, in a window of its own. */
  readonly asks: boolean
  /** Loads the code that signs, ahead of time. */
  readonly preload: () => void
}

/** A connected EVM wallet; its signer says whether it can sign delegations. */
export interface EvmWallet extends Common {
  readonly family: "evm"
  readonly signer: EvmSigner
}

/** A connected Solana wallet. */
export interface SolanaWallet extends Common {
  readonly family: "solana"
  readonly signer: SolanaSigner
}

/** A connected wallet. */
export type Wallet = EvmWallet | SolanaWallet

/** A wallet that can be connected. */
export interface WalletOption {
  /** Stays the same over visits, to find the wallet again. */
  readonly id: string
  readonly family: Family
  readonly name: string
  readonly icon?: string | undefined
  /** Connects; with `silent` without asking anybody, and gives nothing where that is not possible. */
  readonly connect: (silent: boolean) => Promise<Wallet | undefined>
  /** Tells of other accounts than the one that was connected, and of the end; gives what stops it. */
  readonly follow?: ((changed: (wallet: Wallet | undefined) => void) => () => void) | undefined
}

/** Pictures are shown only where they come along: nobody else learns who looks at them. */
export const iconOf = (icon: unknown): string | undefined =>
  typeof icon === "string" && /^data:image\/(png|jpeg|gif|webp|svg\+xml)[;,]/.test(icon) ? icon : undefined

/** A name that fits on a button and into an error. */
export const nameOf = (name: unknown, otherwise: string): string => {
  const clean = typeof name === "string" ? name.replace(/[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu, "").trim() : ""
  return clean === "" ? otherwise : Array.from(clean).slice(0, 40).join("")
}
