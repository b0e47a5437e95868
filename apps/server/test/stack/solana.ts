/** What tests do on the SVM of a devnet besides swapping, only with kit. */
import type { Devnet } from "@geoswap/devnet"
import {
  findAssociatedTokenPda,
  getCloseAccountInstruction,
  getCreateAssociatedTokenIdempotentInstruction,
  getMintToInstruction,
  TOKEN_PROGRAM_ADDRESS
} from "@solana-program/token"
import {
  type Address,
  address,
  appendTransactionMessageInstruction,
  appendTransactionMessageInstructions,
  createKeyPairSignerFromBytes,
  createSignerFromKeyPair,
  createSolanaRpc,
  createTransactionMessage,
  generateKeyPair,
  generateKeyPairSigner,
  getAddressFromPublicKey,
  getBase58Encoder,
  getBase64EncodedWireTransaction,
  getBase64Encoder,
  getCompiledTransactionMessageDecoder,
  getSignatureFromTransaction,
  getTransactionDecoder,
  type Instruction,
  type KeyPairSigner,
  lamports,
  pipe,
  setTransactionMessageConfig,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  type Signature,
  signTransactionMessageWithSigners
} from "@solana/kit"

const nativeToken = "11111111111111111111111111111111"

/** The key of an operator of the devnet. */
export const operator = async (devnet: Devnet.Devnet, role: "relayer" | "vault"): Promise<KeyPairSigner> => {
  const found = devnet.operators.find((one) => one.family === "solana" && one.role === role)
  if (found === undefined) throw new Error(`There is no ${role}.`)
  return createKeyPairSignerFromBytes(getBase58Encoder().encode(found.privateKey))
}

/** The token account of an owner. */
const tokenAccountOf = async (owner: string, mint: string): Promise<Address> => {
  const [account] = await findAssociatedTokenPda({
    mint: address(mint),
    owner: address(owner),
    tokenProgram: TOKEN_PROGRAM_ADDRESS
  })
  return account
}

/** The final balance of an address in a token or in the native token. */
export const balanceOf = async ({ rpcUrl }: Devnet.SolanaChain, token: string, owner: string): Promise<bigint> => {
  const rpc = createSolanaRpc(rpcUrl)
  if (token === nativeToken) return (await rpc.getBalance(address(owner), { commitment: "finalized" }).send()).value
  const account = await tokenAccountOf(owner, token)
  const { value } = await rpc.getAccountInfo(account, { commitment: "finalized", encoding: "base64" }).send()
  if (value === null) return 0n
  const { value: balance } = await rpc.getTokenAccountBalance(account, { commitment: "finalized" }).send()
  return BigInt(balance.amount)
}

/** Sends instructions that the relayer pays for, without waiting for them. */
export const send = async (
  devnet: Devnet.Devnet,
  instructions: (vault: KeyPairSigner, payer: KeyPairSigner) => Promise<ReadonlyArray<Instruction>>,
  skipPreflight = false
): Promise<Signature> => {
  const rpc = createSolanaRpc(devnet.solana.rpcUrl)
  const [vault, payer] = [await operator(devnet, "vault"), await operator(devnet, "relayer")]
  const list = await instructions(vault, payer)
  const { value: lifetime } = await rpc.getLatestBlockhash().send()
  const signed = await pipe(
    createTransactionMessage({ version: 0 }),
    (message) => setTransactionMessageFeePayerSigner(payer, message),
    (message) => setTransactionMessageLifetimeUsingBlockhash(lifetime, message),
    (message) => appendTransactionMessageInstructions(list, message),
    (message) => signTransactionMessageWithSigners(message)
  )
  await rpc.sendTransaction(getBase64EncodedWireTransaction(signed), { encoding: "base64", skipPreflight }).send()
  return getSignatureFromTransaction(signed)
}

