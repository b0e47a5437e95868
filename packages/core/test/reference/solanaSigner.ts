/** A Solana signer as a third party would write it, on kit. */
import {
  findAssociatedTokenPda,
  getTransferCheckedInstructionDataEncoder,
  TOKEN_PROGRAM_ADDRESS
} from "@solana-program/token"
import {
  address,
  createKeyPairFromPrivateKeyBytes,
  getAddressFromPublicKey,
  getBase64Decoder,
  getBase64EncodedWireTransaction,
  getBase64Encoder,
  getCompiledTransactionMessageDecoder,
  getCompiledTransactionMessageEncoder,
  getTransactionDecoder,
  getTransactionEncoder,
  partiallySignTransaction,
  type ReadonlyUint8Array
} from "@solana/kit"
import { Operation, type Signer } from "../../src/index.js"
import { termsOf } from "./evmSigner.js"

const computeBudget = "ComputeBudget111111111111111111111111111111"
const memoProgram = "MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr"

/** One instruction with its accounts as addresses. */
interface Step {
  readonly program: string | undefined
  readonly accounts: ReadonlyArray<string | undefined>
  readonly data: ReadonlyUint8Array
}

export interface Decoded {
  readonly version: number | "legacy"
  readonly lookups: number
  readonly signers: ReadonlyArray<string>
  readonly steps: ReadonlyArray<Step>
  /** The transaction as kit encodes it. A difference means that the string contains something that kit ignores. */
  readonly canonical: string
}

/** Parses a transaction. Throws if it is not one. */
export const decode = (wire: string): Decoded => {
  const { messageBytes, signatures } = getTransactionDecoder().decode(getBase64Encoder().encode(wire))
  const message = getCompiledTransactionMessageDecoder().decode(messageBytes)
  if (message.version === 1) throw new Error("not a version that this signer knows")
  const again = getCompiledTransactionMessageEncoder().encode(message) as typeof messageBytes
  return {
    version: message.version,
    lookups: "addressTableLookups" in message ? (message.addressTableLookups?.length ?? 0) : 0,
    signers: message.staticAccounts.slice(0, message.header.numSignerAccounts),
    steps: message.instructions.map(({ programAddressIndex, accountIndices = [], data = new Uint8Array() }) => ({
      program: message.staticAccounts[programAddressIndex],
      accounts: accountIndices.map((index) => message.staticAccounts[index]),
      data
    })),
    canonical: getBase64Decoder().decode(getTransactionEncoder().encode({ messageBytes: again, signatures }))
  }
}

/** A summary of an instruction: its program, its type, and its number of accounts. */
const describe = (step: Step | undefined): string =>
  `${step?.program}, data ${step?.data[0]} of ${step?.data.length} bytes, ${step?.accounts.length} accounts`

const tokenAccounts = new Map<string, string>()

/** Caches derived addresses, which take milliseconds. */
const tokenAccountOf = async (owner: string, mint: string): Promise<string> => {
  const known = tokenAccounts.get(`${owner} ${mint}`)
  if (known !== undefined) return known
  const seeds = { owner: address(owner), mint: address(mint), tokenProgram: TOKEN_PROGRAM_ADDRESS }
  const [account] = await findAssociatedTokenPda(seeds)
  tokenAccounts.set(`${owner} ${mint}`, account)
  return account
}

export type Rule = readonly [field: string, expected: string, found: string]

/** The rules for a transaction, each with the actual value. The instructions are an allow-list of four. */
export const rulesOf = async (
  wallet: string,
  { request, quote, deployment }: Signer.TransactionToSign & { readonly deployment: Operation.Deployment },
  { canonical, lookups, signers, steps, version }: Decoded,
  wire: string
): Promise<ReadonlyArray<Rule>> => {
  const [limit, price, transfer, memo] = steps
  const [feePayer] = signers
  const text = String.fromCharCode(...(memo?.data ?? []))
  const [, orderId] = /^geoswap:(0x[0-9a-f]{64}):/.exec(text) ?? []
  const amount = getTransferCheckedInstructionDataEncoder().encode({
    amount: request.amount,
    decimals: transfer?.data[9] ?? 0
  })
  const accounts = [
    await tokenAccountOf(wallet, request.inputToken),
    request.inputToken,
    await tokenAccountOf(deployment.vault, request.inputToken),
    wallet
  ]
  return [
    ["encoding", canonical, wire],
    ["version", "0", `${version}`],
    ["lookupTables", "0", `${lookups}`],
    ["walletAddress", wallet, request.walletAddress],
    ["signers", `${deployment.relayer ?? feePayer},${wallet}`, signers.join(",")],
    ["feePayer", "not the wallet", feePayer === wallet ? "the wallet" : "not the wallet"],
    ["instructions", "4", `${steps.length}`],
    ["computeUnitLimit", `${computeBudget}, data 2 of 5 bytes, 0 accounts`, describe(limit)],
    ["computeUnitPrice", `${computeBudget}, data 3 of 9 bytes, 0 accounts`, describe(price)],
    ["tokenProgram", TOKEN_PROGRAM_ADDRESS, `${transfer?.program}`],
    ["transferAccounts", accounts.join(","), `${transfer?.accounts.join(",")}`],
    ["transfer", amount.join(","), `${transfer?.data.join(",")}`],
    ["memoProgram", `${memoProgram} 0`, `${memo?.program} ${memo?.accounts.length}`],
    ["memo", `geoswap:${orderId}:${termsOf({ request, quote })}`, text]
  ]
}

/** The first broken rule of a transaction, or `undefined`. */
const problemOf = async (wallet: string, transaction: Signer.TransactionToSign) => {
  const { deployment, unsignedTransaction } = transaction
  if (deployment === undefined) return Operation.unsafe("deployment", "pinned", "absent")
  let decoded: Decoded
  try {
    decoded = decode(unsignedTransaction)
  } catch (error) {
    return Operation.unsafe("unsignedTransaction", "a v0 transaction", String(error))
  }
  const rules = await rulesOf(wallet, { ...transaction, deployment }, decoded, unsignedTransaction)
  const broken = rules.find(([, expected, found]) => expected !== found)
  return broken && Operation.unsafe(...broken)
}

/** A signer with promises for a seed in memory. */
export const fromSeed = async (seed: Uint8Array): Promise<Signer.PromiseSolanaSigner> => {
  const keyPair = await createKeyPairFromPrivateKeyBytes(seed)
  const wallet = await getAddressFromPublicKey(keyPair.publicKey)
  return {
    address: wallet,
    verifyTransaction: async (transaction) => {
      const problem = await problemOf(wallet, transaction)
      if (problem !== undefined) throw problem
    },
    signTransaction: async ({ unsignedTransaction }) => {
      const transaction = getTransactionDecoder().decode(getBase64Encoder().encode(unsignedTransaction))
      return getBase64EncodedWireTransaction(await partiallySignTransaction([keyPair], transaction))
    }
  }
}
