/** Computes the hashes of operations and payments from their fields. */
import { Chain, type Hex, Operation, Quote } from "@geoswap/core"
import {
  hashOperation as operationDigest,
  hashTerms as termsHash,
  keccak256,
  type TypedTerms
} from "@geoswap/core/adapters"

export const lower = (hex: Hex.Hex): Hex.Hex => hex.toLowerCase() as Hex.Hex

/** The hash of the agreed destination, output token, recipient and minimum output. */
export const hashTerms = (agreement: Operation.Agreement): Hex.Hex =>
  termsHash(Operation.encodeTerms(agreement), keccak256)

/** The EIP-712 digest of an operation. */
export const hashOperation = (geoOp: Operation.GeoOp): Hex.Hex => operationDigest(geoOp, keccak256)

const word = (address: string): Hex.Hex => `0x${Chain.toWord(address).toString(16).padStart(64, "0")}`

/** The agreed terms in the form of typed data. */
export const typedTermsOf = ({ quote, request }: Operation.Agreement): TypedTerms => ({
  destinationChain: request.destinationChain,
  outputToken: word(request.outputToken),
  recipient: word(request.recipient ?? request.walletAddress),
  minOutput: Quote.minOutputOf(quote)
})
