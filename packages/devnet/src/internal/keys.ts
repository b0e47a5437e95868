/** Keys that are the same on every machine. They are public, so use them only on devnets. */
import { createHash, createPrivateKey, createPublicKey } from "node:crypto"

/** Derives 32 bytes from a name. */
export const seedOf = (name: string): Uint8Array =>
  new Uint8Array(createHash("sha256").update(`geoswap devnet: ${name}`).digest())

/** The PKCS #8 prefix for a 32-byte Ed25519 seed. */
const pkcs8 = Buffer.from("302e020100300506032b657004220420", "hex")

/** A 64-byte Solana key: the seed, then the public key. */
export const solanaKeyOf = (seed: Uint8Array): Uint8Array => {
  const key = createPrivateKey({ key: Buffer.concat([pkcs8, seed]), format: "der", type: "pkcs8" })
  const spki = createPublicKey(key).export({ format: "der", type: "spki" })
  return new Uint8Array([...seed, ...spki.subarray(-32)])
}
