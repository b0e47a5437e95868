/** Hashes that wallets sign by mistake, used to explain an invalid signature. */
import type { Hex } from "@geoswap/core"
import * as Effect from "effect/Effect"
import { hashMessage, keccak256, toBytes, toHex } from "./hash.js"

/** What the wallet did wrong, and the hash that it signed. */
export type WrongHash = readonly [message: string, hash: Hex.Hex]

const asText =
  "signed the hexadecimal text of the hash instead of its 32 bytes. Pass the message as raw bytes: { message: { raw } } in viem"
const unchanged = "signDigest must sign the 32 bytes unchanged"

/**
 * Returns the hashes that a wallet might sign by mistake when it is asked to sign a digest. SHA-256 comes from WebCrypto,
 * which web pages without https do not have. Such pages do not get that explanation.
 */
export const wrongDigests = (digest: Hex.Hex): Effect.Effect<ReadonlyArray<WrongHash>> =>
  Effect.match(
    Effect.tryPromise(() => crypto.subtle.digest("SHA-256", toBytes(digest))),
    {
      onFailure: () => [],
      onSuccess: (sha256): ReadonlyArray<WrongHash> => [
        [
          `hashed the digest again with SHA-256. ${unchanged}: with AWS KMS, set MessageType to DIGEST`,
          toHex(new Uint8Array(sha256))
        ]
      ]
    }
  ).pipe(
    Effect.map((hashes) => [
      [`added the personal_sign prefix to the digest. ${unchanged}`, hashMessage({ raw: digest })],
      [`hashed the digest again with keccak256. ${unchanged}`, keccak256(digest)],
      ...hashes
    ])
  )

/** Returns the hashes that a wallet might sign by mistake when it is asked to sign 32 raw bytes with personal_sign. */
export const wrongMessageHashes = (raw: Hex.Hex): Effect.Effect<ReadonlyArray<WrongHash>> =>
  Effect.map(wrongDigests(hashMessage({ raw })), (digests) => [
    [asText, hashMessage(raw)],
    [asText, hashMessage(raw.slice(2))],
    ["signed the bare hash, as eth_sign does. Use personal_sign, which adds a prefix (EIP-191)", raw],
    ...digests
  ])
