/** Encodes integers the way Solidity's `abi.encode` does. */

/** Encodes each integer as 32 big-endian bytes. Throws if an integer is negative or does not fit. */
export const encodeWords = (words: ReadonlyArray<bigint>): Uint8Array => {
  if (words.some((word) => word !== BigInt.asUintN(256, word))) throw new RangeError("Each value must fit in 32 bytes.")
  const bytes = new DataView(new ArrayBuffer(words.length * 32))
  for (const [index, word] of words.entries()) {
    for (let quarter = 0; quarter < 4; quarter++) {
      bytes.setBigUint64(index * 32 + quarter * 8, word >> BigInt(192 - quarter * 64))
    }
  }
  return new Uint8Array(bytes.buffer)
}
