/**
 * Payments without a delegation: the wallet signs typed data for its token (EIP-3009) or for Permit2, and the vault
 * collects the amount with that signature.
 */
import * as Schema from "effect/Schema"
import { Amount } from "./Amount.js"
import * as Hex from "./Hex.js"
import { OrderId } from "./Id.js"
import { Integer } from "./codecs/lenient.js"

/** The ways to pay without a delegation. */
export const methods = ["eip3009", "permit2", "erc2612"] as const

/**
 * How a wallet pays. `delegation`: with an operation of its delegated account. `eip3009`: with an authorization for the
 * token. `permit2`: through Permit2, which the wallet has approved. `erc2612`: through Permit2, which the wallet approves
 * with a second signature.
 */
export type Method = "delegation" | (typeof methods)[number]

/** All ways to pay. */
const known: ReadonlyArray<Method> = ["delegation", ...methods]

/** The ways to pay that a quote lists and this SDK knows. A service that lists nothing knows only delegations. */
export const offeredBy = (listed: ReadonlyArray<string> = ["delegation"]): ReadonlyArray<Method> =>
  listed.flatMap((name) => known.find((method) => method === name) ?? [])

/**
 * Orders ways to pay as the client tries them if the policy has no list: the delegation first, and then in the service's
 * order. `erc2612` comes last, because its permit can revive old approvals in Permit2.
 */
export const inOrder = (offered: ReadonlyArray<Method>): ReadonlyArray<Method> => {
  const rank = (method: Method) => (method === "delegation" ? 0 : method === "erc2612" ? 2 : 1)
  return offered.toSorted((one, other) => rank(one) - rank(other))
}

/** The uint256 values that are Permit2 nonces of this protocol: this value plus an index below 2^64. */
export const permit2Nonces = 0xfd1c50913313d4a5cc2d99cece70c4f7a4a1cd48b3213c520000000000000000n

/** Uniswap's Permit2 contract, at the same address on every chain. */
export const permit2Address = "0x000000000022d473030f116ddee9f6b43ac78ba3"

const common = {
  chainId: Integer,
  wallet: Hex.Address,
  token: Hex.Address,
  amount: Amount,
  vault: Hex.Address,
  orderId: OrderId,
  /** The EIP-712 hash of the destination chain, the output token, the recipient and the minimum output. */
  terms: Hex.Bytes32,
  /** The time, in Unix seconds, after which the payment can no longer be collected. */
  deadline: Integer
}

/** The name and the version in a token's EIP-712 domain. */
const TokenDomain = Schema.Struct({ name: Schema.String, version: Schema.String })

/** A payment with an authorization of the token, whose nonce is the hash of the order. */
const Eip3009 = Schema.Struct({ method: Schema.Literal("eip3009"), ...common, domain: TokenDomain })

/** A payment through Permit2, whose witness is the order. */
const Permit2 = Schema.Struct({ method: Schema.Literal("permit2"), ...common, nonce: Amount })

/** A payment through Permit2, with the token's permit that approves Permit2 for exactly the amount. */
const Erc2612 = Schema.Struct({
  method: Schema.Literal("erc2612"),
  ...common,
  nonce: Amount,
  domain: TokenDomain,
  /** The wallet's current nonce in the token's permits. */
  permitNonce: Amount
})

/** The fields that the typed data of a payment, and so `geoOpHash`, are computed from. */
export const Payment = Schema.Union([Eip3009, Permit2, Erc2612])
export type Payment = typeof Payment.Type
export type Erc2612 = typeof Erc2612.Type
