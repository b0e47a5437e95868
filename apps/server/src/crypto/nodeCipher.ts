/** AES-256-GCM and base64url with node:crypto, which works synchronously. */
import { createCipheriv, createDecipheriv, createSecretKey, hkdfSync, type KeyObject } from "node:crypto"
import { Cipher } from "@geoswap/service"
import * as Effect from "effect/Effect"

const algorithm = "aes-256-gcm"
const options = { authTagLength: Cipher.tagLength }

const keyOf = (key: KeyObject): Cipher.CipherKey => ({
  encrypt: (nonce, associated, plaintext) =>
    Effect.sync(() => {
      const cipher = createCipheriv(algorithm, key, nonce, options).setAAD(associated)
      return Buffer.concat([cipher.update(plaintext), cipher.final(), cipher.getAuthTag()])
    }),
  decrypt: (nonce, associated, ciphertext) =>
    Effect.sync(() => {
      const end = ciphertext.length - Cipher.tagLength
      if (end < 0) return undefined
      const decipher = createDecipheriv(algorithm, key, nonce, options)
        .setAAD(associated)
        .setAuthTag(ciphertext.subarray(end))
      const plaintext = decipher.update(ciphertext.subarray(0, end))
      try {
        // Nothing of the plaintext is used before the tag has been verified.
        return Buffer.concat([plaintext, decipher.final()])
      } catch {
        return undefined
      }
    })
})

export const nodeCipher: Cipher.Cipher = {
  derive: (master, info) =>
    Effect.sync(() => keyOf(createSecretKey(new Uint8Array(hkdfSync("sha256", master, new Uint8Array(), info, 32))))),
  encode: (bytes) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64url"),
  decode: (text) => Buffer.from(text, "base64url")
}
