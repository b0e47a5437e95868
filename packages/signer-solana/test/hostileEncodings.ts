/** Transactions with wrong accounts, signers, tables or bytes, each with the field of its refusal. */
import {
  AccountRole,
  type Address,
  appendTransactionMessageInstructions,
  type Blockhash,
  compileTransaction,
  createTransactionMessage,
  getBase64EncodedWireTransaction,
  type Instruction,
  type Nonce,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
  setTransactionMessageLifetimeUsingDurableNonce
} from "@solana/kit"
import type { Hostile } from "./hostileTransactions.js"
import { secondTableName, type Stored, table, tableData, tableName, tableProgram } from "./lookupTables.js"
import {
  against,
  agreed,
  budget,
  bytesOf,
  type Compiled,
  destination,
  honest,
  memo,
  memoProgram,
  mint,
  otherMint,
  recompiled,
  relayer,
  source,
  stranger,
  strangersAccount,
  textOf,
  transfer,
  vault,
  wallet,
  wireOf,
  wireWithTables
} from "./transactions.js"

const wire = agreed.unsignedTransaction
const bytes = bytesOf(wire)

const signerOf = (address: Address, role: AccountRole = AccountRole.READONLY_SIGNER) => ({ address, role })

/** An instruction with additional signers. */
const alsoSigning = (instruction: Instruction, ...signers: ReadonlyArray<Address>): Instruction => ({
  ...instruction,
  accounts: [...(instruction.accounts ?? []), ...signers.map((address) => signerOf(address))]
})

const lifetime = { blockhash: stranger as string as Blockhash, lastValidBlockHeight: 1n }

export const signers: ReadonlyArray<Hostile> = [
  ["the wallet as fee payer", "feePayer", against(wireOf(honest, wallet))],
  ["the wallet as fee payer if none is pinned", "feePayer", against(wireOf(honest, wallet), { deployment: { vault } })],
  ["a stranger as fee payer", "feePayer", against(wireOf(honest, stranger))],
  ["the vault as fee payer", "feePayer", against(wireOf(honest, vault))],
  ["three signers", "signers", against(wireOf([...budget, transfer, alsoSigning(memo, stranger)]))],
  ["four signers", "signers", against(wireOf([...budget, transfer, alsoSigning(memo, stranger, vault)]))],
  [
    "fee payer and wallet swapped",
    "feePayer",
    against(wireOf([...budget, alsoSigning(transfer, relayer), memo], wallet))
  ],
  [
    "the wallet as an account that does not sign",
    "signers",
    against(
      recompiled(({ header }) => ({
        header: { ...header, numSignerAccounts: 1, numReadonlySignerAccounts: 0 }
      }))
    )
  ],
  [
    "the wallet's token account as a signer",
    "signers",
    against(recompiled(({ header }) => ({ header: { ...header, numSignerAccounts: 3 } })))
  ]
]

const header = (change: Partial<Compiled["header"]>) =>
  recompiled((message) => ({ header: { ...message.header, ...change } }))

/** Another account at the end, among the read-only ones, or before them. */
const withAccount = (extra: Address, writable = false) =>
  recompiled(({ header, instructions, staticAccounts }) => {
    const at = writable ? staticAccounts.length - header.numReadonlyNonSignerAccounts : staticAccounts.length
    const moved = (index: number) => (index >= at ? index + 1 : index)
    return {
      header: {
        ...header,
        numReadonlyNonSignerAccounts: header.numReadonlyNonSignerAccounts + (writable ? 0 : 1)
      },
      staticAccounts: staticAccounts.toSpliced(at, 0, extra),
      instructions: instructions.map((instruction) => ({
        ...instruction,
        programAddressIndex: moved(instruction.programAddressIndex),
        ...(instruction.accountIndices && { accountIndices: instruction.accountIndices.map(moved) })
      }))
    }
  })

