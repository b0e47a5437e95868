/** The EIP-712 types for an operation, and its hash. */
import { encodeWords } from "../codecs/encodeWords.js"
import type { Hex } from "../Hex.js"
import type { GeoOp } from "../Operation.js"

/** The hash of `EIP712Domain(uint256 chainId,address verifyingContract,bytes32 salt)`. */
const domainType = "0x71062c282d40422f744945d587dbf4ecfd4f9cfad1d35d62c944373009d96162"
/**
 * The hash of `GeoOp(address token,uint256 amount,address vault,bytes32 orderId,bytes32 terms,uint256 nonce,uint256
 * deadline)`.
 */
const operationType = "0xef06d18ab21f200540ca1d6b08110a3797a276e374c47d5ab311375cb5c053a8"

/**
 * Computes `geoOpHash`, the EIP-712 digest of an operation with valid fields, using `keccak256` from this entry point
 * or from your chain library. Every field is one 32-byte word. Throws if a number does not fit.
 *
 * @example
 * ```ts
 * import { hashOperation, keccak256 } from "@geoswap/core/adapters"
 *
 * const geoOpHash = hashOperation(geoOp, keccak256)
 * ```
 */
export const hashOperation = (
  { amount, chainId, deadline, delegate, nonce, orderId, terms, token, vault, wallet }: GeoOp,
  keccak256: (bytes: Uint8Array) => Hex
): Hex => {
  const hashStruct = (...words: ReadonlyArray<Hex | bigint | number>) => keccak256(encodeWords(words.map(BigInt)))
  const domain = hashStruct(domainType, chainId, wallet, delegate)
  const operation = hashStruct(operationType, token, amount, vault, orderId, terms, nonce, deadline)
  return keccak256(Uint8Array.of(0x19, 0x01, ...encodeWords([BigInt(domain), BigInt(operation)])))
}
