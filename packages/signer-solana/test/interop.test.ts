import { describe, expect, it } from "@effect/vitest"
import { Operation, Quote, type Signer } from "@geoswap/core"
import { hashTerms as hashByCore } from "@geoswap/core/adapters"
import { Vectors } from "@geoswap/core/testing"
import { keccak_256 } from "@noble/hashes/sha3"
import { createKeyPairFromBytes, generateKeyPair, getAddressFromPublicKey } from "@solana/kit"
import {
  ComputeBudgetProgram,
  Keypair,
  MessageV0,
  PublicKey,
  TransactionInstruction,
  TransactionMessage,
  VersionedTransaction
} from "@solana/web3.js"
import { SolanaSigner } from "../src/index.js"
import { seededRandom } from "../../../tooling/testing/seededRandom.ts"
import { isSignedBy, testKey, walletKey } from "./keys.js"
import { honestPlan, write } from "./transactionMutations.js"
import { hashTerms } from "./chainLibrary.js"
import { neverAborted } from "./expectError.js"
import {
  against,
  agreed,
  amount,
  compiledOf,
  destination,
  memoProgram,
  memoText,
  mint,
  relayer,
  source,
  textOf,
  wallet
} from "./transactions.js"
import { kinds } from "./wallets.js"

const blockhash = "EkSnNWid2cvwEVnVx9aBqawnmiCNiDgp3gUdkDPTKN1N"
const tokenProgram = new PublicKey("TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA")

/** The agreed instructions, built by web3.js alone. */
const instructions = [
  ComputeBudgetProgram.setComputeUnitLimit({ units: 60_000 }),
  ComputeBudgetProgram.setComputeUnitPrice({ microLamports: 1000 }),
  new TransactionInstruction({
    programId: tokenProgram,
    keys: [
      { pubkey: new PublicKey(source), isSigner: false, isWritable: true },
      { pubkey: new PublicKey(mint), isSigner: false, isWritable: false },
      { pubkey: new PublicKey(destination), isSigner: false, isWritable: true },
      { pubkey: new PublicKey(wallet), isSigner: true, isWritable: false }
    ],
    data: Buffer.concat([Buffer.of(12), Buffer.from(new BigUint64Array([amount]).buffer), Buffer.of(6)])
  }),
  new TransactionInstruction({ programId: new PublicKey(memoProgram), keys: [], data: Buffer.from(memoText) })
]

const message = new TransactionMessage({
  payerKey: new PublicKey(relayer),
  recentBlockhash: blockhash,
  instructions
}).compileToV0Message()

/** The same message with its last accounts in reverse order, as another library could encode it. */
const turned = (() => {
  const keys = message.staticAccountKeys
  const order = [...keys.keys()].map((index) => (index < 4 ? index : keys.length + 3 - index))
  return new MessageV0({
    header: message.header,
    staticAccountKeys: order.map((index) => keys[index] as PublicKey),
    recentBlockhash: message.recentBlockhash,
    compiledInstructions: message.compiledInstructions.map((instruction) => ({
      ...instruction,
      programIdIndex: order.indexOf(instruction.programIdIndex),
      accountKeyIndexes: instruction.accountKeyIndexes.map((index) => order.indexOf(index))
    })),
    addressTableLookups: []
  })
})()

const written: Readonly<Record<string, Signer.TransactionToSign>> = {
  kit: agreed,
  "web3.js": against(textOf(new VersionedTransaction(message).serialize())),
  "a library with another account order": against(textOf(new VersionedTransaction(turned).serialize()))
}

describe.each(kinds)("$name", ({ make }) => {
  it.each(Object.entries(written))(
    "signs a transaction encoded by %s, and web3.js decodes the result",
    async (_, transaction) => {
      const key = walletKey()
      const signer = await make(key)
      await signer.verifyTransaction?.(transaction, neverAborted())
      const signed = await signer.signTransaction(transaction, neverAborted())
      expect(isSignedBy(signed, key.address)).toBe(true)
      const before = VersionedTransaction.deserialize(Buffer.from(transaction.unsignedTransaction, "base64"))
      const after = VersionedTransaction.deserialize(Buffer.from(signed, "base64"))
      expect(after.message).toStrictEqual(before.message)
      expect(after.signatures[0]).toStrictEqual(new Uint8Array(64))
      expect(Buffer.from(after.signatures[1] ?? []).equals(key.sign(before.message.serialize()))).toBe(true)
    }
  )
})

describe("the accounts of the three transactions", () => {
  it("are the same in three different orders", () => {
    const orders = Object.values(written).map(
      ({ unsignedTransaction }) => compiledOf(unsignedTransaction).staticAccounts
    )
    expect(new Set(orders.map((order) => order.toSorted().join())).size).toBe(1)
    expect(new Set(orders.map((order) => order.join())).size).toBe(3)
  })
})

describe("a fee payer that has already signed", () => {
  it("keeps its signature", async () => {
    const payer = Keypair.fromSeed(new Uint8Array(32).fill(12))
    const transaction = VersionedTransaction.deserialize(Buffer.from(agreed.unsignedTransaction, "base64"))
    const first = testKey(payer.secretKey.slice(0, 32)).sign(transaction.message.serialize())
    transaction.signatures[0] = first
    const solana = await SolanaSigner.fromKeyPair(
      await createKeyPairFromBytes(Keypair.fromSeed(walletKey().seed).secretKey)
    )
    const signed = await solana.signTransaction(against(textOf(transaction.serialize())), neverAborted())
    const { signatures } = VersionedTransaction.deserialize(Buffer.from(signed, "base64"))
    expect(signatures[0]).toStrictEqual(first)
    expect(isSignedBy(signed, wallet)).toBe(true)
  })
})

describe("keys of other libraries", () => {
  it("have the same address", async () => {
    const keypair = Keypair.generate()
    const solana = await SolanaSigner.fromKeyPair(await createKeyPairFromBytes(keypair.secretKey))
    expect(solana.address).toBe(keypair.publicKey.toBase58())
    const pair = await generateKeyPair()
    expect((await SolanaSigner.fromKeyPair(pair)).address).toBe(await getAddressFromPublicKey(pair.publicKey))
  })
})

describe("the terms", () => {
  const termsOf = (agreement: Operation.Agreement) =>
    hashByCore(Operation.encodeTerms(agreement), (bytes) => `0x${Buffer.from(keccak_256(bytes)).toString("hex")}`)
  const byViem = ({ quote, request }: Operation.Agreement) =>
    hashTerms({
      ...request,
      recipient: request.recipient ?? request.walletAddress,
      minOutput: Quote.minOutputOf(quote)
    })

  it.each(Vectors.transactions)("of a transaction $name match the vectors and viem", (vector) => {
    expect(termsOf(vector)).toBe(vector.terms)
    expect(byViem(vector)).toBe(vector.terms)
  })

  it("match viem for any agreement", () => {
    for (let index = 0; index < 200; index++) {
      const transaction = write(honestPlan(seededRandom(3, index)))
      expect(termsOf(transaction)).toBe(byViem(transaction))
    }
  })
})
