/** Keccak-256 for signers, which would otherwise each bring their own. */
import { keccak256 as digitsOf } from "../codecs/keccak.js"
import type { Hex } from "../Hex.js"

/**
 * Returns the Keccak-256 hash of bytes, as used in Ethereum.
 *
 * @example
 * ```ts
 * const geoOpHash = hashOperation(geoOp, keccak256)
 * ```
 */
export const keccak256 = (bytes: Uint8Array): Hex => `0x${digitsOf(bytes)}`
