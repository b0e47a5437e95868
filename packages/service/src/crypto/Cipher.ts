/**
 * AES-256-GCM with keys derived by HKDF-SHA-256, and base64url. Replaceable, because WebCrypto answers every call in
 * another turn of the event loop, and Node can encrypt a token within the same turn.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Base64Url from "effect/encoding/Base64Url"
import * as Result from "effect/Result"

/** The length of the tag at the end of a ciphertext. */
export const tagLength = 16

export interface CipherKey {
  /** Encrypts. The ciphertext ends with the tag. */
  readonly encrypt: (
    nonce: Uint8Array<ArrayBuffer>,
    associated: Uint8Array<ArrayBuffer>,
    plaintext: Uint8Array<ArrayBuffer>
  ) => Effect.Effect<Uint8Array>
  /** Decrypts. Returns `undefined` if the ciphertext, its tag, the nonce or the associated data is not authentic. */
  readonly decrypt: (
    nonce: Uint8Array<ArrayBuffer>,
    associated: Uint8Array<ArrayBuffer>,
    ciphertext: Uint8Array<ArrayBuffer>
  ) => Effect.Effect<Uint8Array | undefined>
}

export interface Cipher {
  /** Derives a key from a master key. Different values of `info` yield independent keys. */
  readonly derive: (master: Uint8Array<ArrayBuffer>, info: string) => Effect.Effect<CipherKey>
  /** Encodes bytes in unpadded base64url. */
  readonly encode: (bytes: Uint8Array) => string
  /** Decodes base64url. May accept strings that `encode` never returns. */
  readonly decode: (text: string) => Uint8Array | undefined
}

const algorithm = "AES-GCM"

const keyOf = (key: CryptoKey): CipherKey => ({
  encrypt: (iv, additionalData, plaintext) =>
    Effect.map(
      Effect.promise(() => crypto.subtle.encrypt({ name: algorithm, iv, additionalData }, key, plaintext)),
      (bytes) => new Uint8Array(bytes)
    ),
  decrypt: (iv, additionalData, ciphertext) =>
    Effect.promise(() =>
      crypto.subtle.decrypt({ name: algorithm, iv, additionalData }, key, ciphertext).then(
        (bytes) => new Uint8Array(bytes),
        () => undefined
      )
    )
})

/** WebCrypto, which works in every runtime. */
export const web: Cipher = {
  derive: (master, info) =>
    Effect.promise(async () => {
      const imported = await crypto.subtle.importKey("raw", master, "HKDF", false, ["deriveKey"])
      const hkdf = { name: "HKDF", hash: "SHA-256", salt: new Uint8Array(), info: new TextEncoder().encode(info) }
      // The derived key cannot be exported.
      const aes = { name: algorithm, length: 256 }
      return keyOf(await crypto.subtle.deriveKey(hkdf, imported, aes, false, ["encrypt", "decrypt"]))
    }),
  encode: (bytes) => Base64Url.encode(bytes),
  decode: (text) => Result.getOrUndefined(Base64Url.decode(text))
}

/** How tokens are encrypted (default: with WebCrypto). */
export const Cipher: Context.Reference<Cipher> = Context.Reference<Cipher>("@geoswap/service/Cipher", {
  defaultValue: () => web
})