/** The agreed transaction with other accounts in its transfer. */
const withTransferIndices = (change: (message: Compiled) => ReadonlyArray<number>) =>
  recompiled((message) => ({
    instructions: message.instructions.map((instruction) =>
      instruction.accountIndices === undefined ? instruction : { ...instruction, accountIndices: [...change(message)] }
    )
  }))

export const accounts: ReadonlyArray<Hostile> = [
  ["an unused account", "accounts", against(withAccount(stranger))],
  ["an unused writable account", "accounts", against(withAccount(strangersAccount, true))],
  ["the mint twice", "accounts", against(withAccount(mint))],
  ["the wallet again, without signing", "accounts", against(withAccount(wallet))],
  ["the wallet again, writable", "accounts", against(withAccount(wallet, true))],
  ["the source twice", "accounts", against(withAccount(source, true))],
  ["the memo program twice", "accounts", against(withAccount(memoProgram))],
  ["a writable wallet", "accounts", against(header({ numReadonlySignerAccounts: 0 }))],
  ["a fee payer that cannot pay", "accounts", against(header({ numReadonlySignerAccounts: 2 }))],
  ["more read-only signers than signers", "accounts", against(header({ numReadonlySignerAccounts: 200 }))],
  ["a writable program", "accounts", against(header({ numReadonlyNonSignerAccounts: 3 }))],
  ["only writable accounts", "accounts", against(header({ numReadonlyNonSignerAccounts: 0 }))],
  ["a read-only token account", "accounts", against(header({ numReadonlyNonSignerAccounts: 5 }))],
  ["no writable account", "accounts", against(header({ numReadonlyNonSignerAccounts: 255 }))],
  [
    "a mint made writable by an instruction",
    "accounts",
    against(
      wireOf([
        ...budget,
        {
          ...transfer,
          accounts: (transfer.accounts ?? []).map((account) =>
            account.address === mint ? { ...account, role: AccountRole.WRITABLE } : account
          )
        },
        memo
      ])
    )
  ],
  ["an account that does not exist", "source", against(withTransferIndices(() => [200, 5, 3, 1]))],
  [
    "the fee payer as authority",
    "authority",
    against(
      withTransferIndices(({ staticAccounts }) =>
        [source, mint, destination, relayer].map((key) => staticAccounts.indexOf(key))
      )
    )
  ]
]

const spliced = (at: number, remove: number, ...insert: ReadonlyArray<number>): string =>
  textOf(Uint8Array.from(Array.from(bytes).toSpliced(at, remove, ...insert)))

/** The offsets of the message and of its account count. */
const message = 1 + 2 * 64
const accountCount = message + 4
const instructionCount = accountCount + 1 + 8 * 32 + 32

/** The last data character, with unused bits set. */
const loose = (text: string): string => {
  const padded = text.replace(/=+$/, "")
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
  return `${padded.slice(0, -1)}${alphabet[alphabet.indexOf(padded.slice(-1)) + 1]}${text.slice(padded.length)}`
}

