import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { parseSignature, serializeSignature } from "viem"
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts"
import { keccak256, numberToHex, stringToHex } from "viem/utils"
import type { EvmContext } from "../../src/operations/tokenContents.js"
import { checkSignatures } from "../../src/operations/verifySignature.js"

const wallet = privateKeyToAccount(generatePrivateKey())
const stranger = privateKeyToAccount(generatePrivateKey())
const digest = keccak256(stringToHex("an operation"))
const permit = keccak256(stringToHex("a permit"))

/** An operation that the wallet signs, or a payment with a method. */
const contextOf = (method?: "eip3009" | "erc2612"): EvmContext =>
  ({
    operation: { method },
    operationHash: digest,
    quote: { wallet: wallet.address },
    ...(method === "erc2612" && { permitHash: permit })
  }) as unknown as EvmContext

const signMessage = (by = wallet) => Effect.promise(() => by.signMessage({ message: { raw: digest } }))
const signDigest = (hash = digest, by = wallet) => Effect.promise(() => by.sign({ hash }))

/** The same signature with the other `s` value, which recovers the same address. */
const highS = (signature: `0x${string}`) => {
  const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
  const { r, s, yParity } = parseSignature(signature)
  return serializeSignature({ r, s: numberToHex(order - BigInt(s), { size: 32 }), yParity: 1 - yParity })
}
/** The same signature with a `v` of 0 or 1, which contracts reject. */
const withParity = (signature: `0x${string}`) => `${signature.slice(0, -2)}0${parseSignature(signature).yParity}`

const check = (context: EvmContext, signature: string, permitSignature?: string) =>
  checkSignatures(context, { geoOpToken: "", signature, ...(permitSignature !== undefined && { permitSignature }) })
const codeOf = (context: EvmContext, signature: string, permitSignature?: string) =>
  Effect.map(Effect.flip(check(context, signature, permitSignature)), ({ code }) => code)

describe("the signature of an operation", () => {
  it.effect("is a message or typed data of the wallet", () =>
    Effect.gen(function* () {
      const [message, typed] = [yield* signMessage(), yield* signDigest()]
      expect(yield* check(contextOf(), message)).toEqual({ signature: message, isTyped: false })
      expect(yield* check(contextOf(), typed)).toEqual({ signature: typed, isTyped: true })
    })
  )

  it.effect("is refused from another wallet and with a high s value", () =>
    Effect.gen(function* () {
      const signatures = [
        yield* signMessage(stranger),
        yield* signDigest(digest, stranger),
        highS(yield* signMessage()),
        highS(yield* signDigest())
      ]
      for (const signature of signatures) {
        expect(yield* codeOf(contextOf(), signature)).toBe("INVALID_SIGNATURE")
      }
    })
  )

  it.effect("is refused over anything but the 32 bytes of the hash", () =>
    Effect.gen(function* () {
      const other = keccak256(stringToHex("another operation"))
      const signatures = [
        yield* Effect.promise(() => wallet.signMessage({ message: digest })),
        yield* Effect.promise(() => wallet.signMessage({ message: { raw: other } })),
        yield* signDigest(other)
      ]
      for (const signature of signatures) {
        expect(yield* codeOf(contextOf(), signature)).toBe("INVALID_SIGNATURE")
      }
    })
  )

  it.effect("is refused if its numbers are zero or above the curve, or with another parity", () =>
    Effect.gen(function* () {
      const message = yield* signMessage()
      const { r, s, yParity } = parseSignature(message)
      for (const signature of [
        serializeSignature({ r, s, yParity: 1 - yParity }),
        `${message.slice(0, -2)}1d`,
        `0x${"ff".repeat(32)}${message.slice(66)}`,
        `0x${"00".repeat(65)}`,
        `0x${"00".repeat(64)}1b`,
        `0x${"ff".repeat(65)}`
      ]) {
        expect(yield* codeOf(contextOf(), signature)).toBe("INVALID_SIGNATURE")
      }
    })
  )
})

describe("the signatures of a payment", () => {
  it.effect("are refused from another wallet, with a high s value, or with a v of 0 or 1", () =>
    Effect.gen(function* () {
      const context = contextOf("eip3009")
      const signature = yield* signDigest()
      expect(yield* check(context, signature)).toEqual({ signature, isTyped: false })
      for (const invalid of [yield* signDigest(digest, stranger), highS(signature), withParity(signature)]) {
        expect(yield* codeOf(context, invalid)).toBe("INVALID_SIGNATURE")
      }
    })
  )

  it.effect("include the wallet's permit exactly if the method needs one", () =>
    Effect.gen(function* () {
      const context = contextOf("erc2612")
      const signature = yield* signDigest()
      const permitSignature = yield* signDigest(permit)
      expect(yield* check(context, signature, permitSignature)).toEqual({ signature, isTyped: false, permitSignature })
      expect(yield* codeOf(context, signature)).toBe("VALIDATION")
      expect(yield* codeOf(contextOf("eip3009"), signature, permitSignature)).toBe("VALIDATION")
      expect(yield* codeOf(context, signature, yield* signDigest(permit, stranger))).toBe("INVALID_SIGNATURE")
    })
  )
})
