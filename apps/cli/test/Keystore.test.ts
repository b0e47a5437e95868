import { readFileSync } from "node:fs"
import { describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { expect } from "vitest"
import * as Keystore from "../src/keys/Keystore.js"
import { lightScrypt, pbkdf2, scrypt, secret } from "./keystores/vectors.js"

const decrypt = (value: unknown, password: string) =>
  Effect.gen(function* () {
    const keystore = yield* Keystore.parse(JSON.stringify(value), "the file")
    const key = yield* Keystore.decrypt(keystore, Redacted.make(password))
    return Buffer.from(key).toString("hex")
  })

const withKdf = (change: object) => ({
  ...scrypt,
  crypto: { ...scrypt.crypto, kdfparams: { ...scrypt.crypto.kdfparams, ...change } }
})

const light = { n: 1024, r: 8, p: 1 }
const address = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"

describe("Keystore", () => {
  it.effect("decrypts the specification's test vector for pbkdf2, and scrypt with r = 1", () =>
    Effect.gen(function* () {
      expect(yield* decrypt(pbkdf2, "testpassword")).toBe(secret)
      expect(yield* decrypt(lightScrypt, "testpassword")).toBe(secret)
    })
  )

  it.effect("decrypts Foundry keystores without an address, and old files with Crypto", () =>
    Effect.gen(function* () {
      const text = readFileSync(new URL("keystores/foundry", import.meta.url), "utf8")
      const foundry = JSON.parse(text) as { readonly crypto: object }
      const key = "ac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80"
      expect(yield* decrypt(foundry, "correct horse battery staple")).toBe(key)
      const { crypto, ...rest } = foundry
      expect(yield* decrypt({ ...rest, Crypto: crypto }, "correct horse battery staple")).toBe(key)
    })
  )

  it.effect("refuses a wrong password and a modified file with the same message", () =>
    Effect.gen(function* () {
      const wrong = yield* Effect.flip(decrypt(pbkdf2, "Testpassword"))
      expect(wrong).toMatchObject({ _tag: "KeyError", message: "The password is wrong." })
      const ciphertext = `00${pbkdf2.crypto.ciphertext.slice(2)}`
      const changed = yield* Effect.flip(
        decrypt({ ...pbkdf2, crypto: { ...pbkdf2.crypto, ciphertext } }, "testpassword")
      )
      expect(changed.message).toBe(wrong.message)
    })
  )

  it.effect("decrypts what it encrypts, and reveals only the address", () =>
    Effect.gen(function* () {
      const key = Uint8Array.from({ length: 32 }, (_, index) => index + 1)
      const encrypted = yield* Keystore.encrypt(key, address, Redacted.make("pässword 1"), light)
      expect(encrypted).toMatchObject({ version: 3, address: address.slice(2).toLowerCase() })
      expect(JSON.stringify(encrypted)).not.toContain(Buffer.from(key).toString("hex"))
      expect(yield* decrypt(encrypted, "pässword 1")).toBe(Buffer.from(key).toString("hex"))
      const again = yield* Keystore.encrypt(key, address, Redacted.make("pässword 1"), light)
      expect(again.crypto.ciphertext).not.toBe(encrypted.crypto.ciphertext)
    })
  )

  it.effect.each([
    ["too much memory for scrypt", withKdf({ n: 2 ** 30 })],
    ["an n that is not a power of two", withKdf({ n: 1000 })],
    ["no n", withKdf({ n: undefined })],
    ["a derived key that is too short", withKdf({ dklen: 16 })],
    ["another prf", { ...pbkdf2, crypto: { ...pbkdf2.crypto, kdfparams: { ...pbkdf2.crypto.kdfparams, prf: "md5" } } }]
  ])("refuses unsupported parameters: %s", ([, value]) =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(decrypt(value, "testpassword"))
      expect(error.message).toBe("The keystore parameters are not supported.")
    })
  )

  it.effect.each([
    ["another version", { ...scrypt, version: 1 }],
    ["another cipher", { ...scrypt, crypto: { ...scrypt.crypto, cipher: "aes-128-cbc" } }],
    ["not an object", 3]
  ])("refuses a file that is not a version 3 keystore: %s", ([, value]) =>
    Effect.gen(function* () {
      expect((yield* Effect.flip(decrypt(value, "testpassword"))).message).toContain(
        "is not a supported version 3 keystore"
      )
    })
  )

  it.effect("refuses a key of the wrong length", () =>
    Effect.gen(function* () {
      const encrypted = yield* Keystore.encrypt(new Uint8Array(31), address, Redacted.make("password"), light)
      expect((yield* Effect.flip(decrypt(encrypted, "password"))).message).toContain("does not contain an EVM key")
    })
  )
})
