import { describe, expect, it } from "@effect/vitest"
import { Cipher, Seal } from "@geoswap/service"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Redacted from "effect/Redacted"
import { nodeCipher } from "../../src/crypto/nodeCipher.js"

const binding = { family: "evm", account: "account-1" } as const
const types = ["quote", "operation"] as const

/** The same keys with both ciphers. */
const seals = Effect.gen(function* () {
  const keys = [1, 2].map((byte) => ({ kid: `k${byte}`, key: Redacted.make(new Uint8Array(32).fill(byte)) }))
  const make = Seal.make({ environment: "test", keys })
  return { web: yield* make, node: yield* Effect.provideService(make, Cipher.Cipher, nodeCipher) }
})

const payloads = ["", "a", '{"amount":"10000000"}', "\ufeffwith a mark", "日本語 \u{1f511}", "x".repeat(9_000)]

describe("the cipher of Node", () => {
  it.effect("opens what WebCrypto sealed, and the other way around", () =>
    Effect.gen(function* () {
      const { node, web } = yield* seals
      for (const type of types) {
        for (const payload of payloads) {
          expect(yield* node.open(type, binding, yield* web.seal(type, binding, payload))).toBe(payload)
          expect(yield* web.open(type, binding, yield* node.seal(type, binding, payload))).toBe(payload)
        }
      }
    })
  )

  it.effect("produces the same bytes as WebCrypto for the same nonce", () =>
    Effect.gen(function* () {
      const master = new Uint8Array(32).fill(7)
      const [nonce, associated] = [new Uint8Array(12).fill(1), new TextEncoder().encode("associated")]
      const ours = yield* nodeCipher.derive(master, "quote")
      const theirs = yield* Cipher.web.derive(master, "quote")
      for (const payload of payloads) {
        const plaintext = new TextEncoder().encode(payload)
        const sealed = yield* ours.encrypt(nonce, associated, plaintext)
        expect(Buffer.from(sealed)).toEqual(Buffer.from(yield* theirs.encrypt(nonce, associated, plaintext)))
        expect(nodeCipher.encode(sealed)).toBe(Cipher.web.encode(sealed))
      }
    })
  )

  it.effect("refuses exactly what WebCrypto refuses: changed, truncated, extended and re-encoded tokens", () =>
    Effect.gen(function* () {
      const { node, web } = yield* seals
      const token = yield* node.seal("quote", binding, '{"amount":"1"}')
      const binary = yield* node.seal("quote", binding, Uint8Array.of(0xff, 0xfe))
      const changed = Array.from(
        token,
        (char, at) => token.slice(0, at) + (char === "A" ? "B" : "A") + token.slice(at + 1)
      )
      const cut = Array.from(token, (_, at) => token.slice(0, at))
      const extended = ["=", "A", "AA", "AAAA", " ", "\n", ".", ".x", "+", "/"].map((end) => `${token}${end}`)
      const others = ["gq1.k1.", "gq1.k1.AAAA", "gq1..", token.replace("k1", "k2"), token.replace("gq1", "go1"), binary]
      for (const text of [token, ...changed, ...cut, ...extended, ...others, "x".repeat(20_000)]) {
        for (const to of [binding, { ...binding, account: "account-2" }, { ...binding, family: "solana" as const }]) {
          const [one, other] = [
            yield* Effect.exit(node.open("quote", to, text)),
            yield* Effect.exit(web.open("quote", to, text))
          ]
          expect(Exit.isSuccess(one)).toBe(text === token && to === binding)
          expect(Exit.isSuccess(other)).toBe(Exit.isSuccess(one))
          if (Exit.isFailure(one))
            expect(one.cause.reasons).toMatchObject([{ _tag: "Fail", error: { _tag: "InvalidToken" } }])
        }
      }
    })
  )
})
