/** Verifies Ed25519 signatures with WebCrypto. */
import { type Address, getPublicKeyFromAddress, type SignatureBytes, verifySignature } from "@solana/kit"
import * as Effect from "effect/Effect"

/**
 * Whether a message's signature was made with the private key of an address. `false` if the address is not a public
 * key.
 */
export const isSignedBy = (address: string, signature: Uint8Array, message: Uint8Array) =>
  Effect.tryPromise(async () =>
    verifySignature(
      await getPublicKeyFromAddress(address as Address),
      Uint8Array.from(signature) as SignatureBytes,
      Uint8Array.from(message)
    )
  ).pipe(Effect.orElseSucceed(() => false))
