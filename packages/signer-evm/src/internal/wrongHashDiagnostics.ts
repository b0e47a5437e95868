/** What wallets commonly sign in place of what they were asked to. */
import type { Hex } from "@geoswap/core"
import { hashMessage, keccak256, sha256 } from "viem/utils"

/** What a wallet may have done, and the hash that it signed then. */
export type WrongHash = readonly [message: string, hash: Hex.Hex]

const asText =
  "signed the hexadecimal text of the hash instead of its 32 bytes. It has to take the message as raw bytes: with viem that is { message: { raw } }"
const unchanged = "signDigest has to sign the 32 bytes as they are"

/** In place of a digest. */
export const wrongDigests = (digest: Hex.Hex): ReadonlyArray<WrongHash> => [
  [`put the prefix of personal_sign around the digest. ${unchanged}`, hashMessage({ raw: digest })],
  [`hashed the digest once more with keccak256. ${unchanged}`, keccak256(digest)],
  [`hashed the digest once more with SHA-256. ${unchanged}: with AWS KMS that is MessageType DIGEST`, sha256(digest)]
]

/** In place of personal_sign over 32 raw bytes. */
export const wrongMessageHashes = (raw: Hex.Hex): ReadonlyArray<WrongHash> => [
  [asText, hashMessage(raw)],
  [asText, hashMessage(raw.slice(2))],
  [
    "signed the bare hash, as eth_sign does. It has to sign with personal_sign, which puts a prefix ahead (EIP-191)",
    raw
  ],
  ...wrongDigests(hashMessage({ raw }))
]
