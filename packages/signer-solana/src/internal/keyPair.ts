/** A key pair of WebCrypto as a wallet. */
import type { SwapError } from "@geoswap/core"
import { getAddressFromPublicKey, signBytes, verifySignature } from "@solana/kit"
import * as Effect from "effect/Effect"
import { invalidInput } from "./constructorInput.js"
import { printable } from "./describeValue.js"
import type { ResolvedOptions } from "./options.js"
import { readProperty } from "./properties.js"
import type { Wallet } from "./wallet.js"

const wrong = (why: string) =>
  invalidInput("keyPair", `${why}. Make one with generateKeyPair or createKeyPairFromBytes of @solana/kit`)

/** Why one of the two keys cannot be used, as far as looking at it tells. */
const problemOf = (half: string, key: unknown): string | undefined => {
  const algorithm = readProperty(readProperty(key, "algorithm"), "name")
  if (typeof algorithm !== "string") return `${half} should be a CryptoKey, and is none`
  if (algorithm !== "Ed25519") return `${half} should be a key for Ed25519, and is for ${printable(algorithm, 32)}`
  return undefined
}

const maySign = (key: CryptoKey): boolean => {
  const usages = readProperty(key, "usages")
  return Array.isArray(usages) && usages.includes("sign")
}

/** Signed once to see that the two keys belong together; no transaction begins like this. */
const question = "GeoSwap: do these two keys belong together?"

export const keyPairWallet = Effect.fnUntraced(function* (
  keyPair: CryptoKeyPair,
  { name = "The key pair" }: ResolvedOptions
): Effect.fn.Return<Wallet, SwapError.InvalidInput> {
  const publicKey = readProperty(keyPair, "publicKey") as CryptoKey
  const privateKey = readProperty(keyPair, "privateKey") as CryptoKey
  const problem = problemOf("publicKey", publicKey) ?? problemOf("privateKey", privateKey)
  if (problem !== undefined) return yield* wrong(problem)
  if (!maySign(privateKey)) return yield* wrong("privateKey is not allowed to sign")
  const probe = new TextEncoder().encode(question)
  const [address, signature] = yield* Effect.tryPromise({
    try: () => Promise.all([getAddressFromPublicKey(publicKey), signBytes(privateKey, probe)]),
    catch: () => wrong("the public key cannot be exported, or the private key cannot sign")
  })
  const fits = yield* Effect.tryPromise({
    try: () => verifySignature(publicKey, signature, probe),
    catch: () => wrong("the public key is not allowed to verify")
  })
  if (!fits) return yield* wrong("the two keys do not belong together")
  return {
    name,
    address,
    sign: async ({ messageBytes }) => ({ signature: await signBytes(privateKey, messageBytes) })
  }
})
