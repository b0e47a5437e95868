import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { expect } from "vitest"
import * as Keystore from "../src/keys/Keystore.js"
import { scrypt, secret } from "./keystores/vectors.js"

it.effect("Keystore decrypts the specification's test vector for scrypt", () =>
  Effect.gen(function* () {
    const keystore = yield* Keystore.parse(JSON.stringify(scrypt), "the file")
    const key = yield* Keystore.decrypt(keystore, Redacted.make("testpassword"))
    expect(Buffer.from(key).toString("hex")).toBe(secret)
  })
)
