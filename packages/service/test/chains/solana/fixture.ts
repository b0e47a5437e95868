/** A real SVM for the tests of the Solana chain, advanced slot by slot, and operations on it. */
import { type Proxy, SolanaNode, Wallets } from "@geoswap/devnet"
import { findAssociatedTokenPda, TOKEN_PROGRAM_ADDRESS } from "@solana-program/token"
import {
  type Address,
  appendTransactionMessageInstructions,
  createKeyPairFromBytes,
  createKeyPairSignerFromBytes,
  createSolanaRpc,
  createTransactionMessage,
  getBase58Encoder,
  getBase64EncodedWireTransaction,
  getBase64Encoder,
  getTransactionDecoder,
  type Instruction,
  type KeyPairSigner,
  lamports,
  partiallySignTransaction,
  pipe,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners
} from "@solana/kit"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import type { SolanaChain as Port } from "../../../src/chains/Chains.js"
import * as SolanaChain from "../../../src/chains/solana/SolanaChain.js"
import * as SolanaKeys from "../../../src/chains/solana/SolanaKeys.js"
import * as SolanaTransaction from "../../../src/chains/solana/SolanaTransaction.js"
import { SolanaChain as SolanaChainConfig } from "../../../src/config/chainSchemas.js"
import type { CollectJob, SendJob } from "../../../src/domain/Job.js"

const { solanaWallet, solanaWallets } = Wallets

export const relayer = solanaWallet("relayer")
export const vault = solanaWallet("vault")
export const native = "11111111111111111111111111111111"
const mints = new Map(Wallets.tokens.map(({ symbol }) => [symbol, solanaWallet(`mint ${symbol}`).address]))
export const mintOf = (symbol: string): Address => mints.get(symbol) ?? solanaWallet(`mint ${symbol}`).address
export const usdc = mintOf("USDC")

const people = solanaWallets()
/** A wallet that exists in the SVM from the start: it has tokens and no lamports. */
export const person = (index: number): Wallets.SolanaWallet => {
  const wallet = people[index]
  if (wallet === undefined) throw new Error(`There is no wallet ${index}.`)
  return wallet
}

/** An owner that is unknown to the chain. */
export const stranger = (name: string): Wallets.SolanaWallet => solanaWallet(`stranger ${name}`)

const sol = 1_000_000_000n
export const finalitySlots = 4

export class Svm extends Context.Service<Svm, SolanaNode.SolanaNode>()("test/Svm") {
  /** Slots pass where a test makes them. */
  static readonly layer = Layer.effect(
    Svm,
    SolanaNode.make({
      port: 0,
      wsPort: 0,
      slotTime: 3_600_000,
      confirmationSlots: 1,
      finalitySlots,
      genesis: {
        funded: [
          [relayer.address, 1_000n * sol],
          [vault.address, 1_000n * sol]
        ],
        tokens: Wallets.tokens.map((plan) => ({ plan, mint: mintOf(plan.symbol) })),
        vault: vault.address,
        wallets: people
      }
    })
  )
}

export const keyOf = ({ privateKey }: { readonly privateKey: string }) =>
  SolanaKeys.fromBase58(Redacted.make(privateKey))

/** The configuration of the SVM behind these URLs. */
export const configOf = (rpcUrls: ReadonlyArray<string>, changes: Readonly<Record<string, unknown>> = {}) =>
  Schema.decodeUnknownEffect(SolanaChainConfig)({
    kind: "solana",
    id: 31339,
    name: "devnet-solana",
    rpcUrls,
    timeoutMillis: 10_000,
    vault: vault.address,
    tokens: Wallets.tokens.map(({ decimals, symbol }) => ({
      symbol,
      address: mintOf(symbol),
      decimals: decimals.solana
    })),
    ...changes
  }).pipe(Effect.orDie)

/** The chain of the service behind these URLs. */
export const chainAt = Effect.fnUntraced(function* (
  rpcUrls: ReadonlyArray<string>,
  changes: Readonly<Record<string, unknown>> = {}
) {
  return yield* SolanaChain.make({
    config: yield* configOf(rpcUrls, changes),
    relayer: yield* Effect.orDie(keyOf(relayer)),
    vault: yield* Effect.orDie(keyOf(vault))
  })
})

/** The chain of the service on the SVM. */
export const direct = Effect.gen(function* () {
  const svm = yield* Svm
  return { svm, chain: yield* chainAt([svm.rpcUrl]) }
})

/** Signs a transaction as a wallet does. */
export const signAs = ({ privateKey }: { readonly privateKey: string }, transaction: string): Effect.Effect<string> =>
  Effect.promise(async () => {
    const keyPair = await createKeyPairFromBytes(getBase58Encoder().encode(privateKey))
    const decoded = getTransactionDecoder().decode(getBase64Encoder().encode(transaction))
    return getBase64EncodedWireTransaction(await partiallySignTransaction([keyPair], decoded))
  })

