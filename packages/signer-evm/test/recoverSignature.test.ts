import type { Hex } from "@geoswap/core"
import * as Address from "ox/Address"
import * as Hexadecimal from "ox/Hex"
import * as Secp256k1 from "ox/Secp256k1"
import { recoverAddress } from "viem"
import { describe, expect, it } from "@effect/vitest"
import { rejection } from "../../../tooling/testing/expectError.ts"
import { seededRandom } from "../../../tooling/testing/seededRandom.ts"
import { EvmSigner } from "../src/index.js"
import { candidates, recoverSigner } from "../src/internal/recoverSignature.js"
import { account, alive, operation } from "./fixture.js"
import { order, sign, twin } from "./wallets.js"

const random = seededRandom(7702, 0)
const randomWord = (): Hex.Hex => random.hex(32)

/** The result of viem, which recovers with another implementation of the curve. */
const reference = (hash: Hex.Hex, signature: { r: Hex.Hex; s: Hex.Hex; yParity: number }) =>
  recoverAddress({ hash, signature }).catch(() => undefined)

describe("recovering the signer", () => {
  it("returns the address of the key, for both spellings of s", () => {
    for (let round = 0; round < 20; round++) {
      const [key, hash] = [randomWord(), randomWord()]
      const owner = Address.fromPublicKey(Secp256k1.getPublicKey({ privateKey: key }), { checksum: true })
      const signature = sign(hash, key)
      for (const spelling of [signature, twin(signature)]) {
        const [first] = candidates([{ ...spelling, yParity: spelling.yParity === 0 ? 0 : 1 }])
        expect(first && recoverSigner(hash, first)).toBe(owner)
      }
    }
  })

  it("agrees with viem on random signatures, half of which no key can have made", async () => {
    let unrecoverable = 0
    for (let round = 0; round < 100; round++) {
      const [hash, r, s] = [randomWord(), randomWord(), randomWord()]
      const signature = { r, s, yParity: round % 2 === 0 ? 0 : 1 } as const
      const expected = await reference(hash, signature)
      if (expected === undefined) unrecoverable++
      expect(recoverSigner(hash, signature)).toBe(expected)
    }
    expect(unrecoverable).toBeGreaterThan(20)
    expect(unrecoverable).toBeLessThan(80)
  })

  it.each([
    ["a hash of zero", 0n, 1n, 1n],
    ["the largest hash", 2n ** 256n - 1n, 1n, 1n],
    ["the largest r and s", 1n, order - 1n, order - 1n],
    ["an r of zero", 1n, 0n, 1n],
    ["an s of zero", 1n, 1n, 0n],
    ["an r of the order", 1n, order, 1n],
    ["an s of the order", 1n, 1n, order],
    ["the point at infinity", 1n, 0x79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798n, 1n]
  ])("agrees with viem on %s", async (_, ...values) => {
    const [hash, r, s] = values.map((value) => Hexadecimal.fromNumber(value, { size: 32 })) as [
      Hex.Hex,
      Hex.Hex,
      Hex.Hex
    ]
    for (const yParity of [0, 1] as const) {
      const expected = await reference(hash, { r, s, yParity })
      expect(recoverSigner(hash, { r, s, yParity })).toBe(expected)
    }
  })

  it("reports a signature that no key can have made as one by a different key", async () => {
    // No point on the curve has this r.
    const r = `0x${"5".padStart(64, "0")}`
    const noPoint = { address: account.address, signDigest: () => ({ r, s: `0x${"1".padStart(64, "0")}` }) }
    const error = (await rejection(EvmSigner.fromKeyService(noPoint).signOperation(operation, alive()))) as Error
    expect(error).toMatchObject({ _tag: "SignerError", reason: "invalid" })
    expect(error.message).toContain("different key")
  })
})
