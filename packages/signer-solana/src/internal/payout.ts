/** Reads what a transaction of a vault paid for an order, from its transfers and the memos after them. */
import { Chain, type ChainReader } from "@geoswap/core"
import { NodeError, type RpcCall } from "@geoswap/core/adapters"
import { getSignatureFromTransaction } from "@solana/kit"
import * as Effect from "effect/Effect"
import { fromBase64 } from "./base64.js"
import { toLatin1 } from "./bytes.js"
import { decodeTransaction, messageAfterSignatures } from "./parseTransaction.js"
import { associatedTokenProgram, computeBudgetProgram, memoProgram, tokenProgram } from "./programs.js"
import { type Instruction, resolveMessage } from "./resolvedMessage.js"
import { findTransaction } from "./rpcMethods.js"

/** The accounts that a payment moves tokens or lamports between. For lamports, they are the wallets themselves. */
export interface Accounts {
  readonly recipient: string
  readonly vaults: ReadonlyArray<{ readonly vault: string; readonly account: string }>
}

/** A transfer that a vault has authorized. */
interface Transfer {
  readonly vault: string | undefined
  readonly token: string | undefined
  readonly source: string | undefined
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

/** Returns the transfer in an instruction, if a vault has authorized it. */
const transferIn = (instruction: Instruction, { vaults }: Accounts): Transfer | undefined => {
  const { accounts, program } = instruction
  const isVault = (owner: string | undefined) => vaults.some(({ vault }) => vault === owner)
  if (program === Chain.nativeToken.solana && isOf(instruction, transferLamports)) {
    const [source, destination] = accounts
    const amount = amountAfter(instruction, transferLamports)
    return isVault(source) ? { vault: source, token: program, source, destination, amount } : undefined
  }
  if (program === tokenProgram && isOf(instruction, transferChecked)) {
    const [source, token, destination, vault] = accounts
    const amount = amountAfter(instruction, transferChecked)
    return isVault(vault) ? { vault, token, source, destination, amount } : undefined
  }
  return undefined
}

/** Whether an instruction moves no tokens, and no lamports except for the fee and the rent of a token account. */
const movesNothing = (instruction: Instruction): boolean =>
  instruction.program === computeBudgetProgram ||
  instruction.program === memoProgram ||
  (instruction.program === associatedTokenProgram && isOf(instruction, createIdempotent))

/**
 * Reads from one node what the transaction paid for the order. Every instruction must move nothing, or be a transfer by a
 * vault that takes nothing from the recipient. Otherwise, another instruction could take the payment back. A payment from
 * before the signature belongs to another swap with the same order id.
 */
export const readPayout = Effect.fnUntraced(function* (
  call: RpcCall,
  query: ChainReader.PayoutQuery,
  accounts: Accounts
): Effect.fn.Return<bigint, NodeError> {
  const landed = yield* findTransaction(call, query.txHash)
  if (landed === null || landed === "newer") return 0n
  if (landed.failed || landed.time === undefined || landed.time < query.since) return 0n
  const decoded = yield* Effect.try({
    try: () => {
      const bytes = fromBase64(landed.text)
      if (messageAfterSignatures(bytes) === undefined) return undefined
      const { message, transaction } = decodeTransaction(bytes)
      return { message, signature: getSignatureFromTransaction(transaction) }
    },
    catch: () => new NodeError("returned a transaction that cannot be decoded")
  })
  if (decoded === undefined) return 0n
  const { message, signature } = decoded
  if (signature !== query.txHash) return yield* Effect.fail(new NodeError("returned another transaction"))
  // Our payments use no lookup tables. An account from a table could be the recipient's.
  if (message.version !== 0 || (message.addressTableLookups ?? []).length > 0) return 0n
  const { instructions } = resolveMessage(message, { writable: [], readonly: [] })
  const transfers = instructions.map((instruction) => transferIn(instruction, accounts))
  const isCertain = instructions.every((instruction, index) => {
    const transfer = transfers[index]
    return transfer === undefined ? movesNothing(instruction) : transfer.source !== accounts.recipient
  })
  if (!isCertain) return 0n
  const memo = `geoswap:${query.orderId.toLowerCase()}:${outcomes[query.kind]}`
  return transfers.reduce<bigint>((most, transfer, index) => {
    const next = instructions[index + 1]
    const isOurs =
      accounts.vaults.some(({ account, vault }) => vault === transfer?.vault && account === transfer.source) &&
      transfer?.token === query.token &&
      transfer.destination === accounts.recipient &&
      next?.program === memoProgram &&
      toLatin1(next.data) === memo
    return isOurs && transfer.amount > most ? transfer.amount : most
  }, 0n)
})
