import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { getAddress } from "viem/utils"
import { Chain } from "../src/index.js"
import { decoded, refuses, survivesTheWire } from "./roundTrip.js"

const wallet = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"
const account = "GmaDrppBC7P5ARKV8g3djiwP89vz1jLK23V2GBjuAEGB"

const Address = Schema.String.check(Schema.isPattern(/^0x[0-9a-f]{40}$/))

describe("a chain in the list of the service", () => {
  survivesTheWire("token", Chain.Token)
  survivesTheWire("chain", Chain.Chain, 60)

  it("keeps unknown fields, including those of its tokens", () => {
    const wire = {
      id: 8453,
      name: "Base",
      kind: "evm",
      rpcUrl: "https://base.example",
      tokens: [{ symbol: "USDC", address: wallet, decimals: 6, logo: { dark: "d.png" } }]
    }
    expect(Schema.encodeSync(Chain.Chain)(decoded(Chain.Chain, wire))).toStrictEqual(wire)
  })

  it.each([[0], [-1], [1.5], [Number.MAX_SAFE_INTEGER + 1], ["8453"], [null]])("has no id such as %o", (id) => {
    expect(refuses(Chain.Chain, { id, name: "", kind: "evm", tokens: [] })).toBe(true)
  })

  it.each([
    [0, true],
    [255, true],
    [-1, false],
    [256, false],
    [6.5, false]
  ])("has tokens with %d decimals: %s", (decimals, fits) => {
    expect(refuses(Chain.Token, { symbol: "T", address: "t", decimals })).toBe(!fits)
  })
})

describe("a chain id", () => {
  it("is an integer from 1 to the largest safe integer", () => {
    const isChainId = Schema.is(Chain.ChainId)
    expect([1, Number.MAX_SAFE_INTEGER].every(isChainId)).toBe(true)
    expect([0, -1, 0.5, Number.NaN, Number.MAX_SAFE_INTEGER + 1].some(isChainId)).toBe(false)
  })
})

describe("the family of a chain id", () => {
  it("is EVM for all ids except Solana mainnet", () => {
    expect(Chain.defaultFamily(1)).toBe("evm")
    expect(Chain.defaultFamily(Chain.solanaMainnet)).toBe("solana")
    expect(Chain.defaultFamily(Chain.solanaMainnet + 1)).toBe("evm")
  })

  it.effect("can be configured for the programs", () =>
    Effect.gen(function* () {
      expect((yield* Chain.Families)(900)).toBe("evm")
      expect((yield* Effect.provideService(Chain.Families, Chain.Families, () => "solana"))(900)).toBe("solana")
    })
  )
})

describe("an address", () => {
  it("of an EVM chain is 20 bytes of hex in any case", () => {
    expect(Chain.isAddress("evm", wallet)).toBe(true)
    expect(Chain.isAddress("evm", wallet.toLowerCase())).toBe(true)
    expect(Chain.isAddress("evm", Chain.nativeToken.evm)).toBe(true)
  })

  it("of an EVM chain may be all upper case, which has no checksum", () => {
    expect(Chain.isAddress("evm", `0x${wallet.slice(2).toUpperCase()}`)).toBe(true)
  })

  it("of an EVM chain in mixed case is refused with a letter in the wrong case", () => {
    const letters = Array.from(wallet.slice(2)).flatMap((digit, index) => (/[a-f]/i.test(digit) ? [index + 2] : []))
    for (const at of letters) {
      const digit = wallet.charAt(at)
      const flipped = digit === digit.toLowerCase() ? digit.toUpperCase() : digit.toLowerCase()
      expect(Chain.isAddress("evm", wallet.slice(0, at) + flipped + wallet.slice(at + 1))).toBe(false)
    }
  })

  it("of an EVM chain in mixed case is refused with a mistyped digit", () => {
    expect(Chain.isAddress("evm", wallet.replace(/6$/, "7"))).toBe(false)
  })

  it.effect.prop("has the checksum that viem computes", [Address], ([address]) =>
    Effect.sync(() => {
      expect(Chain.checksum(address)).toBe(getAddress(address))
      expect(Chain.isAddress("evm", getAddress(address))).toBe(true)
    })
  )

  it.each([
    ["a digit less", wallet.slice(0, -1)],
    ["a digit more", `${wallet}0`],
    ["no prefix", wallet.slice(2)],
    ["an upper case prefix", wallet.replace("0x", "0X")],
    ["something that is not hex", wallet.replace("f", "g")],
    ["a line feed at the end", `${wallet}\n`],
    ["an address of Solana", account],
    ["nothing", ""],
    ["no text", undefined]
  ])("of an EVM chain is invalid with %s", (_, text) => {
    expect(Chain.isAddress("evm", text)).toBe(false)
  })

  it("of Solana is base58 of 32 bytes", () => {
    expect(Chain.isAddress("solana", account)).toBe(true)
    expect(Chain.isAddress("solana", Chain.nativeToken.solana)).toBe(true)
    expect(Chain.isAddress("solana", "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v")).toBe(true)
    // The largest: 32 bytes of 0xff.
    expect(Chain.isAddress("solana", "JEKNVnkbo3jma5nREBBJCDoXFVeKkD56V3xKrvRmWxFG")).toBe(true)
  })

  it.each([
    ["one more than the largest", "JEKNVnkbo3jma5nREBBJCDoXFVeKkD56V3xKrvRmWxFH"],
    ["31 zero bytes", "1".repeat(31)],
    ["33 zero bytes", "1".repeat(33)],
    ["31 bytes in 42 characters", account.slice(0, -2)],
    ["33 bytes in 44 characters", `1${account.slice(0, -1)}`],
    ["longer than 44 characters", `1${account}`],
    ["a character that base58 leaves out", account.replace("G", "0")],
    ["another that base58 leaves out", account.replace("G", "l")],
    ["an address of an EVM chain", wallet],
    ["no text", 5]
  ])("of Solana is invalid: %s", (_, text) => {
    expect(Chain.isAddress("solana", text)).toBe(false)
  })

  it("ignores case on an EVM chain, but not on Solana", () => {
    expect(Chain.sameAddress("evm", wallet, wallet.toLowerCase())).toBe(true)
    expect(Chain.sameAddress("evm", wallet, Chain.nativeToken.evm)).toBe(false)
    expect(Chain.sameAddress("solana", account, account)).toBe(true)
    expect(Chain.sameAddress("solana", account, account.toLowerCase())).toBe(false)
  })

  it("of either family is encoded as a 256-bit integer", () => {
    expect(Chain.toWord("0x00000000000000000000000000000000000000Ff")).toBe(255n)
    expect(Chain.toWord(Chain.nativeToken.solana)).toBe(0n)
    expect(Chain.toWord("11111111111111111111111111111115")).toBe(4n)
    expect(Chain.toWord("JEKNVnkbo3jma5nREBBJCDoXFVeKkD56V3xKrvRmWxFG")).toBe(2n ** 256n - 1n)
  })
})