export const forms: ReadonlyArray<Hostile> = [
  ["a trailing byte", "encoding", against(textOf(Uint8Array.from([...bytes, 0])))],
  ["a trailing transaction", "encoding", against(textOf(Uint8Array.from([...bytes, ...bytes.slice(message)])))],
  ["base64 with a line break", "encoding", against(`${wire.slice(0, 76)}\n${wire.slice(76)}`)],
  ["base64 with a trailing space", "encoding", against(`${wire} `)],
  ["base64 for URLs", "encoding", against(wire.replaceAll("+", "-").replaceAll("/", "_"))],
  ["base64 with unnecessary padding", "encoding", against(`${wire}====`)],
  ["a count of signatures in two bytes", "unsignedTransaction", against(spliced(0, 1, 0x82, 0x00))],
  ["a count of accounts in two bytes", "encoding", against(spliced(accountCount, 1, 0x88, 0x00))],
  ["a count of accounts in three bytes", "encoding", against(spliced(accountCount, 1, 0x88, 0x80, 0x00))],
  ["a count of instructions in two bytes", "encoding", against(spliced(instructionCount, 1, 0x84, 0x00))],
  ["a signature too many", "unsignedTransaction", against(spliced(0, 1, 3, ...new Uint8Array(64)))],
  ["a signature too few", "unsignedTransaction", against(spliced(0, 65, 1))],
  ["no signatures", "unsignedTransaction", against(spliced(0, message, 0))],
  ["half a transaction", "unsignedTransaction", against(textOf(bytes.slice(0, 300)))],
  ["an empty string", "unsignedTransaction", against("")],
  ["a few bytes", "unsignedTransaction", against("AAAA")],
  ["invalid base64", "encoding", against("not a transaction!")],
  ["a number", "unsignedTransaction", against(7 as never)],
  ["a transaction in hex", "unsignedTransaction", against(Buffer.from(bytes).toString("hex"))],
  ["a megabyte", "unsignedTransaction", against("A".repeat(1_000_000))],
  [
    "a byte more than a packet",
    "unsignedTransaction",
    against(textOf(Uint8Array.from([...bytes, ...new Uint8Array(1233 - bytes.length)])))
  ],
  ["an unknown version", "unsignedTransaction", against(spliced(message, 1, 0x82))],
  [
    "the legacy format",
    "version",
    against(
      getBase64EncodedWireTransaction(
        compileTransaction(
          pipe(
            createTransactionMessage({ version: "legacy" }),
            (message) => setTransactionMessageFeePayer(relayer, message),
            (message) => setTransactionMessageLifetimeUsingBlockhash(lifetime, message),
            (message) => appendTransactionMessageInstructions(honest, message)
          )
        )
      )
    )
  ],
  [
    "version 1",
    "version",
    against(
      getBase64EncodedWireTransaction(
        compileTransaction(
          pipe(
            createTransactionMessage({ version: 1 }),
            (message) => setTransactionMessageFeePayer(relayer, message),
            (message) => setTransactionMessageLifetimeUsingBlockhash(lifetime, message),
            (message) => appendTransactionMessageInstructions(honest, message)
          )
        )
      )
    )
  ],
  [
    "a durable nonce instead of a blockhash",
    "instructions",
    against(
      getBase64EncodedWireTransaction(
        compileTransaction(
          pipe(
            createTransactionMessage({ version: 0 }),
            (message) => setTransactionMessageFeePayer(relayer, message),
            (message) =>
              setTransactionMessageLifetimeUsingDurableNonce(
                {
                  nonce: stranger as string as Nonce,
                  nonceAccountAddress: stranger,
                  nonceAuthorityAddress: relayer
                },
                message
              ),
            (message) => appendTransactionMessageInstructions(honest, message)
          )
        )
      )
    )
  ]
]

const looked = wireWithTables({ [tableName]: [destination, mint] })

/** The agreed message with its last static accounts loaded from tables. */
const fromTables = (lookups: Compiled["addressTableLookups"]) =>
  recompiled(() => ({ ...(lookups && { addressTableLookups: lookups }) }))

const lookup = (writableIndexes: Array<number>, readonlyIndexes: Array<number>, lookupTableAddress = tableName) => [
  { lookupTableAddress, writableIndexes, readonlyIndexes }
]

/** Lookup tables without an RPC to read them. */
export const unresolved: ReadonlyArray<Hostile> = [
  ["a table for the vault's account", "lookupTables", against(wireWithTables({ [tableName]: [destination] }))],
  ["a table for the mint", "lookupTables", against(wireWithTables({ [tableName]: [mint] }))],
  ["an unused table", "lookupTables", against(fromTables(lookup([], [0])))],
  ["a table without an account", "lookupTables", against(fromTables(lookup([], [])))]
]

