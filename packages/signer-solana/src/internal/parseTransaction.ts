/** Reading a transaction off the wire, provided that its text says nothing but what was read. */
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

/** What a packet of Solana's network holds. */
export const maxBytes = 1232
const maxCharacters = Math.ceil(maxBytes / 3) * 4

export type Message = CompiledTransactionMessage & CompiledTransactionMessageWithLifetime
export type MessageV0 = Extract<Message, { readonly version: 0 }>

/** A transaction with what it says. */
export interface ParsedTransaction {
  readonly bytes: Uint8Array
  readonly transaction: Transaction
  readonly message: Message
}

/** A transaction out of its bytes. Throws where they are none, and ignores what follows. */
export const decodeTransaction = (bytes: Uint8Array): ParsedTransaction => {
  const transaction = getTransactionDecoder().decode(bytes)
  return { bytes, transaction, message: getCompiledTransactionMessageDecoder().decode(transaction.messageBytes) }
}

/** The text that a transaction has when everything in it is written again. */
const encodeCanonically = ({ message, transaction: { signatures } }: ParsedTransaction): string => {
  const messageBytes = getCompiledTransactionMessageEncoder().encode(message) as TransactionMessageBytes
  return getBase64Decoder().decode(getTransactionEncoder().encode({ messageBytes, signatures }))
}

const unreadable = (found: string) => Operation.unsafe("unsignedTransaction", "a transaction in base64", found)
const notCanonical = (found: string) => Operation.unsafe("encoding", "the one way to write this transaction", found)

/** Reads what the service wants signed. */
export const parseTransaction = (text: unknown): Effect.Effect<ParsedTransaction, SwapError.UnsafeOperation> =>
  Effect.gen(function* () {
    if (typeof text !== "string") return yield* unreadable(describeKind(text))
    if (text.length > maxCharacters)
      return yield* unreadable(`${describeKind(text)}, where ${maxCharacters} are the most`)
    const bytes = yield* Effect.try({ try: () => fromBase64(text), catch: () => notCanonical("no such base64") })
    const { canonical, parsed } = yield* Effect.try({
      try: () => {
        const parsed = decodeTransaction(bytes)
        return { parsed, canonical: encodeCanonically(parsed) }
      },
      catch: () => unreadable(`${bytes.length} bytes that cannot be read as one`)
    })
    if (bytes.length > maxBytes) return yield* unreadable(`${bytes.length} bytes, where ${maxBytes} are the most`)
    if (canonical !== text) return yield* notCanonical("written in another way, or followed by more")
    return parsed
  })
