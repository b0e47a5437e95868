/** Reading a transaction off the wire, provided that its text says nothing but what was read. */
import { Operation, type SwapError } from "@geoswap/core"
import {
  type CompiledTransactionMessage,
  type CompiledTransactionMessageWithLifetime,
  getBase64Decoder,
  getBase64Encoder,
  getCompiledTransactionMessageDecoder,
  getCompiledTransactionMessageEncoder,
  getTransactionDecoder,
  getTransactionEncoder,
  type Transaction,
  type TransactionMessageBytes
} from "@solana/kit"
import * as Effect from "effect/Effect"
import { kindOf } from "./words.js"

/** What a packet of Solana's network holds. */
export const maxBytes = 1232
const maxCharacters = Math.ceil(maxBytes / 3) * 4

export type Message = CompiledTransactionMessage & CompiledTransactionMessageWithLifetime
export type MessageV0 = Extract<Message, { readonly version: 0 }>

/** A transaction with what it says. */
export interface Wire {
  readonly bytes: Uint8Array
  readonly transaction: Transaction
  readonly message: Message
}

/** A transaction out of its bytes. Throws where they are none, and ignores what follows. */
export const parse = (bytes: Uint8Array): Wire => {
  const transaction = getTransactionDecoder().decode(bytes)
  return { bytes, transaction, message: getCompiledTransactionMessageDecoder().decode(transaction.messageBytes) }
}

export const toText = (bytes: Uint8Array): string => getBase64Decoder().decode(bytes)

/** Bytes out of base64. Throws where it is none, or is not written the one right way. */
export const fromText = (text: string): Uint8Array => {
  const bytes = Uint8Array.from(getBase64Encoder().encode(text))
  if (toText(bytes) !== text) throw new TypeError("not base64")
  return bytes
}

/** The text that a transaction has when everything in it is written again. */
const rewritten = ({ message, transaction: { signatures } }: Wire): string => {
  const messageBytes = getCompiledTransactionMessageEncoder().encode(message) as TransactionMessageBytes
  return getBase64Decoder().decode(getTransactionEncoder().encode({ messageBytes, signatures }))
}

const unreadable = (found: string) => Operation.unsafe("unsignedTransaction", "a transaction in base64", found)
const badlyWritten = (found: string) => Operation.unsafe("encoding", "the one way to write this transaction", found)

/** Reads what the service wants signed. */
export const read = (text: unknown): Effect.Effect<Wire, SwapError.UnsafeOperation> =>
  Effect.gen(function* () {
    if (typeof text !== "string") return yield* unreadable(kindOf(text))
    if (text.length > maxCharacters) return yield* unreadable(`${kindOf(text)}, where ${maxCharacters} are the most`)
    const bytes = yield* Effect.try({ try: () => fromText(text), catch: () => badlyWritten("no such base64") })
    const { canonical, wire } = yield* Effect.try({
      try: () => {
        const wire = parse(bytes)
        return { wire, canonical: rewritten(wire) }
      },
      catch: () => unreadable(`${bytes.length} bytes that cannot be read as one`)
    })
    if (bytes.length > maxBytes) return yield* unreadable(`${bytes.length} bytes, where ${maxBytes} are the most`)
    if (canonical !== text) return yield* badlyWritten("written in another way, or followed by more")
    return wire
  })
