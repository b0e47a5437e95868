/** A WebCrypto key pair wrapped as a wallet. */
import type { SwapError } from "@geoswap/core"
import { getAddressFromPublicKey, signBytes, verifySignature } from "@solana/kit"
import * as Effect from "effect/Effect"
import { invalidInput } from "./constructorInput.js"
import { printable } from "./describeValue.js"
import type { ResolvedOptions } from "./options.js"
import { readProperty } from "./properties.js"
import type { Wallet } from "./wallet.js"

const invalidKeyPair = (why: string) =>
  invalidInput("keyPair", `${why}. Create one with generateKeyPair or createKeyPairFromBytes from @solana/kit.`)

/** Explains why a key cannot be used, based on its type and algorithm. */
const problemOf = (half: string, key: unknown): string | undefined => {
  const algorithm = readProperty(readProperty(key, "algorithm"), "name")
  if (typeof algorithm !== "string") return `${half} is not a CryptoKey`
  if (algorithm !== "Ed25519") return `${half}: expected an Ed25519 key, got one for ${printable(algorithm, 32)}`
  return undefined
}

const maySign = (key: CryptoKey): boolean => {
  const usages = readProperty(key, "usages")
  return Array.isArray(usages) && usages.includes("sign")
}

/**
 * The text that is signed once to check that the public key and the private key belong together. No transaction starts
 * with these bytes.
 */
const question = "GeoSwap: do these two keys belong together?"

export const keyPairWallet = Effect.fnUntraced(function* (
  keyPair: CryptoKeyPair,
  { name = "The key pair" }: ResolvedOptions
): Effect.fn.Return<Wallet, SwapError.InvalidInput> {
  const publicKey = readProperty(keyPair, "publicKey") as CryptoKey
  const privateKey = readProperty(keyPair, "privateKey") as CryptoKey
  const problem = problemOf("publicKey", publicKey) ?? problemOf("privateKey", privateKey)
  if (problem !== undefined) return yield* invalidKeyPair(problem)
  if (!maySign(privateKey)) return yield* invalidKeyPair("privateKey is not allowed to sign")
  const probe = new TextEncoder().encode(question)
  const [address, signature] = yield* Effect.tryPromise({
    try: () => Promise.all([getAddressFromPublicKey(publicKey), signBytes(privateKey, probe)]),
    catch: () => invalidKeyPair("the public key cannot be exported, or the private key cannot sign")
  })
  const fits = yield* Effect.tryPromise({
    try: () => verifySignature(publicKey, signature, probe),
    catch: () => invalidKeyPair("the public key is not allowed to verify")
  })
  if (!fits) return yield* invalidKeyPair("the two keys do not belong together")
  return {
    name,
    address,
    sign: async ({ messageBytes }) => ({ signature: await signBytes(privateKey, messageBytes) })
  }
})
