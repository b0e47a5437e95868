/** The forms that signatures come in, read as the numbers they stand for. */
import { describeKind } from "./describeValue.js"
import type { Properties } from "./properties.js"

type Word = bigint | string | Uint8Array

/**
 * A signature in any form in which key services give it: hexadecimal text or bytes of `r`, `s` and `v`, of `r` and `s`
 * alone, of EIP-2098 or of DER, or an object. Whether `s` is low and which of the two keys is meant is found out.
 */
export type SignatureForm =
  | string
  | Uint8Array
  | { readonly r: Word; readonly s: Word; readonly v?: unknown; readonly yParity?: unknown }

export type Parity = 0 | 1

/** What a signature may stand for; the parity is what the wallet says of it. */
export interface ParsedSignature {
  readonly r: bigint
  readonly s: bigint
  readonly yParity?: Parity | undefined
}

const valueOf = (bytes: Uint8Array): bigint => bytes.reduce((value, byte) => value * 256n + BigInt(byte), 0n)

/** The longest that is a signature of a key: DER of two numbers with a zero ahead. */
const longest = 72

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

/** `30 length 02 length r 02 length s`, and nothing after it. */
const derOf = (bytes: Uint8Array): ReadonlyArray<ParsedSignature> => {
  const rLength = bytes[3] ?? 0
  const sAt = 4 + rLength
  const sLength = bytes[sAt + 1] ?? 0
  const whole = bytes[0] === 0x30 && bytes[1] === bytes.length - 2 && bytes[2] === 2 && bytes[sAt] === 2
  if (!whole || sAt + 2 + sLength !== bytes.length) return []
  return [{ r: valueOf(bytes.subarray(4, sAt)), s: valueOf(bytes.subarray(sAt + 2)) }]
}

/** Everything that these bytes can stand for. */
const readBytes = (bytes: Uint8Array): ReadonlyArray<ParsedSignature> => {
  const r = valueOf(bytes.subarray(0, 32))
  const s = valueOf(bytes.subarray(32, 64))
  const top = 1n << 255n
  if (bytes.length === 65) return [{ r, s, yParity: parityOf(bytes[64]) }, ...derOf(bytes)]
  // EIP-2098 holds the parity in the highest bit of s, which is empty in a low s.
  if (bytes.length === 64)
    return [...(s >= top ? [{ r, s: s - top, yParity: 1 as const }] : []), { r, s }, ...derOf(bytes)]
  return derOf(bytes)
}

const otherBytes = (length: number): string =>
  length > 65
    ? `${length} bytes, which is how contract wallets sign. GeoSwap needs the signature of a key: use a wallet that is no contract`
    : `${length} bytes, which are no signature`

/** What a text or bytes stand for, or in words what they are instead. */
const readWhole = (length: number, read: () => Uint8Array): ReadonlyArray<ParsedSignature> | string => {
  const parsed = length > longest ? [] : readBytes(read())
  return parsed.length > 0 ? parsed : otherBytes(length)
}

/** What an answer stands for, or in words what it is instead. */
export const parseSignature = (answer: unknown): ReadonlyArray<ParsedSignature> | string => {
  if (ArrayBuffer.isView(answer)) return readWhole(answer.byteLength, () => bytesOf(answer))
  if (typeof answer === "string") {
    const digits = digitsOf(answer) ?? ""
    if (digits === "" || digits.length % 2 === 1) return `${describeKind(answer)}, which is no signature`
    const pairs = () => Uint8Array.from(digits.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
    return readWhole(digits.length / 2, pairs)
  }
  if (typeof answer !== "object" || answer === null) return `${describeKind(answer)}, which is no signature`
  const members = answer as Properties<"r" | "s" | "v" | "yParity">
  const r = wordOf(members.r)
  const s = wordOf(members.s)
  if (r === undefined || s === undefined) return `${describeKind(answer)} without an r and an s of up to 32 bytes`
  return [{ r, s, yParity: parityOf(members.yParity) ?? parityOf(members.v) }]
}
