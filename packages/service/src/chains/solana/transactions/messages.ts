/** The messages in our transactions: what a wallet signs, and what the vault sends. */
import { getSetComputeUnitLimitInstruction, getSetComputeUnitPriceInstruction } from "@solana-program/compute-budget"
import { getAddMemoInstruction } from "@solana-program/memo"
import { getTransferCheckedInstruction } from "@solana-program/token"
import {
  type Address,
  appendTransactionMessageInstructions,
  type Blockhash,
  compileTransaction,
  createNoopSigner,
  createTransactionMessage,
  type Instruction,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash
} from "@solana/kit"
import { memoProgram } from "./programs.js"

/** The token fields that transfers need. */
export interface Token {
  readonly mint: string
  readonly decimals: number
}

/** A transaction's compute units, and the price per unit in micro-lamports. */
export interface Budget {
  readonly units: number
  readonly price: bigint
}

/** Sets a transaction's compute budget. */
export const budgetOf = ({ price, units }: Budget): ReadonlyArray<Instruction> => [
  getSetComputeUnitLimitInstruction({ units }),
  getSetComputeUnitPriceInstruction({ microLamports: price })
]

/** Writes a memo. */
export const memo = (text: string): Instruction =>
  getAddMemoInstruction({ memo: text }, { programAddress: memoProgram })

/** Transfers tokens between two token accounts. */
export const transfer = (token: Token, source: Address, destination: Address, authority: string, amount: bigint) =>
  getTransferCheckedInstruction({
    source,
    mint: token.mint as Address,
    destination,
    authority: createNoopSigner(authority as Address),
    amount,
    decimals: token.decimals
  })

/** Compiles a version 0 message without lookup tables, with the relayer as fee payer. */
export const compile = (relayer: string, blockhash: string, instructions: ReadonlyArray<Instruction>): Uint8Array => {
  // The message does not contain the last valid block height, so any value can be used.
  const lifetime = { blockhash: blockhash as Blockhash, lastValidBlockHeight: 0n }
  const { messageBytes } = pipe(
    createTransactionMessage({ version: 0 }),
    (message) => setTransactionMessageFeePayer(relayer as Address, message),
    (message) => setTransactionMessageLifetimeUsingBlockhash(lifetime, message),
    (message) => appendTransactionMessageInstructions(instructions, message),
    (message) => compileTransaction(message)
  )
  return Uint8Array.from(messageBytes)
}
