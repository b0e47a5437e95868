/** Hashes that wallets sign by mistake, used to explain an invalid signature. */
import type { Hex } from "@geoswap/core"
import { hashMessage, keccak256, sha256 } from "viem/utils"

/** What the wallet did wrong, and the hash that it signed. */
export type WrongHash = readonly [message: string, hash: Hex.Hex]

const asText =
  "signed the hexadecimal text of the hash instead of its 32 bytes. Pass the message as raw bytes: { message: { raw } } in viem"
const unchanged = "signDigest must sign the 32 bytes unchanged"

/** Returns the hashes that a wallet might sign by mistake when it is asked to sign a digest. */
export const wrongDigests = (digest: Hex.Hex): ReadonlyArray<WrongHash> => [
  [`added the personal_sign prefix to the digest. ${unchanged}`, hashMessage({ raw: digest })],
  [`hashed the digest again with keccak256. ${unchanged}`, keccak256(digest)],
  [`hashed the digest again with SHA-256. ${unchanged}: with AWS KMS, set MessageType to DIGEST`, sha256(digest)]
]

/** Returns the hashes that a wallet might sign by mistake when it is asked to sign 32 raw bytes with personal_sign. */
export const wrongMessageHashes = (raw: Hex.Hex): ReadonlyArray<WrongHash> => [
  [asText, hashMessage(raw)],
  [asText, hashMessage(raw.slice(2))],
  ["signed the bare hash, as eth_sign does. Use personal_sign, which adds a prefix (EIP-191)", raw],
  ...wrongDigests(hashMessage({ raw }))
]
