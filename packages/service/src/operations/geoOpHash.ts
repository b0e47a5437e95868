/**
 * The hashes of an operation or a payment: the digest that a wallet signs, and the hash of the terms, which is part of
 * that digest.
 */
import { Chain, type Operation, type Payment } from "@geoswap/core"
import { hashOperation, hashPayment, hashPermit, hashTerms, type TypedTerms } from "@geoswap/core/adapters"
import type { Hex } from "viem"
import { concat, hexToBytes, keccak256, numberToHex } from "viem/utils"
import type { QuoteContext } from "./tokenContents.js"

type Terms = Pick<QuoteContext, "destinationChain" | "outputToken" | "recipient" | "minOutput">

const word = (value: bigint) => numberToHex(value, { size: 32 })

/** The fields of the terms, with addresses as 32 bytes. */
export const typedTermsOf = ({ destinationChain, minOutput, outputToken, recipient }: Terms): TypedTerms => ({
  destinationChain,
  outputToken: word(Chain.toWord(outputToken)),
  recipient: word(Chain.toWord(recipient)),
  minOutput
})

const encodeTerms = (terms: Terms): Hex => {
  const { destinationChain, minOutput, outputToken, recipient } = typedTermsOf(terms)
  return concat([word(BigInt(destinationChain)), outputToken, recipient, word(minOutput)])
}

/** The EIP-712 hash of the destination chain, the output token, the recipient and the minimum output. */
export const termsOf = (terms: Terms): Hex => hashTerms(hexToBytes(encodeTerms(terms)), keccak256)

/** The EIP-712 digest of an operation: `geoOpHash`. */
export const digestOf = (geoOp: Operation.GeoOp): Hex => hashOperation(geoOp, keccak256)

/** The digest of the typed data that pays: `geoOpHash` of a payment. */
export const paymentDigestOf = (payment: Payment.Payment): Hex => hashPayment(payment, keccak256)

/** The digest of the permit that approves Permit2 for a payment. */
export const permitDigestOf = (payment: Payment.Erc2612): Hex => hashPermit(payment, keccak256)
