import { describe, expect, it } from "vitest"
import * as RandomPool from "../../src/crypto/randomPool.js"

describe("random bytes from a pool", () => {
  it("have the requested length, and never repeat or change later", () => {
    const random = RandomPool.make()
    const drawn = Array.from({ length: 2_000 }, (_, index) => random(index % 2 === 0 ? 12 : 32))
    const texts = drawn.map((bytes) => Buffer.from(bytes).toString("hex"))
    expect(drawn.map(({ length }) => length)).toEqual(drawn.map((_, index) => (index % 2 === 0 ? 12 : 32)))
    expect(new Set(texts).size).toBe(2_000)
    random(4_096)
    expect(drawn.map((bytes) => Buffer.from(bytes).toString("hex"))).toEqual(texts)
    // The first twelve bytes of no value are those of another one.
    expect(new Set(texts.map((text) => text.slice(0, 24))).size).toBe(2_000)
  })

  it("may be longer than the pool", () => {
    expect(new Set(RandomPool.make()(10_000)).size).toBe(256)
  })
})
