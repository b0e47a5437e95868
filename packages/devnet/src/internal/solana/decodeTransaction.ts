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

/** What a version 1 message states itself instead of with instructions of the compute budget program. */
interface TransactionConfig {
  readonly priorityFee: bigint | null
  readonly computeUnitLimit: number | null
  readonly loadedAccountsDataSizeLimit: number | null
  readonly heapSize: number | null
}

/** A message, in a form that is the same for all versions. */
export interface Message {
  readonly version: "legacy" | 0 | 1
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
  /** In a version 1 message. */
  readonly config?: TransactionConfig
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
const limitsOfOlder = { raw: 1232, base58: 1683, base64: 1644 }
/** The same for a version 1 transaction. Base58 is for older ones only, because decoding it takes quadratic time. */
const limitsOfVersion1 = { ...limitsOfOlder, raw: 4096, base64: 5464 }

/** Whether a transaction or message in base64 starts with the byte 0x81, which only version 1 does. */
const isVersion1 = (base64: string): boolean => /^g[Q-Za-f]/.test(base64)

const name = "solana_transaction::versioned::VersionedTransaction"

/** Decodes a string. Throws if the string is too long or is not in the given encoding. */
export const decodeText = (text: string, encoding: "base58" | "base64", what = name): Uint8Array => {
  const limits = encoding === "base64" && isVersion1(text) ? limitsOfVersion1 : limitsOfOlder
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

type Compiled = ReturnType<ReturnType<typeof getCompiledTransactionMessageDecoder>["decode"]>

/** The values are in the order of the bits in the mask. The first two bits are of one value. */
const configOf = ({ configMask, configValues }: Extract<Compiled, { version: 1 }>): TransactionConfig => {
  const values = configValues.map(({ value }) => value)
  const next = (bits: number) => ((configMask & bits) === 0 ? null : (values.shift() ?? null))
  const numberOf = (value: bigint | number | null) => (value === null ? null : Number(value))
  const priorityFee = next(0b11)
  return {
    priorityFee: priorityFee === null ? null : BigInt(priorityFee),
    computeUnitLimit: numberOf(next(0b100)),
    loadedAccountsDataSizeLimit: numberOf(next(0b1000)),
    heapSize: numberOf(next(0b10000))
  }
}

/** Decodes a message. Throws if the message is invalid. */
export const decodeMessage = (bytes: Uint8Array, what = "solana_message::versions::VersionedMessage"): Message => {
  let compiled: Compiled
  try {
    compiled = getCompiledTransactionMessageDecoder().decode(bytes)
  } catch {
    throw invalidParams(`failed to deserialize ${what}: io error: failed to fill whole buffer`)
  }
  if (compiled.version !== 1) return compiled
  const { header, instructionHeaders, instructionPayloads, lifetimeToken, staticAccounts, version } = compiled
  return {
    version,
    header,
    staticAccounts,
    lifetimeToken,
    instructions: instructionHeaders.map(({ programAccountIndex }, index) => ({
      programAddressIndex: programAccountIndex,
      accountIndices: instructionPayloads[index]?.instructionAccountIndices ?? [],
      data: instructionPayloads[index]?.instructionData ?? new Uint8Array()
    })),
    config: configOf(compiled)
  }
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
