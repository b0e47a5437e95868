/** Formats transactions for JSON-RPC responses. */
import { getBase58Decoder } from "@solana/kit"
import type { Landed } from "./ledger.js"
import type { Inner, Outcome } from "./outcome.js"
import type { CompiledInstruction } from "./decodeTransaction.js"
import { unsupportedVersion } from "./solanaError.js"

/** The encoding of a transaction. */
export type Form = "json" | "jsonParsed" | "base58" | "base64"

const memoPrograms = new Set<string>([
  "MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr",
  "Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo"
])

const base58 = (bytes: Uint8Array): string => getBase58Decoder().decode(bytes)

/** A transaction's memos, each with its length, or null if the transaction has no memos. */
export const memosOf = ({ decoded: { message } }: Landed): string | null => {
  const memos = message.instructions.flatMap(({ data = new Uint8Array(), programAddressIndex }) =>
    memoPrograms.has(message.staticAccounts[programAddressIndex] ?? "")
      ? [`[${data.length}] ${Buffer.from(data).toString()}`]
      : []
  )
  return memos.length === 0 ? null : memos.join("; ")
}

type Group = Outcome["inner"][number]

const compiledInner = ({ accounts, data, programIdIndex, stackHeight }: Inner) => ({
  programIdIndex,
  accounts,
  data: base58(data),
  stackHeight
})

const decodedInstruction = (
  program: number,
  accounts: ReadonlyArray<number>,
  data: Uint8Array,
  stackHeight: number | null,
  { keys }: Outcome
) => ({
  programId: keys[program]?.address,
  accounts: accounts.map((index) => keys[index]?.address),
  data: base58(data),
  stackHeight
})

/** Inner instructions, with addresses instead of indexes. */
export const parsedInner = ({ index, instructions }: Group, outcome: Outcome) => ({
  index,
  instructions: instructions.map(({ accounts, data, programIdIndex, stackHeight }) =>
    decodedInstruction(programIdIndex, accounts, data, stackHeight, outcome)
  )
})

const compiled = ({ accountIndices = [], data = new Uint8Array(), programAddressIndex }: CompiledInstruction) => ({
  programIdIndex: programAddressIndex,
  accounts: accountIndices,
  data: base58(new Uint8Array(data)),
  stackHeight: 1
})

const lookupsOf = ({ message }: Landed["decoded"]) =>
  (message.addressTableLookups ?? []).map(({ lookupTableAddress, readonlyIndexes, writableIndexes }) => ({
    accountKey: lookupTableAddress,
    writableIndexes,
    readonlyIndexes
  }))

/** The transaction itself. Instructions are not parsed, even with `jsonParsed`. */
const transactionOf = (landed: Landed, form: Form): unknown => {
  const { message, signatures, wire } = landed.decoded
  const versioned = {
    ...(message.version === 0 && { addressTableLookups: lookupsOf(landed.decoded) }),
    ...(message.config !== undefined && { transactionConfig: message.config })
  }
  switch (form) {
    case "base58":
      return [base58(wire), "base58"]
    case "base64":
      return [Buffer.from(wire).toString("base64"), "base64"]
    case "json":
      return {
        signatures,
        message: {
          header: {
            numRequiredSignatures: message.header.numSignerAccounts,
            numReadonlySignedAccounts: message.header.numReadonlySignerAccounts,
            numReadonlyUnsignedAccounts: message.header.numReadonlyNonSignerAccounts
          },
          accountKeys: message.staticAccounts,
          recentBlockhash: message.lifetimeToken,
          instructions: message.instructions.map(compiled),
          ...versioned
        }
      }
    case "jsonParsed":
      return {
        signatures,
        message: {
          accountKeys: landed.keys.map(({ address, signer, source, writable }) => ({
            pubkey: address,
            signer,
            source,
            writable
          })),
          recentBlockhash: message.lifetimeToken,
          instructions: message.instructions.map(
            ({ accountIndices = [], data = new Uint8Array(), programAddressIndex }) =>
              decodedInstruction(programAddressIndex, accountIndices, new Uint8Array(data), 1, landed)
          ),
          ...versioned
        }
      }
  }
}

/** The metadata of a transaction. */
const metaOf = (landed: Landed, form: Form): unknown => ({
  err: landed.err,
  status: landed.err === null ? { Ok: null } : { Err: landed.err },
  fee: landed.fee,
  preBalances: landed.pre.map((state) => state?.lamports ?? 0n),
  postBalances: landed.post.map((state) => state?.lamports ?? 0n),
  innerInstructions:
    form === "jsonParsed"
      ? landed.inner.map((group) => parsedInner(group, landed))
      : landed.inner.map(({ index, instructions }) => ({ index, instructions: instructions.map(compiledInner) })),
  logMessages: landed.logs,
  preTokenBalances: landed.preTokens,
  postTokenBalances: landed.postTokens,
  rewards: [],
  ...(form !== "jsonParsed" && { loadedAddresses: landed.loaded }),
  ...(landed.returnData !== undefined && {
    returnData: {
      programId: landed.returnData.programId,
      data: [Buffer.from(landed.returnData.data).toString("base64"), "base64"]
    }
  }),
  computeUnitsConsumed: landed.units
})

/** The transaction, its metadata, and its version if the client supports versions. */
export const landedView = (landed: Landed, form: Form, maxVersion: number | undefined) => {
  const { version } = landed.decoded.message
  if (version !== "legacy" && (maxVersion === undefined || version > maxVersion)) throw unsupportedVersion(version)
  return {
    transaction: transactionOf(landed, form),
    meta: metaOf(landed, form),
    ...(maxVersion !== undefined && { version })
  }
}
