/** The results of accepting a swap and of granting claims. */
import type { Claim, Since } from "../../domain/Claim.js"
import type { SwapRecord } from "../../domain/SwapRecord.js"

/** The result of accepting a swap. */
export type Acceptance =
  | { readonly _tag: "Inserted"; readonly swap: SwapRecord }
  /** The same operation has already been accepted. */
  | { readonly _tag: "Existing"; readonly swap: SwapRecord }
  /** Another operation or another account has used the quote. */
  | { readonly _tag: "QuoteUsed" }
  /** The operation's nonce is already used by another swap, and that swap has not failed. */
  | { readonly _tag: "NonceUsed" }
  /** The operation has expired. Another process may already have rejected it. */
  | { readonly _tag: "Late" }
  | ClaimDenial

/** Why claims were not granted. */
export type ClaimDenial =
  /** The limit of this claim does not cover what other swaps use plus the claim. */
  | { readonly _tag: "Exceeded"; readonly claim: Claim; readonly used: bigint }
  /**
   * Money left some of the resources at a newer block than the one at which their limits were read, so neither the limits
   * nor the claims account for that money. Nothing was decided. Read the limits again, at these blocks or newer ones.
   */
  | { readonly _tag: "Outdated"; readonly since: ReadonlyArray<Since> }

/** The result of reserving a swap's output again. */
export type Reservation = { readonly _tag: "Reserved"; readonly swap: SwapRecord } | ClaimDenial