/** Sends instructions that the vault signs and the relayer pays for, and waits until they are final. */
export const asVault = async (
  devnet: Devnet.Devnet,
  instructions: (vault: KeyPairSigner, payer: KeyPairSigner) => Promise<ReadonlyArray<Instruction>>
): Promise<void> => {
  const rpc = createSolanaRpc(devnet.solana.rpcUrl)
  const signature = await send(devnet, instructions)
  for (;;) {
    const { value } = await rpc.getSignatureStatuses([signature]).send()
    if (value[0]?.confirmationStatus === "finalized") {
      if (value[0].err !== null) throw new Error("The transaction failed.")
      return
    }
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

/** A new wallet with tokens and without gas. */
export const newWallet = async (
  devnet: Devnet.Devnet,
  amounts: Readonly<Record<string, bigint>>
): Promise<{ readonly keyPair: CryptoKeyPair; readonly address: string }> => {
  const keyPair = await generateKeyPair()
  const owner = await getAddressFromPublicKey(keyPair.publicKey)
  await asVault(devnet, async (vault, payer) => {
    const made = await Promise.all(
      Object.entries(amounts).map(async ([symbol, amount]) => {
        const mint = address(devnet.solana.tokens.find((token) => token.symbol === symbol)?.address ?? "")
        const token = await tokenAccountOf(owner, mint)
        return [
          getCreateAssociatedTokenIdempotentInstruction({ payer, ata: token, owner, mint }),
          getMintToInstruction({ mint, token, mintAuthority: vault, amount })
        ]
      })
    )
    return made.flat()
  })
  return { keyPair, address: owner }
}

/** Mentions a wallet in many version 1 transactions, as other people do. They open a token account that it already has. */
export const sendVersion1 = async (devnet: Devnet.Devnet, wallet: string, count: number): Promise<void> => {
  const rpc = createSolanaRpc(devnet.solana.rpcUrl)
  const payer = await generateKeyPairSigner()
  await rpc.requestAirdrop(payer.address, lamports(1_000_000_000n)).send()
  while ((await rpc.getBalance(payer.address, { commitment: "processed" }).send()).value === 0n) {
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  const [instruction] = await openOf(devnet, wallet, "USDC")(payer, payer)
  if (instruction === undefined) throw new Error("There is no instruction.")
  const { value: lifetime } = await rpc.getLatestBlockhash().send()
  for (let index = 0; index < count; index += 1) {
    // A different limit makes a different transaction.
    const limits = { computeUnitLimit: 100_000 + index, loadedAccountsDataSizeLimit: 10_000_000 }
    const signed = await pipe(
      createTransactionMessage({ version: 1 }),
      (message) => setTransactionMessageFeePayerSigner(payer, message),
      (message) => setTransactionMessageLifetimeUsingBlockhash(lifetime, message),
      (message) => setTransactionMessageConfig(limits, message),
      (message) => appendTransactionMessageInstruction(instruction, message),
      (message) => signTransactionMessageWithSigners(message)
    )
    const options = { encoding: "base64", preflightCommitment: "processed" } as const
    await rpc.sendTransaction(getBase64EncodedWireTransaction(signed), options).send()
  }
}

/** The price per compute unit that one of our transactions offers, which its second instruction sets. */
export const priceIn = (raw: string): bigint => {
  const { messageBytes } = getTransactionDecoder().decode(getBase64Encoder().encode(raw))
  const message = getCompiledTransactionMessageDecoder().decode(messageBytes)
  const { data = new Uint8Array() } = (message.version === 1 ? [] : message.instructions)[1] ?? {}
  return Buffer.from(data).readBigUInt64LE(1)
}

/** The memos of all final successful transactions that the relayer paid for. */
export const memosOf = async (
  devnet: Devnet.Devnet
): Promise<ReadonlyArray<{ readonly memo: string; readonly signature: string }>> => {
  const relayer = await operator(devnet, "relayer")
  const rpc = createSolanaRpc(devnet.solana.rpcUrl)
  const landed = await rpc.getSignaturesForAddress(relayer.address, { commitment: "finalized" }).send()
  return landed.flatMap(({ err, memo, signature }) => (err === null && memo !== null ? [{ memo, signature }] : []))
}

/** The instructions that close an owner's empty token account. The rent goes to the payer. */
export const closeOf =
  (devnet: Devnet.Devnet, owner: CryptoKeyPair, symbol: string) =>
  async (_: KeyPairSigner, payer: KeyPairSigner): Promise<ReadonlyArray<Instruction>> => {
    const authority = await createSignerFromKeyPair(owner)
    const mint = devnet.solana.tokens.find((token) => token.symbol === symbol)?.address ?? ""
    const account = await tokenAccountOf(authority.address, mint)
    return [getCloseAccountInstruction({ account, destination: payer.address, owner: authority })]
  }

/** The instructions that open a token account for an owner. */
export const openOf =
  (devnet: Devnet.Devnet, owner: string, symbol: string) =>
  async (_: KeyPairSigner, payer: KeyPairSigner): Promise<ReadonlyArray<Instruction>> => {
    const mint = address(devnet.solana.tokens.find((token) => token.symbol === symbol)?.address ?? "")
    const ata = await tokenAccountOf(owner, mint)
    return [getCreateAssociatedTokenIdempotentInstruction({ payer, ata, owner: address(owner), mint })]
  }
