/** How an EVM wallet can pay: its delegation, our account contracts, and payments without a delegation. */
import type { Payment as CorePayment } from "@geoswap/core"
import type * as Effect from "effect/Effect"
import type * as Config from "../config/Config.js"
import type { Holding } from "../domain/Claim.js"
import type { ChainUnavailable } from "./ChainError.js"

/** An EVM wallet's delegation. */
export interface WalletDelegation {
  readonly delegation: "none" | "ours" | "foreign"
  readonly delegatedTo?: `0x${string}`
  /** The vault that the wallet pays, if the wallet is delegated to one of our contracts. */
  readonly vault?: string
}

/** An EVM wallet's delegation and account nonce. */
export interface WalletState extends WalletDelegation {
  readonly nonce: number
}

/** An account contract of ours, and the vault that it pays. */
export interface Account {
  readonly delegate: string
  readonly vault: string
}

/** A payment method other than `delegation`. */
export type PaymentMethod = (typeof CorePayment.methods)[number]

/** Whether a wallet that delegates to another provider's contract can pay with a method. */
export type CodeAnswer =
  /** The method works. `asks`: whether the wallet's code decides whether a signature is valid. */
  { readonly _tag: "Works"; readonly asks: boolean } | { readonly _tag: "Impossible"; readonly message: string }

/** Payments without a delegation. They pay the first vault. */
export interface Payments {
  /** The budgets and limits. */
  readonly limits: Pick<Config.ChainPayments, "inFlightPerTarget" | "strikesPerTarget">
  /** Returns the methods that the operator lists for a token, in the service's order of preference. */
  readonly methodsOf: (token: string) => ReadonlyArray<PaymentMethod>
  /** Returns the name and the version in a token's EIP-712 domain, if they are configured. */
  readonly domainOf: (token: string) => { readonly name: string; readonly version: string } | undefined
  /** Returns how much of a token Permit2 may spend for a wallet. */
  readonly allowanceOf: (token: string, wallet: string) => Effect.Effect<bigint, ChainUnavailable>
  /** Like `allowanceOf`, but for accepting a swap: reads at a single block that is not older than `since`. */
  readonly allowanceAt: (token: string, wallet: string, since: bigint) => Effect.Effect<Holding, ChainUnavailable>
  /** Returns a wallet's next nonce in a token's permits. */
  readonly permitNonceOf: (token: string, wallet: string) => Effect.Effect<bigint, ChainUnavailable>
  /** Reads 256 bits of Permit2's bitmap for our nonces: bit `i` represents index `256 * word + i`. A hint, like `usedNonces`. */
  readonly usedIndices: (wallet: string, word: bigint) => Effect.Effect<bigint, ChainUnavailable>
  /** Finds out by simulation whether wallets that delegate to a contract of another provider can pay. */
  readonly askCode: (
    token: string,
    method: PaymentMethod,
    target: string
  ) => Effect.Effect<CodeAnswer, ChainUnavailable>
}
