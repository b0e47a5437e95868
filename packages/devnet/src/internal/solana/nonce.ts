/** Durable nonces: transactions whose lifetime depends on a value in an account, not a recent blockhash. */
import { createHash } from "node:crypto"
import { type Address, type EncodedAccount, getAddressDecoder, getBase58Decoder, getBase58Encoder } from "@solana/kit"
import type { Message } from "./decodeTransaction.js"
import type { State } from "./accountHistory.js"

const systemProgram = "11111111111111111111111111111111"
const size = 80
const advanceNonceAccount = 4

/** An initialized nonce account. */
export interface Nonce {
  readonly authority: Address
  readonly value: string
  readonly lamportsPerSignature: bigint
}

/** Reads a nonce account. Returns undefined if the account is not an initialized nonce account. */
export const read = (account: State): Nonce | undefined => {
  if (account === undefined || account.programAddress !== systemProgram || account.data.length !== size)
    return undefined
  const data = new Uint8Array(account.data)
  const view = new DataView(data.buffer)
  if (view.getUint32(0, true) !== 1 || view.getUint32(4, true) !== 1) return undefined
  return {
    authority: getAddressDecoder().decode(data.subarray(8, 40)),
    value: getBase58Decoder().decode(data.subarray(40, 72)),
    lamportsPerSignature: view.getBigUint64(72, true)
  }
}

/** Derives a nonce value from a blockhash. */
const valueOf = (blockhash: string): Uint8Array =>
  new Uint8Array(
    createHash("sha256")
      .update("DURABLE_NONCE")
      .update(new Uint8Array(getBase58Encoder().encode(blockhash)))
      .digest()
  )

/** The nonce account that a message's first instruction advances, if it advances one. */
export const accountOf = ({ instructions: [first], staticAccounts }: Message): Address | undefined => {
  const data = first?.data ?? new Uint8Array()
  const advances =
    first !== undefined &&
    staticAccounts[first.programAddressIndex] === systemProgram &&
    data.length >= 4 &&
    data[0] === advanceNonceAccount &&
    data[1] === 0 &&
    data[2] === 0 &&
    data[3] === 0
  return advances ? staticAccounts[first.accountIndices?.[0] ?? -1] : undefined
}

/** Whether a message may use a nonce instead of a recent blockhash. */
export const isUsable = (message: Message, account: State, latestBlockhash: string): boolean => {
  const nonce = read(account)
  if (nonce === undefined || nonce.value !== message.lifetimeToken) return false
  if (nonce.value === getBase58Decoder().decode(valueOf(latestBlockhash))) return false
  const signers = message.staticAccounts.slice(0, message.header.numSignerAccounts)
  const given = (message.instructions[0]?.accountIndices ?? []).map((index) => message.staticAccounts[index])
  return signers.includes(nonce.authority) && given.includes(nonce.authority)
}

/**
 * The nonce account after a failed transaction that used its nonce. The nonce advances even if the transaction fails.
 */
export const advanced = (account: EncodedAccount, latestBlockhash: string): EncodedAccount => {
  const data = new Uint8Array(account.data)
  data.set(valueOf(latestBlockhash), 40)
  return { ...account, data }
}