let orders = 0
/** A new order id. */
export const orderId = (): string => `0x${(orders += 1).toString(16).padStart(64, "0")}`
const terms = `0x${"7e".repeat(32)}`

/** A collect that the wallet has signed, as submit stores it. */
export const collectJob = Effect.fnUntraced(function* (
  chain: Port,
  wallet: Wallets.SolanaWallet,
  amount: bigint,
  token: string = usdc
) {
  const order = orderId()
  const { lastValidBlockHeight, transaction } = yield* chain.buildCollect({
    wallet: wallet.address,
    token,
    amount,
    memo: `geoswap:${order}:${terms}`
  })
  const inspected = yield* SolanaTransaction.inspect(transaction, yield* signAs(wallet, transaction), wallet.address)
  const operation = {
    _tag: "solana" as const,
    transaction: inspected.transaction,
    lastValidBlockHeight: `${lastValidBlockHeight}`
  }
  return {
    kind: "collect",
    orderId: order,
    wallet: wallet.address,
    token,
    amount,
    terms,
    operation
  } satisfies CollectJob
})

export const sendJob = (kind: SendJob["kind"], to: string, amount: bigint, token: string = usdc): SendJob => ({
  kind,
  orderId: orderId(),
  token,
  to,
  amount,
  opensAccount: kind === "deliver"
})

export const tokenAccountOf = (owner: string, mint: string = usdc): Effect.Effect<Address> =>
  Effect.promise(async () => {
    const seeds = { owner: owner as Address, mint: mint as Address, tokenProgram: TOKEN_PROGRAM_ADDRESS }
    return (await findAssociatedTokenPda(seeds))[0]
  })

/** A balance in the newest state of the node. */
export const holdings = Effect.fnUntraced(function* (owner: string, mint: string = usdc) {
  const rpc = createSolanaRpc((yield* Svm).rpcUrl)
  const account = yield* tokenAccountOf(owner, mint)
  return yield* Effect.promise(async () => {
    const commitment = "processed"
    const { value: there } = await rpc.getAccountInfo(account, { commitment, encoding: "base64" }).send()
    const isThere = there?.owner === TOKEN_PROGRAM_ADDRESS
    const tokens = isThere ? (await rpc.getTokenAccountBalance(account, { commitment }).send()).value.amount : "0"
    const { value } = await rpc.getBalance(owner as Address, { commitment }).send()
    return { tokens: BigInt(tokens), lamports: BigInt(value) }
  })
})

/** Runs an effect, and returns by how much these balances changed. */
export const changesOf = Effect.fnUntraced(function* <A, E, R>(
  owners: Readonly<Record<string, string>>,
  task: Effect.Effect<A, E, R>,
  mint: string = usdc
) {
  const all = Effect.forEach(Object.values(owners), (owner) => holdings(owner, mint))
  const before = yield* all
  yield* task
  const after = yield* all
  return Object.fromEntries(
    Object.keys(owners).map((name, index) => [
      name,
      {
        tokens: (after[index]?.tokens ?? 0n) - (before[index]?.tokens ?? 0n),
        lamports: (after[index]?.lamports ?? 0n) - (before[index]?.lamports ?? 0n)
      }
    ])
  )
})

/** Sends instructions that another payer pays for. */
export const execute = Effect.fnUntraced(function* (
  payer: { readonly privateKey: string },
  instructionsOf: (signer: KeyPairSigner) => Promise<ReadonlyArray<Instruction>>
) {
  const svm = yield* Svm
  const rpc = createSolanaRpc(svm.rpcUrl)
  yield* Effect.promise(async () => {
    const signer = await createKeyPairSignerFromBytes(getBase58Encoder().encode(payer.privateKey))
    const instructions = await instructionsOf(signer)
    const { value: lifetime } = await rpc.getLatestBlockhash({ commitment: "processed" }).send()
    const transaction = await pipe(
      createTransactionMessage({ version: 0 }),
      (message) => setTransactionMessageFeePayerSigner(signer, message),
      (message) => setTransactionMessageLifetimeUsingBlockhash(lifetime, message),
      (message) => appendTransactionMessageInstructions(instructions, message),
      (message) => signTransactionMessageWithSigners(message)
    )
    await rpc
      .sendTransaction(getBase64EncodedWireTransaction(transaction), {
        encoding: "base64",
        preflightCommitment: "processed"
      })
      .send()
  })
  yield* svm.mine(1)
})

/** Gives an owner lamports. */
export const airdrop = Effect.fnUntraced(function* (to: string, amount: bigint) {
  const svm = yield* Svm
  yield* Effect.promise(() =>
    createSolanaRpc(svm.rpcUrl)
      .requestAirdrop(to as Address, lamports(amount))
      .send()
  )
  yield* svm.mine(1)
})

/** A proxy rule that changes an answer if it is an object. */
export const rewrite = (
  by: (value: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>
): Proxy.Fault => ({
  type: "change",
  change: (result) => (typeof result === "object" && result !== null ? by(result as Record<string, unknown>) : result)
})
