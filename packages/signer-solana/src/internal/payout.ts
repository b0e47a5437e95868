/** Reads what a transaction of a vault paid for an order, from its transfers and the memos after them. */
import { Chain, type ChainReader } from "@geoswap/core"
import { NodeError, type RpcCall } from "@geoswap/core/adapters"
import { getSignatureFromTransaction } from "@solana/kit"
import * as Effect from "effect/Effect"
import { fromBase64 } from "./base64.js"
import { toLatin1 } from "./bytes.js"
import { decodeTransaction } from "./parseTransaction.js"
import { associatedTokenProgram, computeBudgetProgram, memoProgram, tokenProgram } from "./programs.js"
import { type Instruction, resolveMessage } from "./resolvedMessage.js"
import { findTransaction } from "./rpcMethods.js"

/** The accounts that a payment moves tokens or lamports between. For lamports, they are the wallets themselves. */
export interface Accounts {
  readonly recipient: string
  readonly vaults: ReadonlyArray<{ readonly vault: string; readonly account: string }>
}

/** A payment from a vault's own account. */
interface Payment {
  readonly token: string | undefined
  readonly destination: string | undefined
  readonly amount: bigint
}

/** The first bytes of an instruction, and its size. An amount is the 64 bits after its type. */
const transferChecked = { type: [12], size: 10 }
const transferLamports = { type: [2, 0, 0, 0], size: 12 }
const createIdempotent = { type: [1], size: 1 }

const isOf = ({ data }: Instruction, { size, type }: typeof transferChecked): boolean =>
  data.length === size && type.every((byte, index) => data[index] === byte)

const amountAfter = ({ data }: Instruction, { type }: typeof transferChecked): bigint =>
  Array.from(data.slice(type.length, type.length + 8)).reduceRight((sum, byte) => sum * 256n + BigInt(byte), 0n)

const outcomes = { delivery: "delivered", refund: "refunded" } as const

/** Returns the payment that an instruction makes, if it pays from a vault's own account to another account. */
const paymentIn = (instruction: Instruction, { vaults }: Accounts): Payment | undefined => {
  const { accounts, program } = instruction
  if (program === Chain.nativeToken.solana && isOf(instruction, transferLamports)) {
    const [source, destination] = accounts
    return vaults.some(({ vault }) => vault === source) && source !== destination
      ? { token: program, destination, amount: amountAfter(instruction, transferLamports) }
      : undefined
  }
  if (program === tokenProgram && isOf(instruction, transferChecked)) {
    const [source, token, destination, authority] = accounts
    return vaults.some(({ account, vault }) => account === source && vault === authority) && source !== destination
      ? { token, destination, amount: amountAfter(instruction, transferChecked) }
      : undefined
  }
  return undefined
}

/** Whether an instruction moves no tokens, and no lamports except for the fee and the rent of a token account. */
const movesNothing = (instruction: Instruction): boolean =>
  instruction.program === computeBudgetProgram ||
  instruction.program === memoProgram ||
  (instruction.program === associatedTokenProgram && isOf(instruction, createIdempotent))

/**
 * Reads from one node what the transaction paid for the order. Every instruction must be a payment from a vault, or move
 * nothing. Otherwise, another instruction could take the payment back. A payment from before the signature belongs to
 * another swap with the same order id.
 */
export const readPayout = Effect.fnUntraced(function* (
  call: RpcCall,
  query: ChainReader.PayoutQuery,
  accounts: Accounts
): Effect.fn.Return<bigint, NodeError> {
  const landed = yield* findTransaction(call, query.txHash)
  if (landed === null || landed.failed || landed.time === undefined || landed.time < query.since) return 0n
  const { message, signature } = yield* Effect.try({
    try: () => {
      const { message, transaction } = decodeTransaction(fromBase64(landed.text))
      return { message, signature: getSignatureFromTransaction(transaction) }
    },
    catch: () => new NodeError("returned a transaction that cannot be decoded")
  })
  if (signature !== query.txHash) return yield* Effect.fail(new NodeError("returned another transaction"))
  // Our payments use no lookup tables. An account from a table stays unknown, and matches nothing.
  if (message.version !== 0) return 0n
  const { instructions } = resolveMessage(message, { writable: [], readonly: [] })
  const payments = instructions.map((instruction) => paymentIn(instruction, accounts))
  if (!instructions.every((instruction, index) => payments[index] !== undefined || movesNothing(instruction))) return 0n
  const memo = `geoswap:${query.orderId.toLowerCase()}:${outcomes[query.kind]}`
  return payments.reduce<bigint>((most, payment, index) => {
    const next = instructions[index + 1]
    const isOurs =
      payment?.token === query.token &&
      payment.destination === accounts.recipient &&
      next?.program === memoProgram &&
      toLatin1(next.data) === memo
    return isOurs && payment.amount > most ? payment.amount : most
  }, 0n)
})
