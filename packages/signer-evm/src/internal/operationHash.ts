/** Computes the hashes of operations and payments from their fields. */
import { Chain, type Hex, Operation, Quote } from "@geoswap/core"
import {
  hashOperation as hash,
  hashTypedOperation,
  hashTypedTerms,
  keccak256,
  type TypedTerms
} from "@geoswap/core/adapters"

export const lower = (hex: Hex.Hex): Hex.Hex => hex.toLowerCase() as Hex.Hex

/** The version of the pinned account that an operation is for. It never comes from the service. */
export const versionOf = (deployment: Operation.Deployment | undefined, delegate: string): 1 | 2 =>
  (deployment && Operation.pinnedFor(deployment, delegate)?.accountVersion) ?? 1

/**
 * The hash of the agreed destination, output token, recipient and minimum output. Version 1 of the account hashes them
 * without their EIP-712 type.
 */
export const hashTerms = (agreement: Operation.Agreement, version: 1 | 2): Hex.Hex => {
  const encoded = Operation.encodeTerms(agreement)
  return version === 1 ? keccak256(encoded) : hashTypedTerms(encoded, keccak256)
}

/** The EIP-712 digest of an operation. */
export const hashOperation = (geoOp: Operation.GeoOp, version: 1 | 2): Hex.Hex =>
  version === 1 ? hash(geoOp, keccak256) : hashTypedOperation(geoOp, keccak256)

const word = (address: string): Hex.Hex => `0x${Chain.toWord(address).toString(16).padStart(64, "0")}`

/** The agreed terms in the form of typed data. */
export const typedTermsOf = ({ quote, request }: Operation.Agreement): TypedTerms => ({
  destinationChain: request.destinationChain,
  outputToken: word(request.outputToken),
  recipient: word(request.recipient ?? request.walletAddress),
  minOutput: Quote.minOutputOf(quote)
})
