/** Keys that are the same on every machine: whoever reads this file has them, so they are for devnets only. */
import { createHash, createPrivateKey, createPublicKey } from "node:crypto"

/** 32 bytes that a name always gives. */
export const seedOf = (name: string): Uint8Array =>
  new Uint8Array(createHash("sha256").update(`geoswap devnet: ${name}`).digest())

/** What stands before the 32 bytes of an Ed25519 seed in PKCS #8. */
const pkcs8 = Buffer.from("302e020100300506032b657004220420", "hex")

/** The 64 bytes of a Solana key: the seed, then the public key. */
export const solanaKeyOf = (seed: Uint8Array): Uint8Array => {
  const key = createPrivateKey({ key: Buffer.concat([pkcs8, seed]), format: "der", type: "pkcs8" })
  const spki = createPublicKey(key).export({ format: "der", type: "spki" })
  return new Uint8Array([...seed, ...spki.subarray(-32)])
}
