import { describe, expect, it } from "@effect/vitest"
import { hashMessage as viemMessage } from "viem"
import { hashAuthorization as viemAuthorization, keccak256 as viemKeccak } from "viem/utils"
import { hashAuthorization, hashMessage, keccak256 } from "../src/internal/hash.js"
import { delegate, type Hex } from "./fixture.js"

/** Numbers at which the RLP encoding changes, and some between. */
const numbers = [0, 1, 127, 128, 255, 256, 8453, 65_535, 65_536, 2 ** 31, 2 ** 32 + 1, 2 ** 48, Number.MAX_SAFE_INTEGER]

describe("the hashes that wallets sign", () => {
  it.each(numbers)("hashes an authorization as viem does, with chain %d", (chainId) => {
    for (const nonce of numbers) {
      for (const address of [delegate, delegate.toUpperCase().replace("0X", "0x") as Hex]) {
        expect(hashAuthorization({ chainId, address, nonce })).toBe(viemAuthorization({ chainId, address, nonce }))
      }
    }
  })

  it.each(["", "0x", "text", "0x00ff", "ü€😀", "a".repeat(300)])("hashes the message %j as viem does", (text) => {
    expect(hashMessage(text)).toBe(viemMessage(text))
  })

  it.each<Hex>(["0x", "0x00", `0x${"ab".repeat(32)}`, `0x${"00ff".repeat(100)}`])(
    "hashes the bytes %s as viem does",
    (raw) => {
      expect(hashMessage({ raw })).toBe(viemMessage({ raw }))
      expect(keccak256(raw)).toBe(viemKeccak(raw))
    }
  )
})
