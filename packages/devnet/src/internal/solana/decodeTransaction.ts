/** Decodes transactions. */
import {
  type Address,
  getBase58Decoder,
  getBase58Encoder,
  getCompiledTransactionMessageDecoder,
  getTransactionDecoder,
  type ReadonlyUint8Array,
  type Transaction
} from "@solana/kit"
import { invalidParams } from "../rpcError.js"

/** An instruction in a message. Its accounts are indexes into the message's keys. */
export interface CompiledInstruction {
  readonly programAddressIndex: number
  readonly accountIndices?: ReadonlyArray<number>
  readonly data?: ReadonlyUint8Array
}

/** A message in one of the two formats that the SVM supports. */
export interface Message {
  readonly version: "legacy" | 0
  readonly header: {
    readonly numSignerAccounts: number
    readonly numReadonlySignerAccounts: number
    readonly numReadonlyNonSignerAccounts: number
  }
  readonly staticAccounts: ReadonlyArray<Address>
  /** The recent blockhash, or a nonce value. */
  readonly lifetimeToken: string
  readonly instructions: ReadonlyArray<CompiledInstruction>
  readonly addressTableLookups?: ReadonlyArray<{
    readonly lookupTableAddress: Address
    readonly writableIndexes: ReadonlyArray<number>
    readonly readonlyIndexes: ReadonlyArray<number>
  }>
}

/** A decoded transaction. */
export interface DecodedTransaction {
  readonly wire: Uint8Array
  readonly transaction: Transaction
  readonly message: Message
  /** The first signature in base58, which identifies the transaction. */
  readonly signature: string
  readonly signatures: ReadonlyArray<string>
}

/** The maximum size of a transaction: in raw bytes, in base58 characters, and in base64 characters. */
const limits = { raw: 1232, base58: 1683, base64: 1644 }

const name = "solana_transaction::versioned::VersionedTransaction"

/** Decodes a string. Throws if the string is too long or is not in the given encoding. */
export const decodeText = (text: string, encoding: "base58" | "base64", what = name): Uint8Array => {
  if (text.length > limits[encoding]) {
    throw invalidParams(
      `${encoding} encoded ${what} too large: ${text.length} bytes (max: encoded/raw ${limits[encoding]}/${limits.raw})`
    )
  }
  const bytes = encoding === "base64" ? fromBase64(text) : fromBase58(text)
  if (bytes.length > limits.raw) {
    throw invalidParams(`decoded ${what} too large: ${bytes.length} bytes (max: ${limits.raw} bytes)`)
  }
  return bytes
}

const fromBase64 = (text: string): Uint8Array => {
  const bytes = Buffer.from(text, "base64")
  if (bytes.toString("base64") === text) return new Uint8Array(bytes)
  const at = text.search(/[^A-Za-z0-9+/]/)
  const isPadding = at === -1 || text[at] === "="
  throw invalidParams(
    `invalid base64 encoding: ${isPadding ? "InvalidPadding" : `InvalidByte(${at}, ${text.charCodeAt(at)})`}`
  )
}

const fromBase58 = (text: string): Uint8Array => {
  try {
    return new Uint8Array(getBase58Encoder().encode(text))
  } catch {
    throw invalidParams("invalid base58 encoding: InvalidCharacter")
  }
}

/** Decodes a message. Throws if the message is invalid. */
export const decodeMessage = (bytes: Uint8Array, what = "solana_message::versions::VersionedMessage"): Message => {
  let message: ReturnType<ReturnType<typeof getCompiledTransactionMessageDecoder>["decode"]>
  try {
    message = getCompiledTransactionMessageDecoder().decode(bytes)
  } catch {
    throw invalidParams(`failed to deserialize ${what}: io error: failed to fill whole buffer`)
  }
  if (message.version !== "legacy" && message.version !== 0) {
    throw invalidParams(`failed to deserialize ${what}: invalid message version`)
  }
  return message
}

/** Decodes a transaction. Throws if the transaction is invalid. */
export const decodeTransaction = (wire: Uint8Array): DecodedTransaction => {
  let transaction: Transaction
  try {
    transaction = getTransactionDecoder().decode(wire)
  } catch {
    throw invalidParams(`failed to deserialize ${name}: io error: failed to fill whole buffer`)
  }
  const message = decodeMessage(new Uint8Array(transaction.messageBytes), name)
  // Kit stores signatures by signer; the wire format stores them in key order.
  const signatures = message.staticAccounts
    .slice(0, message.header.numSignerAccounts)
    .map((signer) => getBase58Decoder().decode(transaction.signatures[signer] ?? new Uint8Array(64)))
  const [signature = ""] = signatures
  return { wire, transaction, message, signature, signatures }
}

/** An address in a message, with its permissions. */
export interface Key {
  readonly address: Address
  readonly signer: boolean
  readonly writable: boolean
  readonly source: "transaction" | "lookupTable"
}

/** The keys in the message itself. */
export const staticKeys = ({ header, staticAccounts }: Message): ReadonlyArray<Key> =>
  staticAccounts.map((address, index) => {
    const signer = index < header.numSignerAccounts
    const writable = signer
      ? index < header.numSignerAccounts - header.numReadonlySignerAccounts
      : index < staticAccounts.length - header.numReadonlyNonSignerAccounts
    return { address, signer, writable, source: "transaction" }
  })

/** The addresses that a message loads from lookup tables; `tableOf` returns the addresses of a table. */
export const loadedAddresses = (
  message: Message,
  tableOf: (table: Address) => ReadonlyArray<Address>
): { readonly writable: ReadonlyArray<Address>; readonly readonly: ReadonlyArray<Address> } => {
  const lookups = message.addressTableLookups ?? []
  const pick = (table: Address, indexes: ReadonlyArray<number>) => {
    const addresses = tableOf(table)
    return indexes.flatMap((index) => addresses[index] ?? [])
  }
  return {
    writable: lookups.flatMap((lookup) => pick(lookup.lookupTableAddress, lookup.writableIndexes)),
    readonly: lookups.flatMap((lookup) => pick(lookup.lookupTableAddress, lookup.readonlyIndexes))
  }
}
