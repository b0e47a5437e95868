import { describe, expect, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import { Hex } from "../src/index.js"
import { decoded, refuses, survivesTheWire } from "./roundTrip.js"

const mixed = "0xF39Fd6e51aad88F6F4ce6aB8827279cffFb92266"

describe("a hex string of the protocol", () => {
  survivesTheWire("address", Hex.Address)
  survivesTheWire("32-byte word", Hex.Bytes32)

  it("is decoded in any case, with or without prefix, to lower case with prefix", () => {
    const lower = mixed.toLowerCase()
    expect(decoded(Hex.Address, mixed)).toBe(lower)
    expect(decoded(Hex.Address, mixed.slice(2))).toBe(lower)
    expect(Schema.encodeSync(Hex.Address)(decoded(Hex.Address, mixed))).toBe(lower)
    expect(decoded(Hex.Bytes32, "AB".repeat(32))).toBe(`0x${"ab".repeat(32)}`)
  })

  it.each([
    ["a digit less", mixed.slice(0, -1)],
    ["a digit more", `${mixed}0`],
    ["a byte more", `${mixed}00`],
    ["a second prefix", `0x${mixed}`],
    ["an upper case prefix", mixed.replace("0x", "0X")],
    ["a space", ` ${mixed}`],
    ["a line feed", `${mixed}\n`],
    ["something that is not hex", mixed.replace("6", "g")],
    ["nothing in it", "0x"],
    ["a number in its place", 5],
    ["null in its place", null]
  ])("is refused with %s", (_, wire) => {
    expect(refuses(Hex.Address, wire)).toBe(true)
  })

  it("has a fixed length", () => {
    expect(refuses(Hex.Bytes32, mixed)).toBe(true)
    expect(refuses(Hex.Address, `0x${"ab".repeat(32)}`)).toBe(true)
  })
})

describe("isHex", () => {
  it("requires the prefix and exactly that many bytes", () => {
    expect(Hex.isHex("0xAbCd", 2)).toBe(true)
    expect(Hex.isHex("0x", 0)).toBe(true)
    for (const text of ["abcd", "0xabc", "0xabcdef", "0xab", "0xabcg", "0Xabcd", "0xabc\n", 5, null, undefined]) {
      expect(Hex.isHex(text, 2)).toBe(false)
    }
  })
})
