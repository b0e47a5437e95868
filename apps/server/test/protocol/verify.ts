/** What the protocol client verifies before it signs, according to docs/protocol.md. */
import {
  AccountRole,
  type Address,
  decompileTransactionMessage,
  getAddressEncoder,
  getBase64Encoder,
  getCompiledTransactionMessageDecoder,
  getCompiledTransactionMessageEncoder,
  getProgramDerivedAddress,
  getTransactionDecoder
} from "@solana/kit"
import { bytesToHex, hashStruct, hashTypedData, type Hex, pad } from "viem"
import type { BuiltOperation, BuiltTransaction, Deployment, Quote, QuoteRequest } from "./client.js"

const refusal = (what: string) => new Error(`Not signed: ${what}.`)

/** Nothing is signed that differs from the quote. */
export const must = (holds: boolean, what: string): void => {
  if (!holds) throw refusal(what)
}

/** An address of either family as 32 bytes. */
const word = (address: string): Hex =>
  address.startsWith("0x")
    ? pad(address.toLowerCase() as Hex)
    : bytesToHex(Uint8Array.from(getAddressEncoder().encode(address as Address)))

const Terms = [
  { name: "destinationChain", type: "uint256" },
  { name: "outputToken", type: "bytes32" },
  { name: "recipient", type: "bytes32" },
  { name: "minOutput", type: "uint256" }
] as const

/** What one signature binds besides the input. */
const termsOf = ({ destinationChain, outputToken, recipient, walletAddress }: QuoteRequest, { minOutput }: Quote) => ({
  destinationChain: BigInt(destinationChain),
  outputToken: word(outputToken),
  recipient: word(recipient ?? walletAddress),
  minOutput: BigInt(minOutput)
})

const hashTerms = (request: QuoteRequest, quoted: Quote): Hex =>
  hashStruct({ types: { Terms }, primaryType: "Terms", data: termsOf(request, quoted) })

const geoOpTypes = {
  GeoOp: [
    { name: "wallet", type: "address" },
    { name: "token", type: "address" },
    { name: "amount", type: "uint256" },
    { name: "vault", type: "address" },
    { name: "orderId", type: "bytes32" },
    { name: "terms", type: "Terms" },
    { name: "nonce", type: "uint256" },
    { name: "deadline", type: "uint256" }
  ],
  Terms
} as const

/** The EIP-712 digest of an operation. */
const hashOf = (
  { amount, chainId, deadline, delegate, nonce, ...rest }: BuiltOperation["geoOp"],
  terms: ReturnType<typeof termsOf>
): Hex =>
  hashTypedData({
    domain: { name: "GeoSwap", version: "1", chainId, verifyingContract: delegate },
    types: geoOpTypes,
    primaryType: "GeoOp",
    message: { ...rest, terms, amount: BigInt(amount), nonce: BigInt(nonce), deadline: BigInt(deadline) }
  })

/** Verifies that the operation and its hash match the quote. */
export const checkOperation = (
  { geoOp, geoOpHash }: BuiltOperation,
  request: QuoteRequest,
  quoted: Quote,
  { delegate = "", vault }: Deployment
): void => {
  const expected = {
    chainId: request.originChain,
    wallet: request.walletAddress.toLowerCase(),
    delegate: delegate.toLowerCase(),
    token: request.inputToken.toLowerCase(),
    amount: request.amount,
    vault: vault.toLowerCase(),
    terms: hashTerms(request, quoted)
  } as const
  for (const [field, value] of Object.entries(expected)) {
    must(geoOp[field as keyof typeof expected] === value, `${field} is not what was agreed`)
  }
  must(geoOp.deadline < Date.now() / 1000 + 180, "the deadline is too far away")
  must(hashOf(geoOp, termsOf(request, quoted)) === geoOpHash, "the hash is of something else")
}

const computeBudget = "ComputeBudget111111111111111111111111111111"
const tokenProgram = "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA"
const associatedTokenProgram = "ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL"
const memoProgram = "MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr"

const tokenAccountOf = async (owner: string, mint: string): Promise<string> => {
  const seeds = [owner, tokenProgram, mint].map((part) => getAddressEncoder().encode(part as Address))
  const [account] = await getProgramDerivedAddress({ programAddress: associatedTokenProgram as Address, seeds })
  return account
}

/** Verifies that the transaction does only what the protocol allows. */
export const checkTransaction = async (
  { unsignedTransaction }: BuiltTransaction,
  request: QuoteRequest,
  quoted: Quote,
  { relayer = "", vault }: Deployment
) => {
  const { inputToken: mint, walletAddress: wallet } = request
  const transaction = getTransactionDecoder().decode(getBase64Encoder().encode(unsignedTransaction))
  const compiled = getCompiledTransactionMessageDecoder().decode(transaction.messageBytes)
  const encoded = getCompiledTransactionMessageEncoder().encode(compiled)
  if (compiled.version !== 0 || compiled.addressTableLookups?.length)
    throw refusal("it is not v0 without lookup tables")
  must(
    bytesToHex(Uint8Array.from(encoded)) === bytesToHex(Uint8Array.from(transaction.messageBytes)),
    "there is more than a message"
  )
  must(
    Object.keys(transaction.signatures).join() === [relayer, wallet].join(),
    "the signers are not relayer and wallet"
  )

  const { instructions } = decompileTransactionMessage(compiled)
  const [limit, price, transfer, memo] = instructions.map(
    ({ accounts = [], data = new Uint8Array(), programAddress }) => ({
      program: programAddress as string,
      accounts: accounts.map(({ address, role }) => `${address} ${AccountRole[role]}`).join(),
      data: Uint8Array.from(data)
    })
  )
  must(instructions.length === 4, "there are other instructions")
  must(limit?.program === computeBudget && limit.data[0] === 2, "the first does not set the compute unit limit")
  must(price?.program === computeBudget && price.data[0] === 3, "the second does not set the compute unit price")
  const accounts = [
    `${await tokenAccountOf(wallet, mint)} WRITABLE`,
    `${mint} READONLY`,
    `${await tokenAccountOf(vault, mint)} WRITABLE`,
    `${wallet} READONLY_SIGNER`
  ]
  must(transfer?.program === tokenProgram && transfer.accounts === accounts.join(), "the transfer is another")
  const pays = transfer?.data ?? new Uint8Array(10)
  must(pays.length === 10 && pays[0] === 12, "it is not a TransferChecked")
  must(new DataView(pays.buffer).getBigUint64(1, true) === BigInt(request.amount), "the amount is another")
  const [name, orderId, terms] = new TextDecoder().decode(memo?.data).split(":")
  must(memo?.program === memoProgram && memo.accounts === "" && name === "geoswap", "the memo is another")
  must(/^0x[0-9a-f]{64}$/.test(orderId ?? "") && terms === hashTerms(request, quoted), "the terms are others")
  return transaction
}
