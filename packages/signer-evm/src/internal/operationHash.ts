/** Computes an operation's hashes from its fields. */
import { type Hex, Operation } from "@geoswap/core"
import { hashOperation as hash, keccak256 } from "@geoswap/core/adapters"

export const lower = (hex: Hex.Hex): Hex.Hex => hex.toLowerCase() as Hex.Hex

/** The hash of the agreed destination, output token, recipient and minimum output. */
export const hashTerms = (agreement: Operation.Agreement): Hex.Hex => keccak256(Operation.encodeTerms(agreement))

/** The EIP-712 digest of an operation. */
export const hashOperation = (geoOp: Operation.GeoOp): Hex.Hex => hash(geoOp, keccak256)
