/** Reads address lookup tables. Tables are rejected unless the application provides its own RPC. */
import { Operation, SwapError } from "@geoswap/core"
import {
  type Address,
  fetchEncodedAccounts,
  getAddressDecoder,
  type GetMultipleAccountsApi,
  type Rpc
} from "@solana/kit"
import * as Effect from "effect/Effect"
import { describeValue } from "./describeValue.js"
import type { MessageV0 } from "./parseTransaction.js"
import { lookupTableProgram } from "./programs.js"

/** The accounts that a message loads from tables, in index order. */
export interface LoadedAddresses {
  readonly writable: ReadonlyArray<string>
  readonly readonly: ReadonlyArray<string>
}

export const noLoadedAddresses: LoadedAddresses = { writable: [], readonly: [] }

/**
 * The maximum number of accounts that a message may load from tables: the transfer's source, mint and destination,
 * which do not sign.
 */
const maxLoaded = 3

/** A table starts with its type and 52 bytes of metadata. Its addresses follow and are append-only. */
const headerBytes = 56
const tableKind = "1,0,0,0"

const unsafe = (expected: string, found: string) => Operation.unsafe("lookupTables", expected, found)

const fetchTables = (rpc: Rpc<GetMultipleAccountsApi>, addresses: ReadonlyArray<Address>) =>
  Effect.tryPromise({
    try: async (abortSignal) => {
      const tables = await fetchEncodedAccounts(rpc, [...addresses], { abortSignal, commitment: "finalized" })
      if (tables.length !== addresses.length) throw new TypeError("the RPC returned a different number of accounts")
      return tables
    },
    // The thrown error is dropped, because it contains the URL, which often contains a key.
    catch: () =>
      new SwapError.SignerError({
        reason: "failed",
        message: "The address lookup tables could not be read because the RPC passed as lookupTables failed. Try again."
      })
  })

/** Returns the accounts that a message loads from its lookup tables. */
export const resolveLookupTables = Effect.fnUntraced(function* (
  rpc: Rpc<GetMultipleAccountsApi> | undefined,
  { addressTableLookups: lookups = [] }: Pick<MessageV0, "addressTableLookups">
): Effect.fn.Return<LoadedAddresses, SwapError.SignError> {
  if (lookups.length === 0) return noLoadedAddresses
  if (rpc === undefined) return yield* unsafe("none, because no RPC is set to read them", `${lookups.length}`)
  const indices = lookups.flatMap(({ readonlyIndexes, writableIndexes }) => [...writableIndexes, ...readonlyIndexes])
  if (indices.length > maxLoaded || lookups.length > indices.length) {
    return yield* unsafe(`at most ${maxLoaded} accounts`, `${indices.length} accounts from ${lookups.length} tables`)
  }
  const tables = yield* fetchTables(
    rpc,
    lookups.map(({ lookupTableAddress }) => lookupTableAddress)
  )
  const writable: Array<string> = []
  const readonly: Array<string> = []
  for (const [position, { lookupTableAddress: name, readonlyIndexes, writableIndexes }] of lookups.entries()) {
    const table = tables[position]
    if (table?.exists !== true) return yield* unsafe("existing tables", `${name}, which does not exist`)
    if (table.programAddress !== lookupTableProgram) {
      const owner = describeValue(table.programAddress)
      return yield* unsafe(`tables owned by ${lookupTableProgram}`, `${name}, owned by ${owner}`)
    }
    const { data } = table
    if (data.slice(0, 4).join() !== tableKind || data.length < headerBytes) {
      return yield* unsafe("lookup tables", `${name}, which is not a lookup table`)
    }
    const size = Math.floor((data.length - headerBytes) / 32)
    for (const [indexes, accounts] of [[writableIndexes, writable] as const, [readonlyIndexes, readonly] as const]) {
      for (const index of indexes) {
        if (index >= size) return yield* unsafe(`an index below ${size}, the size of ${name}`, `${index}`)
        accounts.push(getAddressDecoder().decode(data, headerBytes + 32 * index))
      }
    }
  }
  return { writable, readonly }
})
