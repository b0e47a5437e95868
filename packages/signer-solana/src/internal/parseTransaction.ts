/** Parses a transaction, and rejects any encoding other than the canonical one. */
import { Operation, type SwapError } from "@geoswap/core"
import {
  type CompiledTransactionMessage,
  type CompiledTransactionMessageWithLifetime,
  getBase64Decoder,
  getCompiledTransactionMessageDecoder,
  getCompiledTransactionMessageEncoder,
  getTransactionDecoder,
  getTransactionEncoder,
  type Transaction,
  type TransactionMessageBytes
} from "@solana/kit"
import * as Effect from "effect/Effect"
import { fromBase64 } from "./base64.js"
import { describeKind } from "./describeValue.js"

/** The size of a Solana network packet. */
export const maxBytes = 1232
const maxCharacters = Math.ceil(maxBytes / 3) * 4

export type Message = CompiledTransactionMessage & CompiledTransactionMessageWithLifetime
export type MessageV0 = Extract<Message, { readonly version: 0 }>

export interface ParsedTransaction {
  readonly bytes: Uint8Array
  readonly transaction: Transaction
  readonly message: Message
}

/** Decodes a transaction. Throws if the bytes are invalid, and ignores trailing bytes. */
export const decodeTransaction = (bytes: Uint8Array): ParsedTransaction => {
  const transaction = getTransactionDecoder().decode(bytes)
  return { bytes, transaction, message: getCompiledTransactionMessageDecoder().decode(transaction.messageBytes) }
}

/**
 * Returns the message of a legacy or version 0 transaction, which follows the signatures, without decoding it. Returns
 * `undefined` for a transaction of a later version, which starts with its version. Throws if there is no message.
 */
export const messageAfterSignatures = (bytes: Uint8Array): Uint8Array | undefined => {
  const [first = 0] = bytes
  if (first >= 0x80) return undefined
  const message = bytes.slice(1 + 64 * first)
  if (first === 0 || message.length === 0) throw new TypeError("not a transaction")
  return message
}

/** Encodes a parsed transaction again. */
const encodeCanonically = ({ message, transaction: { signatures } }: ParsedTransaction): string => {
  const messageBytes = getCompiledTransactionMessageEncoder().encode(message) as TransactionMessageBytes
  return getBase64Decoder().decode(getTransactionEncoder().encode({ messageBytes, signatures }))
}

const unreadable = (found: string) => Operation.unsafe("unsignedTransaction", "a transaction in base64", found)
const notCanonical = (found: string) =>
  Operation.unsafe("encoding", "the canonical encoding of this transaction", found)

/** Parses an unsigned transaction from the service. */
export const parseTransaction = (text: unknown): Effect.Effect<ParsedTransaction, SwapError.UnsafeOperation> =>
  Effect.gen(function* () {
    if (typeof text !== "string") return yield* unreadable(describeKind(text))
    if (text.length > maxCharacters)
      return yield* unreadable(`${describeKind(text)}, which exceeds the limit of ${maxCharacters}`)
    const bytes = yield* Effect.try({ try: () => fromBase64(text), catch: () => notCanonical("invalid base64") })
    const { canonical, parsed } = yield* Effect.try({
      try: () => {
        const parsed = decodeTransaction(bytes)
        return { parsed, canonical: encodeCanonically(parsed) }
      },
      catch: () => unreadable(`${bytes.length} bytes that cannot be decoded`)
    })
    if (bytes.length > maxBytes)
      return yield* unreadable(`${bytes.length} bytes, which exceeds the limit of ${maxBytes}`)
    if (canonical !== text) return yield* notCanonical("a different encoding, or trailing bytes")
    return parsed
  })
