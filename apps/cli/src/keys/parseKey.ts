/** Parses private keys. Returns `undefined` for an invalid key, so that no error message can contain the key. */

const alphabet = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"

/** Decodes base58. */
const decodeBase58 = (text: string, length: number): Uint8Array | undefined => {
  let value = 0n
  for (const char of text) {
    const digit = alphabet.indexOf(char)
    if (digit < 0) return undefined
    value = value * 58n + BigInt(digit)
  }
  const hex = value.toString(16).padStart(length * 2, "0")
  const zeros = text.search(/[^1]|$/)
  const bytes = new Uint8Array(Buffer.from(hex, "hex"))
  const leading = bytes.findIndex((byte) => byte !== 0)
  return hex.length === length * 2 && zeros === (leading < 0 ? length : leading) ? bytes : undefined
}

/** Parses a 32-byte EVM key: hex, with or without 0x. */
export const parseEvmKey = (text: string): Uint8Array | undefined => {
  const [, hex] = /^\s*(?:0x)?([0-9a-fA-F]{64})\s*$/.exec(text) ?? []
  return hex === undefined ? undefined : new Uint8Array(Buffer.from(hex, "hex"))
}

/** Parses a 64-byte Solana key: base58, or the byte array that solana-keygen writes. */
export const parseSolanaKey = (text: string): Uint8Array | undefined => {
  const trimmed = text.trim()
  if (!trimmed.startsWith("[")) return decodeBase58(trimmed, 64)
  try {
    const list: unknown = JSON.parse(trimmed)
    return Array.isArray(list) &&
      list.length === 64 &&
      list.every((byte) => Number.isInteger(byte) && Number(byte) >= 0 && Number(byte) <= 255)
      ? Uint8Array.from(list as ReadonlyArray<number>)
      : undefined
  } catch {
    return undefined
  }
}
