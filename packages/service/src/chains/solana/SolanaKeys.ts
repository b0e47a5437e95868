/** In-memory Solana keys. */
import { createKeyPairFromBytes, getAddressFromPublicKey, getBase58Encoder, signBytes } from "@solana/kit"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { KeyUnavailable, type SolanaKey } from "../Keys.js"

/** The string is not a key. The message does not contain the string. */
export class InvalidKey extends Schema.TaggedError<InvalidKey>()("InvalidKey", { message: Schema.String }) {}

const expected = "Expected 64 bytes in base58: the seed followed by the public key"

/** The maximum number of characters that 64 bytes can have in base58. */
const maxCharacters = 88

const invalid = (reason: string) => new InvalidKey({ message: `${reason}. ${expected}.` })

/**
 * Creates a key from 64 bytes in base58, the format that wallets export: the seed followed by the public key.
 *
 * @example
 * ```ts
 * const relayer = yield* SolanaKeys.fromBase58(Redacted.make(secret))
 * ```
 */
export const fromBase58 = Effect.fn("SolanaKeys.fromBase58")(function* (
  key: Redacted.Redacted
): Effect.fn.Return<SolanaKey, InvalidKey> {
  const text = Redacted.value(key).trim()
  if (text.length > maxCharacters) return yield* invalid("The Solana key is too long")
  const bytes = yield* Effect.try({
    try: () => getBase58Encoder().encode(text),
    // The cause is omitted, because it contains the key.
    catch: () => invalid("The Solana key is not valid base58")
  })
  if (bytes.length !== 64) return yield* invalid(`The Solana key is ${bytes.length} bytes long`)
  const { address, privateKey } = yield* Effect.tryPromise({
    try: async () => {
      const { privateKey, publicKey } = await createKeyPairFromBytes(bytes)
      return { privateKey, address: await getAddressFromPublicKey(publicKey) }
    },
    catch: () => invalid("The two halves of the Solana key do not match")
  })
  return {
    address,
    signMessage: (message) =>
      Effect.tryPromise({
        try: async () => Uint8Array.from(await signBytes(privateKey, message)),
        catch: () => new KeyUnavailable({ message: `The key for ${address} cannot sign.` })
      })
  }
})
