import { randomBytes } from "node:crypto"
import { describe, expect, it } from "@effect/vitest"
import { Recovery } from "@geoswap/service"
import * as Effect from "effect/Effect"
import { keccak256, type Hex, numberToHex } from "viem"
import { generatePrivateKey, privateKeyToAccount, sign } from "viem/accounts"
import { hashAuthorization } from "viem/utils"
import { nativeRecovery } from "../../src/crypto/nativeRecovery.js"

const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
const prime = 0xfffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc2fn
const word = (value: bigint): Hex => numberToHex(value, { size: 32 })
const random = (): Hex => `0x${randomBytes(32).toString("hex")}`

/** Without a build for the platform, the server uses the JavaScript one, which is compared with itself here. */
const native = nativeRecovery() ?? Recovery.javaScript

const both = (digest: Hex, signature: Recovery.Signature) =>
  Effect.all([native.recover(digest, signature), Recovery.javaScript.recover(digest, signature)])

describe("native recovery", () => {
  it.effect("recovers the signers of messages and authorizations, as JavaScript does", () =>
    Effect.gen(function* () {
      for (let round = 0; round < 8; round++) {
        const privateKey = generatePrivateKey()
        const { address } = privateKeyToAccount(privateKey)
        const authorization = hashAuthorization({ address, chainId: round + 1, nonce: round * 7 })
        for (const hash of [random(), keccak256(random()), authorization, word(0n), word(BigInt(round)), word(order)]) {
          const { r, s, yParity = 0 } = yield* Effect.promise(() => sign({ hash, privateKey }))
          const expected = address.toLowerCase()
          expect(yield* both(hash, { r, s, yParity })).toEqual([expected, expected])
          const [other, oracle] = yield* both(hash, { r, s, yParity: 1 - yParity })
          expect(other).not.toBe(expected)
          expect(other).toBe(oracle)
        }
      }
    })
  )

  it.effect(
    "refuses what JavaScript refuses: zero, overflow, points off the curve, and parities other than 0 and 1",
    () =>
      Effect.gen(function* () {
        const hash = keccak256("0x01")
        const { r, s } = yield* Effect.promise(() => sign({ hash, privateKey: generatePrivateKey() }))
        const high = word(order - BigInt(s))
        const edges = [0n, 1n, 2n, 3n, 4n, 5n, order - 1n, order, order + 1n, prime - 1n, prime, 2n ** 256n - 1n].map(
          word
        )
        // Every edge for one digest. For the others, a valid first word is enough.
        const digests: ReadonlyArray<readonly [digest: Hex, firsts: ReadonlyArray<Hex>]> = [
          [hash, [r, ...edges]],
          ...[0n, order, 2n ** 256n - 1n].map((value) => [word(value), [r]] as const)
        ]
        let refused = 0
        for (const [digest, firsts] of digests) {
          for (const first of firsts) {
            for (const second of [s, high, ...edges]) {
              for (const yParity of [0, 1, 2, 3, 27, 28, -1, 0.5, Number.NaN]) {
                const [one, other] = yield* both(digest, { r: first, s: second, yParity })
                expect(one, `${first} ${second} ${yParity}`).toBe(other)
                if (one === undefined) refused++
              }
            }
          }
        }
        expect(refused).toBeGreaterThan(1_000)
      })
  )

  it.effect("agrees with JavaScript on random words, half of which are not on the curve", () =>
    Effect.gen(function* () {
      const found = new Set<boolean>()
      for (let round = 0; round < 200; round++) {
        const [one, other] = yield* both(random(), { r: random(), s: random(), yParity: round % 2 })
        expect(one).toBe(other)
        found.add(one === undefined)
      }
      expect(found.size).toBe(2)
    })
  )

  it("is not used if its native part cannot be loaded", () => {
    const failing = () => {
      throw new Error("No native build was found.")
    }
    expect(nativeRecovery(failing)).toBe(undefined)
  })
})
