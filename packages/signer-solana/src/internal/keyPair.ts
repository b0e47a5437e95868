/** A key pair of WebCrypto as a wallet. */
import type { SwapError } from "@geoswap/core"
import { getAddressFromPublicKey, signBytes, verifySignature } from "@solana/kit"
import * as Effect from "effect/Effect"
import { invalidInput, member, nameOf, type Options, type Wallet } from "./wallet.js"
import { printable } from "./words.js"

const wrong = (why: string) =>
  invalidInput("keyPair", `keyPair: ${why}. Make one with generateKeyPair or createKeyPairFromBytes of @solana/kit.`)

/** Why a pair cannot be used, as far as looking at it tells. */
const problemOf = (keyPair: unknown): string | undefined => {
  for (const half of ["publicKey", "privateKey"]) {
    const key = member(keyPair, half)
    const algorithm = member(member(key, "algorithm"), "name")
    if (typeof algorithm !== "string") return `${half} should be a CryptoKey, and is none`
    if (algorithm !== "Ed25519") return `${half} should be a key for Ed25519, and is for ${printable(algorithm, 32)}`
  }
  const usages = member(member(keyPair, "privateKey"), "usages")
  return Array.isArray(usages) && usages.includes("sign") ? undefined : "privateKey is not allowed to sign"
}

/** Signed once to see that the two keys belong together; no transaction begins like this. */
const question = "GeoSwap: do these two keys belong together?"

export const keyPairWallet = Effect.fnUntraced(function* (
  keyPair: CryptoKeyPair,
  options: Options | undefined
): Effect.fn.Return<Wallet, SwapError.InvalidInput> {
  const name = yield* nameOf(options, "The key pair")
  const problem = problemOf(keyPair)
  if (problem !== undefined) return yield* wrong(problem)
  const { privateKey, publicKey } = keyPair
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
