/**
 * Resolves the account indices in a message. Returns every account with its privileges (signer, writable), and every
 * instruction with its accounts.
 */
import type { ReadonlyUint8Array } from "@solana/kit"
import type { LoadedAddresses } from "./lookupTables.js"
import type { MessageV0 } from "./parseTransaction.js"

export type Rights = "writable signer" | "read-only signer" | "writable" | "read-only"

export interface Account {
  readonly address: string
  readonly rights: Rights
}

export interface Instruction {
  /**
   * The program's address, or `undefined` if the program is not a static account. Programs cannot come from a lookup
   * table.
   */
  readonly program: string | undefined
  readonly accounts: ReadonlyArray<string | undefined>
  readonly data: ReadonlyUint8Array
}

export interface ResolvedMessage {
  readonly signers: ReadonlyArray<string>
  readonly accounts: ReadonlyArray<Account>
  readonly instructions: ReadonlyArray<Instruction>
}

export const resolveMessage = (
  { header, instructions, staticAccounts }: MessageV0,
  loaded: LoadedAddresses
): ResolvedMessage => {
  const { numReadonlyNonSignerAccounts, numReadonlySignerAccounts, numSignerAccounts } = header
  const rightsOf = (index: number): Rights => {
    if (index < numSignerAccounts) {
      return index < numSignerAccounts - numReadonlySignerAccounts ? "writable signer" : "read-only signer"
    }
    return index < staticAccounts.length - numReadonlyNonSignerAccounts ? "writable" : "read-only"
  }
  const accounts = [
    ...staticAccounts.map((address, index): Account => ({ address, rights: rightsOf(index) })),
    ...loaded.writable.map((address): Account => ({ address, rights: "writable" })),
    ...loaded.readonly.map((address): Account => ({ address, rights: "read-only" }))
  ]
  return {
    signers: staticAccounts.slice(0, numSignerAccounts),
    accounts,
    instructions: instructions.map(({ accountIndices = [], data = new Uint8Array(), programAddressIndex }) => ({
      program: staticAccounts[programAddressIndex],
      accounts: accountIndices.map((index) => accounts[index]?.address),
      data
    }))
  }
}