/** Lookup tables that the signer can read, with their contents. */
export const resolved: ReadonlyArray<readonly [...Hostile, tables: Readonly<Record<string, Stored>>]> = [
  [
    "a table with a stranger's account instead of the vault's",
    "destination",
    against(looked),
    { [tableName]: table([strangersAccount, mint]) }
  ],
  [
    "a table with another token instead of the mint",
    "token",
    against(looked),
    { [tableName]: table([destination, otherMint]) }
  ],
  ["a table with swapped entries", "token", against(looked), { [tableName]: table([mint, destination]) }],
  [
    "a table of another program",
    "lookupTables",
    against(looked),
    { [tableName]: table([destination, mint], stranger) }
  ],
  ["a table that is too short", "lookupTables", against(looked), { [tableName]: table([destination]) }],
  ["a table without entries", "lookupTables", against(looked), { [tableName]: table([]) }],
  ["a table that does not exist", "lookupTables", against(looked), {}],
  [
    "another encoding of the same base64",
    "encoding",
    against(loose(looked)),
    { [tableName]: table([destination, mint]) }
  ],
  [
    "an uninitialized table",
    "lookupTables",
    against(looked),
    { [tableName]: { owner: tableProgram, data: tableData([destination, mint], 0) } }
  ],
  [
    "an account of the table program that is not a table",
    "lookupTables",
    against(looked),
    { [tableName]: { owner: tableProgram, data: Uint8Array.of(1, 0, 0, 0) } }
  ],
  [
    "a table for an unused account",
    "accounts",
    against(fromTables(lookup([], [0]))),
    { [tableName]: table([stranger]) }
  ],
  [
    "a table for an unused writable account",
    "accounts",
    against(fromTables(lookup([0], []))),
    { [tableName]: table([strangersAccount]) }
  ],
  ["a table for the mint again", "accounts", against(fromTables(lookup([], [0]))), { [tableName]: table([mint]) }],
  [
    "a table for the wallet again, writable",
    "accounts",
    against(fromTables(lookup([0], []))),
    { [tableName]: table([wallet]) }
  ],
  [
    "a table without an account looked up",
    "lookupTables",
    against(fromTables(lookup([], []))),
    { [tableName]: table([mint]) }
  ],
  [
    "more accounts from a table than the transfer needs",
    "lookupTables",
    against(fromTables(lookup([0, 1, 2], [3]))),
    { [tableName]: table([mint, mint, mint, mint]) }
  ],
  [
    "one table of two without an account",
    "lookupTables",
    against(fromTables([...lookup([], [0]), ...lookup([], [], secondTableName)])),
    { [tableName]: table([mint]) }
  ],
  [
    "a writable mint from a table",
    "accounts",
    against(
      recompiled(({ header, instructions, staticAccounts }) => {
        const at = staticAccounts.indexOf(mint)
        const moved = (index: number) => (index === at ? staticAccounts.length - 1 : index > at ? index - 1 : index)
        return {
          header: { ...header, numReadonlyNonSignerAccounts: header.numReadonlyNonSignerAccounts - 1 },
          staticAccounts: staticAccounts.toSpliced(at, 1),
          instructions: instructions.map((instruction) => ({
            ...instruction,
            programAddressIndex: moved(instruction.programAddressIndex),
            ...(instruction.accountIndices && { accountIndices: instruction.accountIndices.map(moved) })
          })),
          addressTableLookups: lookup([0], [])
        }
      })
    ),
    { [tableName]: table([mint]) }
  ],
  [
    "a program from a table",
    "memoProgram",
    against(
      recompiled(({ header, instructions, staticAccounts }) => {
        const at = staticAccounts.indexOf(memoProgram)
        const moved = (index: number) => (index === at ? staticAccounts.length - 1 : index > at ? index - 1 : index)
        return {
          header: { ...header, numReadonlyNonSignerAccounts: header.numReadonlyNonSignerAccounts - 1 },
          staticAccounts: staticAccounts.toSpliced(at, 1),
          instructions: instructions.map((instruction) => ({
            ...instruction,
            programAddressIndex: moved(instruction.programAddressIndex),
            ...(instruction.accountIndices && { accountIndices: instruction.accountIndices.map(moved) })
          })),
          addressTableLookups: lookup([], [0])
        }
      })
    ),
    { [tableName]: table([memoProgram]) }
  ]
]
