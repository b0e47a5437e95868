/** Parses signatures in every format that wallets and key services return. */
import { describeKind } from "./describeValue.js"
import type { Properties } from "./properties.js"

type Word = bigint | string | Uint8Array

/**
 * A signature in any format that key services return: `r`, `s` and `v`; `r` and `s` alone; EIP-2098 or DER, each as
 * hexadecimal text or bytes; or an object. A high `s` and a missing or wrong parity are corrected.
 */
export type SignatureForm =
  | string
  | Uint8Array
  | { readonly r: Word; readonly s: Word; readonly v?: unknown; readonly yParity?: unknown }

export type Parity = 0 | 1

/** One interpretation of a signature, with the parity claimed by the wallet. */
export interface ParsedSignature {
  readonly r: bigint
  readonly s: bigint
  readonly yParity?: Parity | undefined
}

const valueOf = (bytes: Uint8Array): bigint => bytes.reduce((value, byte) => value * 256n + BigInt(byte), 0n)

/** The maximum length of a signature in any supported format: DER with two zero-prefixed numbers. */
const maxSignatureBytes = 72

const bytesOf = (view: ArrayBufferView): Uint8Array => new Uint8Array(view.buffer, view.byteOffset, view.byteLength)

const digitsOf = (text: string): string | undefined => /^(?:0x)?([0-9a-f]*)$/i.exec(text)?.[1]

const parityOf = (v: unknown): Parity | undefined => {
  const value = typeof v === "number" || typeof v === "bigint" || (typeof v === "string" && v !== "") ? Number(v) : NaN
  return value === 0 || value === 27 ? 0 : value === 1 || value === 28 ? 1 : undefined
}

const wordOf = (word: unknown): bigint | undefined => {
  if (typeof word === "bigint") return word
  if (ArrayBuffer.isView(word)) return word.byteLength > 33 ? undefined : valueOf(bytesOf(word))
  const digits = typeof word === "string" && word.length <= 66 ? digitsOf(word) : undefined
  return digits === undefined || digits === "" ? undefined : BigInt(`0x${digits}`)
}

/** Parses `30 length 02 length r 02 length s` with nothing after it. */
const derOf = (bytes: Uint8Array): ReadonlyArray<ParsedSignature> => {
  const rLength = bytes[3] ?? 0
  const sAt = 4 + rLength
  const sLength = bytes[sAt + 1] ?? 0
  const whole = bytes[0] === 0x30 && bytes[1] === bytes.length - 2 && bytes[2] === 2 && bytes[sAt] === 2
  if (!whole || sAt + 2 + sLength !== bytes.length) return []
  return [{ r: valueOf(bytes.subarray(4, sAt)), s: valueOf(bytes.subarray(sAt + 2)) }]
}

/** Returns every interpretation of these bytes. */
const readBytes = (bytes: Uint8Array): ReadonlyArray<ParsedSignature> => {
  const r = valueOf(bytes.subarray(0, 32))
  const s = valueOf(bytes.subarray(32, 64))
  const top = 1n << 255n
  if (bytes.length === 65) return [{ r, s, yParity: parityOf(bytes[64]) }, ...derOf(bytes)]
  // EIP-2098 stores the parity in the highest bit of s, which is 0 in a low s.
  if (bytes.length === 64)
    return [...(s >= top ? [{ r, s: s - top, yParity: 1 as const }] : []), { r, s }, ...derOf(bytes)]
  return derOf(bytes)
}

const otherBytes = (length: number): string =>
  length > 65
    ? `${length} bytes, as contract wallets do. GeoSwap needs a signature by a key. Use a wallet that is not a contract`
    : `${length} bytes, which is not a signature`

/** Returns every signature that the bytes can represent, or a description of the bytes if they are not a signature. */
const parseBytes = (length: number, read: () => Uint8Array): ReadonlyArray<ParsedSignature> | string => {
  const parsed = length > maxSignatureBytes ? [] : readBytes(read())
  return parsed.length > 0 ? parsed : otherBytes(length)
}

/** Returns every interpretation of a wallet's response, or a description of the response if it is not a signature. */
export const parseSignature = (answer: unknown): ReadonlyArray<ParsedSignature> | string => {
  if (ArrayBuffer.isView(answer)) return parseBytes(answer.byteLength, () => bytesOf(answer))
  if (typeof answer === "string") {
    const digits = digitsOf(answer) ?? ""
    if (digits === "" || digits.length % 2 === 1) return `${describeKind(answer)}, which is not a signature`
    const pairs = () => Uint8Array.from(digits.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
    return parseBytes(digits.length / 2, pairs)
  }
  if (typeof answer !== "object" || answer === null) return `${describeKind(answer)}, which is not a signature`
  const members = answer as Properties<"r" | "s" | "v" | "yParity">
  const r = wordOf(members.r)
  const s = wordOf(members.s)
  if (r === undefined || s === undefined)
    return `${describeKind(answer)} without an r and an s of at most 32 bytes each`
  return [{ r, s, yParity: parityOf(members.yParity) ?? parityOf(members.v) }]
}
