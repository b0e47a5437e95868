/** Transactions off the wire, provided that the text says nothing but what was read. */
import {
  getBase64Decoder,
  getBase64Encoder,
  getCompiledTransactionMessageDecoder,
  getCompiledTransactionMessageEncoder
} from "@solana/kit"

/** What a packet of Solana's network holds. */
const maxBytes = 1232
const maxCharacters = Math.ceil(maxBytes / 3) * 4

/** A transaction: its signatures in the order of its signers, and its message. */
export interface Wire {
  readonly signers: ReadonlyArray<string>
  readonly signatures: ReadonlyArray<Uint8Array>
  readonly message: Uint8Array
  /** What the message says. */
  readonly compiled: ReturnType<ReturnType<typeof getCompiledTransactionMessageDecoder>["decode"]>
}

export const isSame = (a: ArrayLike<number>, b: ArrayLike<number>): boolean =>
  a.length === b.length && Array.from(a).every((byte, index) => byte === b[index])

/** Bytes as text. */
export const toBase64 = (bytes: Uint8Array): string => getBase64Decoder().decode(bytes)

/** Bytes out of text that is written the one right way. */
export const fromBase64 = (text: string): Uint8Array | undefined => {
  try {
    const bytes = Uint8Array.from(getBase64Encoder().encode(text))
    return toBase64(bytes) === text ? bytes : undefined
  } catch {
    // A text that is no base64 at all.
    return undefined
  }
}

/** The text of a transaction; nothing is in the place of a signature that is not given. */
export const write = (
  { message, signers }: Pick<Wire, "message" | "signers">,
  signatures: ReadonlyMap<string, Uint8Array>
): string => {
  const places = signers.flatMap((signer) => [...(signatures.get(signer) ?? new Uint8Array(64))])
  return toBase64(new Uint8Array([signers.length, ...places, ...message]))
}

/** A message, if it is all there is and is written the one right way. */
const compiledOf = (message: Uint8Array): Wire["compiled"] | undefined => {
  try {
    const compiled = getCompiledTransactionMessageDecoder().decode(message)
    // The decoder stops where the message ends, whatever follows.
    return isSame(getCompiledTransactionMessageEncoder().encode(compiled), message) ? compiled : undefined
  } catch {
    // Bytes that are no message.
    return undefined
  }
}

/** The transaction of a message, without signatures. */
export const ofMessage = (message: Uint8Array): Wire | undefined => {
  const compiled = compiledOf(message)
  if (compiled === undefined) return undefined
  const signers = compiled.staticAccounts.slice(0, compiled.header.numSignerAccounts)
  return { signers, signatures: signers.map(() => new Uint8Array(64)), message, compiled }
}

/** Reads a transaction, or gives `undefined` where it is none, or more than one. */
export const read = (text: string): Wire | undefined => {
  const bytes = text.length > maxCharacters ? undefined : fromBase64(text)
  const count = bytes?.[0]
  if (bytes === undefined || count === undefined || bytes.length > maxBytes) return undefined
  const wire = ofMessage(bytes.slice(1 + 64 * count))
  if (wire?.signers.length !== count) return undefined
  return { ...wire, signatures: wire.signers.map((_, index) => bytes.slice(1 + 64 * index, 65 + 64 * index)) }
}
