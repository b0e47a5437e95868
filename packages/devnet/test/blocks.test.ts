import { describe, expect, it } from "vitest"
import { blockhashes } from "../src/internal/solana/blocks.js"

describe("blocks", () => {
  it("accepts a blockhash for 150 blocks, at heights that have seen it", () => {
    const chain = blockhashes({ slot: 5, blockhash: "first", time: 0 })
    const first = chain.head()
    for (let made = 1; made <= 151; made += 1) chain.push(`hash ${made}`, made)
    expect(chain.isValid("first", chain.back(1))).toBe(true)
    expect(chain.isValid("first", chain.head())).toBe(false)
    expect(chain.isValid("hash 1", chain.head())).toBe(true)
    expect(chain.isValid("hash 1", first)).toBe(false)
    expect(chain.slotHashes()[0]).toEqual({ slot: 155n, hash: "hash 151" })
  })
})
