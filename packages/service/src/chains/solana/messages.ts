/** The messages in our transactions: what a wallet signs, and what the vault sends. */
import { getSetComputeUnitLimitInstruction, getSetComputeUnitPriceInstruction } from "@solana-program/compute-budget"
import { getAddMemoInstruction } from "@solana-program/memo"
import { getTransferSolInstruction } from "@solana-program/system"
import { getCreateAssociatedTokenIdempotentInstruction, getTransferCheckedInstruction } from "@solana-program/token"
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

const memoOf = (memo: string): Instruction => getAddMemoInstruction({ memo }, { programAddress: memoProgram })

const transferOf = (token: Token, source: Address, destination: Address, authority: string, amount: bigint) =>
  getTransferCheckedInstruction({
    source,
    mint: token.mint as Address,
    destination,
    authority: createNoopSigner(authority as Address),
    amount,
    decimals: token.decimals
  })

/**
 * The message for `build-solana-tx` (see docs/protocol.md): the wallet pays the vault. The memo contains the order id.
 */
export const collect = (job: {
  readonly wallet: string
  readonly token: Token
  readonly source: Address
  readonly destination: Address
  readonly amount: bigint
  readonly memo: string
  readonly budget: Budget
}): ReadonlyArray<Instruction> => [
  ...budgetOf(job.budget),
  transferOf(job.token, job.source, job.destination, job.wallet, job.amount),
  memoOf(job.memo)
]

/** A token payment from the vault, without the budget. The relayer can open the recipient's token account. */
export const send = (job: {
  readonly relayer: string
  readonly vault: string
  readonly to: string
  readonly token: Token
  readonly source: Address
  readonly destination: Address
  readonly amount: bigint
  readonly memo: string
  readonly opensAccount: boolean
}): ReadonlyArray<Instruction> => [
  ...(job.opensAccount
    ? [
        getCreateAssociatedTokenIdempotentInstruction({
          payer: createNoopSigner(job.relayer as Address),
          ata: job.destination,
          owner: job.to as Address,
          mint: job.token.mint as Address
        })
      ]
    : []),
  transferOf(job.token, job.source, job.destination, job.vault, job.amount),
  memoOf(job.memo)
]

/** A payment of lamports from the vault, without the budget. */
export const sendNative = (job: {
  readonly vault: string
  readonly to: string
  readonly amount: bigint
  readonly memo: string
}): ReadonlyArray<Instruction> => [
  getTransferSolInstruction({
    source: createNoopSigner(job.vault as Address),
    destination: job.to as Address,
    amount: job.amount
  }),
  memoOf(job.memo)
]

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
