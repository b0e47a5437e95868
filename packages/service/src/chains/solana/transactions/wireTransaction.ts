/** Wire transactions. Decoding accepts only the canonical encoding. */
import {
  getBase64Decoder,
  getBase64Encoder,
  getCompiledTransactionMessageDecoder,
  getCompiledTransactionMessageEncoder
} from "@solana/kit"

/** The maximum size of a packet on Solana's network. */
export const maxBytes = 1232
const maxCharacters = Math.ceil(maxBytes / 3) * 4

/** A transaction: its message, and its signatures in the same order as its signers. */
export interface Wire {
  readonly signers: ReadonlyArray<string>
  readonly signatures: ReadonlyArray<Uint8Array>
  readonly message: Uint8Array
  /** The decoded message. */
  readonly compiled: ReturnType<ReturnType<typeof getCompiledTransactionMessageDecoder>["decode"]>
}

export const isSame = (a: ArrayLike<number>, b: ArrayLike<number>) =>
  a.length === b.length && Array.from(a).every((byte, index) => byte === b[index])

/** Decodes a number from its bytes. */
export const littleEndian = (bytes: ArrayLike<number>) =>
  Array.from(bytes).reduceRight((value, byte) => value * 256n + BigInt(byte), 0n)

/** Encodes bytes in base64. */
export const toBase64 = (bytes: Uint8Array) => getBase64Decoder().decode(bytes)

/** Decodes canonical base64. */
export const fromBase64 = (text: string): Uint8Array | undefined => {
  try {
    const bytes = Uint8Array.from(getBase64Encoder().encode(text))
    return toBase64(bytes) === text ? bytes : undefined
  } catch {
    // The text is not base64.
    return undefined
  }
}

/** Encodes a transaction in base64. Missing signatures are zeros. */
export const write = (
  { message, signers }: Pick<Wire, "message" | "signers">,
  signatures: ReadonlyMap<string, Uint8Array>
) => {
  const places = signers.flatMap((signer) => [...(signatures.get(signer) ?? new Uint8Array(64))])
  return toBase64(new Uint8Array([signers.length, ...places, ...message]))
}

/** The size of a transaction with all of its signatures. */
export const sizeOf = ({ message, signers }: Pick<Wire, "message" | "signers">) =>
  1 + 64 * signers.length + message.length

/** Decodes a message. Accepts only the canonical encoding. */
const compiledOf = (message: Uint8Array) => {
  try {
    const compiled = getCompiledTransactionMessageDecoder().decode(message)
    // The decoder ignores bytes after the message.
    return isSame(getCompiledTransactionMessageEncoder().encode(compiled), message) ? compiled : undefined
  } catch {
    // The bytes are not a message.
    return undefined
  }
}

/** Returns the transaction that consists of this message, without signatures. */
export const ofMessage = (message: Uint8Array): Wire | undefined => {
  const compiled = compiledOf(message)
  if (compiled === undefined) return undefined
  const signers = compiled.staticAccounts.slice(0, compiled.header.numSignerAccounts)
  return { signers, signatures: signers.map(() => new Uint8Array(64)), message, compiled }
}

/** The accounts that a transaction writes. */
export const writableIn = ({ compiled: { header, staticAccounts } }: Wire): ReadonlyArray<string> => {
  const { numReadonlyNonSignerAccounts, numReadonlySignerAccounts, numSignerAccounts } = header
  return staticAccounts.filter((_, index) =>
    index < numSignerAccounts
      ? index < numSignerAccounts - numReadonlySignerAccounts
      : index < staticAccounts.length - numReadonlyNonSignerAccounts
  )
}

/** Decodes a transaction. Returns `undefined` if the string is not exactly one transaction. */
export const read = (text: string): Wire | undefined => {
  const bytes = text.length > maxCharacters ? undefined : fromBase64(text)
  const count = bytes?.[0]
  if (bytes === undefined || count === undefined || bytes.length > maxBytes) return undefined
  const wire = ofMessage(bytes.slice(1 + 64 * count))
  if (wire?.signers.length !== count) return undefined
  return { ...wire, signatures: wire.signers.map((_, index) => bytes.slice(1 + 64 * index, 65 + 64 * index)) }
}
