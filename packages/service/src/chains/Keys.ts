/** The key port: the keys that the service signs with. A key management service can implement this port. */
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

/** The key cannot sign at the moment. */
export class KeyUnavailable extends Schema.TaggedError<KeyUnavailable>()("KeyUnavailable", {
  message: Schema.String
}) {}

/** An EVM relayer's secp256k1 key. */
export interface EvmKey {
  readonly address: `0x${string}`
  /** Signs a 32-byte digest. The signature has a low `s` value. */
  readonly signDigest: (
    digest: `0x${string}`
  ) => Effect.Effect<{ readonly r: `0x${string}`; readonly s: `0x${string}`; readonly yParity: 0 | 1 }, KeyUnavailable>
}

/** A Solana relayer's or vault's Ed25519 key. */
export interface SolanaKey {
  /** Base58. */
  readonly address: string
  /** Signs a message. Returns the 64-byte signature. */
  readonly signMessage: (message: Uint8Array) => Effect.Effect<Uint8Array, KeyUnavailable>
}
