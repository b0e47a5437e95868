import { describe, expect, it } from "@effect/vitest"
import * as OrderIds from "../../src/operations/orderIds.js"

const prefixOf = (id: string) => id.slice(0, -2)

describe("order ids", () => {
  it("are 32 bytes in hex, and all of them differ", () => {
    const { next } = OrderIds.make()
    const ids = Array.from({ length: 1_000 }, (_, index) => next(index % 3))
    for (const id of ids) expect(id).toMatch(/^0x[0-9a-f]{64}$/)
    expect(new Set(ids).size).toBe(1_000)
  })

  it("for one destination fill a slot of the vault before they use another one", () => {
    const { next } = OrderIds.make()
    const ids = Array.from({ length: 600 }, () => [next(1), next(2)] as const)
    for (const each of [ids.map(([id]) => id), ids.map(([, id]) => id)]) {
      const slots = [...new Set(each.map(prefixOf))]
      expect(slots.map((slot) => each.filter((id) => prefixOf(id) === slot).length)).toEqual([256, 256, 88])
    }
    expect(new Set(ids.flat().map(prefixOf)).size).toBe(6)
  })

  it("share their slot with the sample", () => {
    const { next, sample } = OrderIds.make()
    const slots = new Set<string>()
    for (let index = 0; index < 600; index++) {
      const example = sample(1)
      expect(example).toMatch(/^0x[0-9a-f]{62}ff$/)
      expect(prefixOf(next(1))).toBe(prefixOf(example))
      slots.add(prefixOf(example))
    }
    expect(slots.size).toBe(3)
  })

  it("of two services have different prefixes", () => {
    expect(prefixOf(OrderIds.make().next(1))).not.toBe(prefixOf(OrderIds.make().next(1)))
  })
})
