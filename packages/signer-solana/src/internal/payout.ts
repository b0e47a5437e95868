/** Reads what a transaction of a vault paid for an order, from its transfers and the memos after them. */
import { Chain, type ChainReader } from "@geoswap/core"
import { NodeError, type RpcCall } from "@geoswap/core/adapters"
import * as Effect from "effect/Effect"
import { fromBase64 } from "./base64.js"
import { toLatin1 } from "./bytes.js"
import { decodeTransaction } from "./parseTransaction.js"
import { memoProgram, tokenProgram } from "./programs.js"
import { type Instruction, resolveMessage } from "./resolvedMessage.js"
import { findTransaction } from "./rpcMethods.js"

/** The instruction types: `TransferChecked` of the token program, and `Transfer` of the system program. */
const transferChecked = [12]
const transferLamports = [2, 0, 0, 0]

const outcomes = { delivery: "delivered", refund: "refunded" } as const

/** Decodes the amount after the type of an instruction. */
const amountAfter = ({ data }: Instruction, type: ReadonlyArray<number>): bigint =>
  type.every((byte, index) => data[index] === byte)
    ? Array.from(data.slice(type.length, type.length + 8)).reduceRight((sum, byte) => sum * 256n + BigInt(byte), 0n)
    : 0n

/** The amount of a transfer, if it is from a vault to the recipient. `account` is the recipient's token account. */
const amountIn = (
  transfer: Instruction,
  { recipient, token, vaults }: ChainReader.PayoutQuery,
  account: string
): bigint => {
  if (token === Chain.nativeToken.solana) {
    const [source, destination] = transfer.accounts
    const isOurs = transfer.program === token && vaults.some((vault) => vault === source) && destination === recipient
    return isOurs ? amountAfter(transfer, transferLamports) : 0n
  }
  const [, mint, destination, authority] = transfer.accounts
  const isOurs =
    transfer.program === tokenProgram &&
    mint === token &&
    destination === account &&
    vaults.some((vault) => vault === authority)
  return isOurs ? amountAfter(transfer, transferChecked) : 0n
}

/**
 * Reads from one node what the transaction paid for the order. `account` is the recipient's token account. A payment from
 * before the signature belongs to another swap with the same order id.
 */
export const readPayout = Effect.fnUntraced(function* (
  call: RpcCall,
  query: ChainReader.PayoutQuery,
  account: string
): Effect.fn.Return<bigint, NodeError> {
  const landed = yield* findTransaction(call, query.txHash)
  if (landed === null || landed.failed || landed.time === undefined || landed.time < query.since) return 0n
  const { message } = yield* Effect.try({
    try: () => decodeTransaction(fromBase64(landed.text)),
    catch: () => new NodeError("returned a transaction that cannot be decoded")
  })
  // Our payments use no lookup tables. An account from a table stays unknown, and matches nothing.
  if (message.version !== 0) return 0n
  const { instructions } = resolveMessage(message, { writable: [], readonly: [] })
  const memo = `geoswap:${query.orderId.toLowerCase()}:${outcomes[query.kind]}`
  const index = instructions.findIndex(({ data, program }) => program === memoProgram && toLatin1(data) === memo)
  const transfer = instructions[index - 1]
  return transfer === undefined ? 0n : amountIn(transfer, query, account)
})
