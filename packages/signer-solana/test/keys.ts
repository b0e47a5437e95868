/** Signs and verifies Ed25519 with node:crypto, independently of kit. */
import { createPrivateKey, createPublicKey, sign, verify } from "node:crypto"
import { Vectors } from "@geoswap/core/testing"
import { PublicKey, VersionedTransaction } from "@solana/web3.js"

/** A key that counts its signatures. */
export interface TestKey {
  readonly seed: Uint8Array
  readonly address: string
  readonly sign: (message: Uint8Array) => Uint8Array
  readonly signed: () => number
}

const privateKeyOf = (seed: Uint8Array) =>
  createPrivateKey({
    key: Buffer.concat([Buffer.from("302e020100300506032b657004220420", "hex"), seed]),
    format: "der",
    type: "pkcs8"
  })

const publicKeyOf = (address: string) =>
  createPublicKey({
    key: Buffer.concat([Buffer.from("302a300506032b6570032100", "hex"), new PublicKey(address).toBytes()]),
    format: "der",
    type: "spki"
  })

export const testKey = (seed: Uint8Array): TestKey => {
  const key = privateKeyOf(seed)
  const bytes = createPublicKey(key).export({ format: "der", type: "spki" }).subarray(-32)
  let count = 0
  return {
    seed,
    address: new PublicKey(bytes).toBase58(),
    sign: (message) => {
      count++
      return Uint8Array.from(sign(null, message, key))
    },
    signed: () => count
  }
}

/** The key of the test vectors. */
export const walletKey = (): TestKey => testKey(Buffer.from(Vectors.solanaKey.seed.slice(2), "hex"))

/** Another key. */
export const otherKey = (fill = 9): TestKey => testKey(new Uint8Array(32).fill(fill))

/** Whether a transaction has a valid signature of that address. */
export const isSignedBy = (transaction: string, address: string): boolean => {
  const { message, signatures } = VersionedTransaction.deserialize(Buffer.from(transaction, "base64"))
  const index = message.staticAccountKeys.findIndex((key) => key.toBase58() === address)
  const signature = signatures[index]
  return signature !== undefined && verify(null, message.serialize(), publicKeyOf(address), signature)
}

/** Signs an encoded transaction with web3.js. */
export const signWire = (key: TestKey, bytes: Uint8Array, address = key.address): Uint8Array => {
  const transaction = VersionedTransaction.deserialize(bytes)
  transaction.addSignature(new PublicKey(address), key.sign(transaction.message.serialize()))
  return transaction.serialize()
}
