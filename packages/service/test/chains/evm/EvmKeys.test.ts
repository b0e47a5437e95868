import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { keccak256, recoverAddress, stringToHex } from "viem"
import * as EvmKeys from "../../../src/chains/evm/EvmKeys.js"

// The first key of every development node.
const text = "0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80"
const address = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"
const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

describe("EvmKeys", () => {
  it.effect("has the address of its bytes, with and without 0x", () =>
    Effect.gen(function* () {
      const keys = yield* Effect.forEach(
        [text, text.slice(2), ` ${text}\n`, `0x${text.slice(2).toUpperCase()}`],
        (each) => EvmKeys.fromPrivateKey(Redacted.make(each))
      )
      expect(keys.map((key) => key.address)).toEqual([address, address, address, address])
    })
  )

  it.effect("signs digests that recover to it, with a low s and both parities", () =>
    Effect.gen(function* () {
      const key = yield* EvmKeys.fromPrivateKey(Redacted.make(text))
      const parities = new Set<number>()
      for (let index = 0; index < 32; index++) {
        const hash = keccak256(stringToHex(String(index)))
        const signature = yield* key.signDigest(hash)
        parities.add(signature.yParity)
        expect(BigInt(signature.s) <= order / 2n).toBe(true)
        expect(yield* Effect.promise(() => recoverAddress({ hash, signature }))).toBe(address)
      }
      expect(parities.size).toBe(2)
    })
  )

  it.effect("refuses invalid keys, and does not repeat them", () =>
    Effect.gen(function* () {
      const bad = [
        "",
        "0x",
        text.slice(0, -1),
        `${text}0`,
        text.replace("a", "g"),
        `0x${"0".repeat(64)}`,
        `0x${order.toString(16)}`
      ]
      for (const each of bad) {
        const error = yield* Effect.flip(EvmKeys.fromPrivateKey(Redacted.make(each)))
        expect(error._tag).toBe("InvalidKey")
        if (each.length > 2) expect(JSON.stringify(error) + String(error)).not.toContain(each.slice(2, 20))
      }
    })
  )

  it.effect("does not reveal its bytes", () =>
    Effect.gen(function* () {
      const key = yield* EvmKeys.fromPrivateKey(Redacted.make(text))
      expect(JSON.stringify(key)).not.toContain(text.slice(2, 20))
      expect(Object.keys(key).toSorted()).toEqual(["address", "signDigest"])
    })
  )
})
