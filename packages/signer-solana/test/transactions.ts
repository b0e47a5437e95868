/** The agreed transaction, built by kit and the program clients, and parts to build others. */
import type { Operation, Signer } from "@geoswap/core"
import { Vectors } from "@geoswap/core/testing"
import { getSetComputeUnitLimitInstruction, getSetComputeUnitPriceInstruction } from "@solana-program/compute-budget"
import { getAddMemoInstruction } from "@solana-program/memo"
import { findAssociatedTokenPda, getTransferCheckedInstruction, TOKEN_PROGRAM_ADDRESS } from "@solana-program/token"
import {
  type Address,
  address,
  appendTransactionMessageInstructions,
  type Blockhash,
  blockhash,
  compileTransaction,
  compressTransactionMessageUsingAddressLookupTables,
  createNoopSigner,
  createTransactionMessage,
  getBase64Encoder,
  getBase64EncodedWireTransaction,
  getCompiledTransactionMessageDecoder,
  getCompiledTransactionMessageEncoder,
  getTransactionDecoder,
  type Instruction,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash
} from "@solana/kit"

const [vector] = Vectors.transactions

/** The agreement that transactions are compared with. */
export const agreement: Operation.Agreement & { readonly deployment: Operation.Deployment } = {
  request: vector.request,
  quote: vector.quote,
  deployment: vector.deployment
}

export const { orderId, terms } = vector
export const wallet = address(vector.request.walletAddress)
export const vault = address(vector.deployment.vault)
export const relayer = address(`${vector.deployment.relayer}`)
export const mint = address(vector.request.inputToken)
export const { amount } = vector.request

export const stranger = address("AoVsGaj8MSJ6xwKxfFxo9iZWH3enC8RRTXKH2fx2F8os")
export const otherMint = address("Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB")
export const memoProgram = address("MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr")
export const token2022 = address("TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb")

/** The associated token account, by the token program's own client. */
export const tokenAccount = async (owner: Address, of: Address = mint, tokenProgram: Address = TOKEN_PROGRAM_ADDRESS) =>
  (await findAssociatedTokenPda({ owner, mint: of, tokenProgram }))[0]

export const source = await tokenAccount(wallet)
export const destination = await tokenAccount(vault)
export const strangersAccount = await tokenAccount(stranger)

export const limit: Instruction = getSetComputeUnitLimitInstruction({ units: 60_000 })
export const price: Instruction = getSetComputeUnitPriceInstruction({ microLamports: 1000n })
export const budget = [limit, price] as const

/** The agreed transfer with changes. */
export const transferOf = (
  change: Partial<Record<"source" | "destination" | "authority" | "mint" | "program", Address>> & {
    readonly amount?: bigint
    readonly decimals?: number
  } = {}
): Instruction =>
  getTransferCheckedInstruction(
    {
      source: change.source ?? source,
      mint: change.mint ?? mint,
      destination: change.destination ?? destination,
      authority: createNoopSigner(change.authority ?? wallet),
      amount: change.amount ?? amount,
      decimals: change.decimals ?? 6
    },
    { programAddress: change.program ?? TOKEN_PROGRAM_ADDRESS }
  )
export const transfer = transferOf()

export const memoOf = (memo: string | Uint8Array, programAddress: Address = memoProgram): Instruction =>
  typeof memo === "string" ? getAddMemoInstruction({ memo }, { programAddress }) : { programAddress, data: memo }
export const memoText = `geoswap:${orderId}:${terms}`
export const memo = memoOf(memoText)

export const honest = [...budget, transfer, memo] as const

const firstBlockhash = blockhash("EkSnNWid2cvwEVnVx9aBqawnmiCNiDgp3gUdkDPTKN1N")

export const messageOf = (
  instructions: ReadonlyArray<Instruction>,
  feePayer: Address = relayer,
  recent: Blockhash = firstBlockhash
) =>
  pipe(
    createTransactionMessage({ version: 0 }),
    (message) => setTransactionMessageFeePayer(feePayer, message),
    (message) => setTransactionMessageLifetimeUsingBlockhash({ blockhash: recent, lastValidBlockHeight: 1n }, message),
    (message) => appendTransactionMessageInstructions(instructions, message)
  )

export const wireOf = (
  instructions: ReadonlyArray<Instruction>,
  feePayer: Address = relayer,
  recent: Blockhash = firstBlockhash
): string => getBase64EncodedWireTransaction(compileTransaction(messageOf(instructions, feePayer, recent)))

/** The same, with as many accounts as possible from lookup tables. */
export const wireWithTables = (
  tables: Readonly<Record<Address, ReadonlyArray<Address>>>,
  instructions: ReadonlyArray<Instruction> = honest
): string =>
  getBase64EncodedWireTransaction(
    compileTransaction(
      compressTransactionMessageUsingAddressLookupTables(messageOf(instructions), tables as Record<Address, Address[]>)
    )
  )

export type Compiled = Extract<
  ReturnType<ReturnType<typeof getCompiledTransactionMessageDecoder>["decode"]>,
  { readonly version: 0 }
>

export const bytesOf = (wire: string): Uint8Array => Uint8Array.from(getBase64Encoder().encode(wire))
export const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64")

export const compiledOf = (wire: string): Compiled => {
  const { messageBytes } = getTransactionDecoder().decode(bytesOf(wire))
  const message = getCompiledTransactionMessageDecoder().decode(messageBytes)
  if (message.version !== 0) throw new Error("not a transaction of these tests")
  return message
}

/** Encodes a message with empty signatures, including messages that kit would not build. */
export const wireOfCompiled = (message: Compiled): string => {
  const count = message.header.numSignerAccounts
  const messageBytes = getCompiledTransactionMessageEncoder().encode(message)
  return textOf(Uint8Array.from([count, ...new Uint8Array(64 * count), ...messageBytes]))
}

/** The agreed transaction with something changed in its compiled form. */
export const recompiled = (change: (message: Compiled) => Partial<Compiled>): string => {
  const message = compiledOf(wireOf(honest))
  return wireOfCompiled({ ...message, ...change(message) })
}

/** A request to sign a transaction under the agreement. */
export const against = (
  unsignedTransaction: string,
  change: {
    readonly request?: Partial<Operation.Agreement["request"]>
    readonly quote?: Operation.Agreement["quote"]
    readonly deployment?: Operation.Deployment | undefined
  } = {}
): Signer.TransactionToSign => {
  const { deployment, quote, request } = agreement
  const pinned = "deployment" in change ? change.deployment : deployment
  return {
    request: { ...request, ...change.request },
    quote: change.quote ?? quote,
    ...(pinned && { deployment: pinned }),
    unsignedTransaction
  }
}

export const agreed = against(wireOf(honest))
