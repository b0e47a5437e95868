/** Encodes integers the way Solidity's `abi.encode` does. */

/** Encodes each integer as 32 big-endian bytes. Throws if an integer is negative or does not fit. */
export const encodeWords = (words: ReadonlyArray<bigint>): Uint8Array => {
  if (words.some((word) => word !== BigInt.asUintN(256, word))) throw new RangeError("Each value must fit in 32 bytes.")
  const digits = words.map((word) => word.toString(16).padStart(64, "0")).join("")
  return Uint8Array.from(digits.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16))
}
