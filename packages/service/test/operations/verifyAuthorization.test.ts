import { describe, expect, it } from "@effect/vitest"
import type { Delegation } from "@geoswap/core"
import * as Effect from "effect/Effect"
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts"
import { numberToHex } from "viem/utils"
import { authorizationFault } from "../../src/operations/verifyAuthorization.js"

const wallet = privateKeyToAccount(generatePrivateKey())
const stranger = privateKeyToAccount(generatePrivateKey())
const delegate: `0x${string}` = `0x${"d".repeat(40)}`
const other: `0x${string}` = `0x${"e".repeat(40)}`
const expected = { chainId: 1, delegate, nonce: 3, wallet: wallet.address }

const authorize = (
  over: { readonly chainId?: number; readonly nonce?: number } = {},
  by = wallet,
  address = delegate
) =>
  Effect.map(
    Effect.promise(() => by.signAuthorization({ chainId: 1, nonce: 3, address, ...over })),
    ({ r, s, yParity = 0 }): Delegation.Authorization => ({
      chainId: 1,
      nonce: 3,
      address,
      ...over,
      r,
      s,
      yParity: yParity === 0 ? 0 : 1
    })
  )

const faultOf = (authorization: Delegation.Authorization) => authorizationFault(authorization, expected)

describe("an authorization", () => {
  it.effect("is valid if the wallet signed it for the chain, the delegate and its nonce", () =>
    Effect.gen(function* () {
      expect(yield* faultOf(yield* authorize())).toBeUndefined()
    })
  )

  it.effect("is refused for another chain, another contract or another nonce, and from another wallet", () =>
    Effect.gen(function* () {
      expect(yield* faultOf(yield* authorize({ chainId: 2 }))).toMatch(/wrong chain/)
      expect(yield* faultOf(yield* authorize({ chainId: 0 }))).toMatch(/wrong chain/)
      expect(yield* faultOf(yield* authorize({}, wallet, other))).toMatch(/wrong contract/)
      expect(yield* faultOf(yield* authorize({ nonce: 4 }))).toMatch(/wrong account nonce/)
      expect(yield* faultOf(yield* authorize({}, stranger))).toMatch(/not signed by the wallet/)
    })
  )

  it.effect("is refused with the other s value, which recovers the same wallet", () =>
    Effect.gen(function* () {
      const { s, yParity, ...rest } = yield* authorize()
      const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
      const high = numberToHex(order - BigInt(s), { size: 32 })
      expect(yield* faultOf({ ...rest, s: high, yParity: yParity === 0 ? 1 : 0 })).toMatch(/high s value/)
    })
  )

  it.effect("is refused if it is not a signature of exactly these fields", () =>
    Effect.gen(function* () {
      const signed = yield* authorize()
      const forAnyChain = yield* authorize({ chainId: 0 })
      const wrong: Readonly<Record<string, Partial<Delegation.Authorization>>> = {
        "of the other parity": { yParity: signed.yParity === 0 ? 1 : 0 },
        "of zeros": { r: `0x${"0".repeat(64)}`, s: `0x${"0".repeat(64)}` },
        "above the curve": { r: `0x${"f".repeat(64)}` },
        "with r and s exchanged": { r: signed.s, s: signed.r },
        "signed for every chain": { ...forAnyChain, chainId: 1 }
      }
      for (const [name, change] of Object.entries(wrong)) {
        const fault = yield* faultOf({ ...signed, ...change })
        expect([name, typeof fault]).toEqual([name, "string"])
      }
    })
  )
})
