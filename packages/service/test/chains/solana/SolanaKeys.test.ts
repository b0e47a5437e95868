import { inspect } from "node:util"
import { describe, it } from "@effect/vitest"
import { Wallets } from "@geoswap/devnet"
import {
  type Address,
  getBase58Decoder,
  getBase58Encoder,
  getPublicKeyFromAddress,
  type SignatureBytes,
  verifySignature
} from "@solana/kit"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { expect } from "vitest"
import * as SolanaKeys from "../../../src/chains/solana/SolanaKeys.js"

const alice = Wallets.solanaWallet("alice")
const bob = Wallets.solanaWallet("bob")
const bytesOf = ({ privateKey }: { readonly privateKey: string }) => [...getBase58Encoder().encode(privateKey)]
const textOf = (bytes: ReadonlyArray<number>) => getBase58Decoder().decode(new Uint8Array(bytes))

describe("SolanaKeys", () => {
  it.effect("has the address of its public key and signs for it", () =>
    Effect.gen(function* () {
      // As it comes out of a file.
      const key = yield* SolanaKeys.fromBase58(Redacted.make(`${alice.privateKey}\n`))
      expect(key.address).toBe(alice.address)
      const message = new TextEncoder().encode("a message to sign")
      const signature = yield* key.signMessage(message)
      expect(signature).toHaveLength(64)
      const publicKey = yield* Effect.promise(() => getPublicKeyFromAddress(key.address as Address))
      const isSigned = (of: Uint8Array) =>
        Effect.promise(() => verifySignature(publicKey, signature as SignatureBytes, of))
      expect(yield* isSigned(message)).toBe(true)
      expect(yield* isSigned(message.subarray(1))).toBe(false)
    })
  )

  it.effect.each([
    ["nothing", "", "is 0 bytes long"],
    ["a text that is not base58", alice.privateKey.replace(/.$/, "0"), "is not valid base58"],
    [
      "a key with a space in it",
      `${alice.privateKey.slice(0, 40)} ${alice.privateKey.slice(41)}`,
      "is not valid base58"
    ],
    ["hex", "00".repeat(64), "too long"],
    ["a seed alone", textOf(bytesOf(alice).slice(0, 32)), "is 32 bytes long"],
    ["one byte less", textOf(bytesOf(alice).slice(1)), "is 63 bytes long"],
    ["one byte more", textOf([...bytesOf(alice), 1]), ""],
    ["a very long string", alice.privateKey.repeat(100_000), "too long"],
    [
      "the seed of one with the public key of another",
      textOf([...bytesOf(alice).slice(0, 32), ...bytesOf(bob).slice(32)]),
      "do not match"
    ]
  ] as const)("refuses %s, and does not repeat it", ([, given, words]) =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(SolanaKeys.fromBase58(Redacted.make(given)))
      expect(error._tag).toBe("InvalidKey")
      expect(error.message).toContain(words)
      expect(error.message).toContain("64 bytes in base58")
      const shown = inspect(error, { depth: 10, showHidden: true })
      for (let at = 0; at + 8 <= Math.min(given.length, 88); at += 1) {
        expect(shown).not.toContain(given.slice(at, at + 8))
      }
    })
  )

  it.effect("reveals its address and not itself", () =>
    Effect.gen(function* () {
      const key = yield* SolanaKeys.fromBase58(Redacted.make(alice.privateKey))
      const shown = `${inspect(key, { depth: 10, showHidden: true })} ${JSON.stringify(key)}`
      expect(shown).toContain(alice.address)
      expect(shown).not.toContain(alice.privateKey.slice(0, 8))
    })
  )
})
