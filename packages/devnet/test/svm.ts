/** Test helpers for the SVM, based on kit. */
import { getSetComputeUnitLimitInstruction, getSetComputeUnitPriceInstruction } from "@solana-program/compute-budget"
import { getAddMemoInstruction } from "@solana-program/memo"
import { getTransferSolInstruction } from "@solana-program/system"
import { findAssociatedTokenPda, getTransferCheckedInstruction, TOKEN_PROGRAM_ADDRESS } from "@solana-program/token"
import {
  AccountRole,
  type Address,
  address,
  type AddressesByLookupTableAddress,
  appendTransactionMessageInstructions,
  assertIsTransactionWithBlockhashLifetime,
  type Blockhash,
  compressTransactionMessageUsingAddressLookupTables,
  createKeyPairSignerFromBytes,
  createSolanaRpc,
  createSolanaRpcSubscriptions,
  createTransactionMessage,
  getAddressEncoder,
  getBase58Encoder,
  getProgramDerivedAddress,
  getU64Encoder,
  type Instruction,
  type KeyPairSigner,
  lamports,
  pipe,
  setTransactionMessageConfig,
  sendAndConfirmTransactionFactory,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
  type TransactionSigner
} from "@solana/kit"
import { solanaWallet, type SolanaWallet, solanaWallets } from "../src/Wallets.js"

export const memoProgram = address("MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr")
export const usdc = solanaWallet("mint USDC").address
export const vault = solanaWallet("vault").address

/** The RPC clients. */
export const clients = (rpcUrl: string, wsUrl: string) => {
  const rpc = createSolanaRpc(rpcUrl)
  const rpcSubscriptions = createSolanaRpcSubscriptions(wsUrl)
  const sendAndConfirm = sendAndConfirmTransactionFactory({ rpc, rpcSubscriptions })
  return { rpc, rpcSubscriptions, sendAndConfirm }
}
export type Clients = ReturnType<typeof clients>

const signerOf = ({ privateKey }: Pick<SolanaWallet, "privateKey">): Promise<KeyPairSigner> =>
  createKeyPairSignerFromBytes(getBase58Encoder().encode(privateKey))

export const relayer = () => signerOf(solanaWallet("relayer"))
export const vaultSigner = () => signerOf(solanaWallet("vault"))
export const person = (index: number): Promise<KeyPairSigner> => {
  const wallet = solanaWallets()[index]
  if (wallet === undefined) throw new Error(`There is no wallet ${index}.`)
  return signerOf(wallet)
}

export const tokenAccountOf = async (owner: Address, mint: Address = usdc): Promise<Address> => {
  const [account] = await findAssociatedTokenPda({ mint, owner, tokenProgram: TOKEN_PROGRAM_ADDRESS })
  return account
}

/** The instructions of a swap that the wallet signs. */
export const swap = async (
  wallet: TransactionSigner,
  amount: bigint,
  memo = "geoswap:order:terms"
): Promise<ReadonlyArray<Instruction>> => [
  getSetComputeUnitLimitInstruction({ units: 60_000 }),
  getSetComputeUnitPriceInstruction({ microLamports: 1000n }),
  getTransferCheckedInstruction({
    source: await tokenAccountOf(wallet.address),
    mint: usdc,
    destination: await tokenAccountOf(vault),
    authority: wallet,
    amount,
    decimals: 6
  }),
  getAddMemoInstruction({ memo }, { programAddress: memoProgram })
]

/** The instructions that pay USDC out of the vault. */
export const payOut = async (to: Address, amount: bigint, memo: string): Promise<ReadonlyArray<Instruction>> => [
  getTransferCheckedInstruction({
    source: await tokenAccountOf(vault),
    mint: usdc,
    destination: await tokenAccountOf(to),
    authority: await vaultSigner(),
    amount,
    decimals: 6
  }),
  getAddMemoInstruction({ memo }, { programAddress: memoProgram })
]

type Lifetime = Readonly<{ blockhash: Blockhash; lastValidBlockHeight: bigint }>

/** Signs instructions that a payer pays for, with addresses from lookup tables. */
export const signed = async (
  payer: KeyPairSigner,
  lifetime: Lifetime,
  instructions: ReadonlyArray<Instruction>,
  tables: AddressesByLookupTableAddress = {}
) => {
  const transaction = await pipe(
    createTransactionMessage({ version: 0 }),
    (message) => setTransactionMessageFeePayerSigner(payer, message),
    (message) => setTransactionMessageLifetimeUsingBlockhash(lifetime, message),
    (message) => appendTransactionMessageInstructions(instructions, message),
    (message) => compressTransactionMessageUsingAddressLookupTables(message, tables),
    (message) => signTransactionMessageWithSigners(message)
  )
  assertIsTransactionWithBlockhashLifetime(transaction)
  return transaction
}

export const lifetime = async ({ rpc }: Clients): Promise<Lifetime> => (await rpc.getLatestBlockhash().send()).value

/** Signs transfers in a version 1 transaction, with a priority fee of 77 lamports. */
export const version1 = async (app: Clients, payer: KeyPairSigner, to: Address, amounts: ReadonlyArray<bigint>) => {
  const { blockhash, lastValidBlockHeight } = await lifetime(app)
  const config = { computeUnitLimit: 50_000, loadedAccountsDataSizeLimit: 100_000, priorityFeeLamports: lamports(77n) }
  return pipe(
    createTransactionMessage({ version: 1 }),
    (message) => setTransactionMessageFeePayerSigner(payer, message),
    (message) => setTransactionMessageLifetimeUsingBlockhash({ blockhash, lastValidBlockHeight }, message),
    (message) => setTransactionMessageConfig(config, message),
    (message) =>
      appendTransactionMessageInstructions(
        amounts.map((amount) => getTransferSolInstruction({ source: payer, destination: to, amount })),
        message
      ),
    (message) => signTransactionMessageWithSigners(message)
  )
}

const lookupTableProgram = address("AddressLookupTab1e1111111111111111111111111")
const systemProgram = address("11111111111111111111111111111111")

/** The instructions that create and extend a lookup table. There is no client of that program for this version of kit. */
export const lookupTable = async (
  owner: KeyPairSigner,
  recentSlot: bigint,
  addresses: ReadonlyArray<Address>
): Promise<{ readonly table: Address; readonly instructions: ReadonlyArray<Instruction> }> => {
  const [table, bump] = await getProgramDerivedAddress({
    programAddress: lookupTableProgram,
    seeds: [getAddressEncoder().encode(owner.address), getU64Encoder().encode(recentSlot)]
  })
  const accounts = [
    { address: table, role: AccountRole.WRITABLE },
    { address: owner.address, role: AccountRole.READONLY_SIGNER, signer: owner },
    { address: owner.address, role: AccountRole.WRITABLE_SIGNER, signer: owner },
    { address: systemProgram, role: AccountRole.READONLY }
  ]
  const create = new Uint8Array([0, 0, 0, 0, ...getU64Encoder().encode(recentSlot), bump])
  const extend = new Uint8Array([
    2,
    0,
    0,
    0,
    ...getU64Encoder().encode(BigInt(addresses.length)),
    ...addresses.flatMap((one) => [...getAddressEncoder().encode(one)])
  ])
  const instructions = [create, extend].map((data) => ({ programAddress: lookupTableProgram, accounts, data }))
  return { table, instructions }
}
