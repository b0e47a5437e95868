import { describe, expect, it } from "@effect/vitest"
import { keccak256 as reference, stringToHex } from "viem/utils"
import { keccak256 } from "../src/codecs/keccak.js"

describe("keccak256", () => {
  it("matches the published hash of the empty string", () => {
    expect(keccak256("")).toBe("c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470")
  })

  it("matches viem for every length around the block size, and for more than one byte per character", () => {
    for (let length = 0; length < 300; length++) {
      for (const text of ["a".repeat(length), "ü€".repeat(length)]) {
        expect(`0x${keccak256(text)}`).toBe(reference(stringToHex(text)))
      }
    }
  })
})
