import { Fault } from "@geoswap/core/testing/promise"
import { describe, expect, it } from "vitest"
import { keyFor, repeatWindow } from "../src/automaticKey.js"
import { errorOf, makeKit, swapOf } from "./fixture.js"

describe("execute_swap", () => {
  it("makes one swap per idempotencyKey, also in another process", async () => {
    const { anotherProcess, call, order, service } = makeKit()
    const keyed = { ...order, idempotencyKey: "order-1" }
    const first = await call("execute_swap", keyed)
    const second = await call("execute_swap", keyed)
    const third = await anotherProcess()("execute_swap", keyed)
    expect([first, second, third].map(({ structured }) => structured["repeated"])).toEqual([false, true, true])
    expect(new Set([first, second, third].map((result) => swapOf(result)?.["swapId"])).size).toBe(1)
    expect(service.swaps).toHaveLength(1)
    await call("execute_swap", { ...order, idempotencyKey: "order-2" })
    expect(service.swaps).toHaveLength(2)
  })

  it("refuses a key that belongs to other arguments", async () => {
    const { call, order, service } = makeKit()
    await call("execute_swap", { ...order, idempotencyKey: "order-1" })
    const other = await call("execute_swap", { ...order, amount: "11", idempotencyKey: "order-1" })
    expect(errorOf(other)?.["code"]).toBe("IDEMPOTENCY_CONFLICT")
    expect(service.swaps).toHaveLength(1)
  })

  it("returns the earlier swap for the same arguments without a key, and asks for a new key", async () => {
    const { anotherProcess, call, order, service } = makeKit()
    const first = await call("execute_swap", order)
    const second = await anotherProcess()("execute_swap", { ...order, from: "USDC@8453" })
    expect(second.structured).toMatchObject({
      repeated: true,
      idempotencyKey: first.structured["idempotencyKey"],
      nextStep: expect.stringMatching(/new idempotencyKey/) as unknown
    })
    expect(service.swaps).toHaveLength(1)
    await call("execute_swap", { ...order, amount: "10.5" })
    expect(service.swaps).toHaveLength(2)
  })

  it("makes one swap of 20 identical calls in parallel", async () => {
    const { anotherProcess, order, service } = makeKit()
    const results = await Promise.all(Array.from({ length: 20 }, () => anotherProcess()("execute_swap", order)))
    expect(new Set(results.map((result) => swapOf(result)?.["swapId"])).size).toBe(1)
    expect(service.swaps).toHaveLength(1)
  })

  it("starts the swap with the same key if the first attempt signed nothing", async () => {
    const { call, order, service } = makeKit()
    service.next("quote", Fault.refuse(422, "NO_ROUTE"))
    expect((await call("execute_swap", order)).isError).toBe(true)
    const retried = await call("execute_swap", order)
    expect([retried.structured["repeated"], swapOf(retried)?.["status"]]).toEqual([false, "settled"])
  })
})

describe("the key of a call without one", () => {
  interface Given {
    readonly before?: string
    readonly fresh: string
    readonly now: number
    readonly parts?: ReadonlyArray<string>
    readonly open?: ReadonlyArray<string>
  }
  const keyOf = ({ before, open = [], parts = ["order"], ...given }: Given) =>
    keyFor({ ...given, parts, unfinished: (key) => open.includes(key) })(before)

  it("stays the same within the window, and changes after it", () => {
    const [before, first] = keyOf({ fresh: "a", now: 1_000 })
    expect(first).toBe("a")
    const [again, repeated] = keyOf({ before, fresh: "b", now: 1_000 + repeatWindow - 1 })
    expect([again, repeated]).toEqual([before, "a"])
    expect(keyOf({ before, fresh: "b", now: 1_000 + repeatWindow })[1]).toBe("b")
  })

  it("stays the same after the window while the earlier swap is unfinished", () => {
    const [before] = keyOf({ fresh: "a", now: 1_000 })
    expect(keyOf({ before, fresh: "b", now: 1_000 + 10 * repeatWindow, open: ["a"] })[1]).toBe("a")
  })

  it("stays the same if the clock was set back", () => {
    const [before] = keyOf({ fresh: "a", now: 10_000_000 })
    expect(keyOf({ before, fresh: "b", now: 0 })[1]).toBe("a")
  })

  it("differs between orders", () => {
    const [before] = keyOf({ parts: ["a", "b"], fresh: "a", now: 0 })
    expect(keyOf({ before, parts: ["ab"], fresh: "b", now: 0 })[1]).toBe("b")
    expect(keyOf({ before, parts: ["a", "b"], fresh: "b", now: 0 })[1]).toBe("a")
  })

  it("does not depend on capitals in an EVM address", () => {
    const [before] = keyOf({ parts: [`0x${"aB".repeat(20)}`, "aB"], fresh: "a", now: 0 })
    expect(keyOf({ before, parts: [`0x${"Ab".repeat(20)}`, "aB"], fresh: "b", now: 0 })[1]).toBe("a")
    expect(keyOf({ before, parts: [`0x${"Ab".repeat(20)}`, "Ab"], fresh: "b", now: 0 })[1]).toBe("b")
  })

  it("is forgotten after the window, so that the record does not grow with every order", () => {
    let before = keyOf({ parts: ["unfinished"], fresh: "open", now: 0 })[0]
    const [empty] = keyOf({ before, parts: ["last"], fresh: "last", now: 0, open: ["open"] })
    for (let count = 1; count <= 100; count++) {
      before = keyOf({ before, parts: [`${count}`], fresh: "k", now: count * repeatWindow, open: ["open"] })[0]
    }
    const [after] = keyOf({ before, parts: ["last"], fresh: "last", now: 102 * repeatWindow, open: ["open"] })
    expect(Object.keys(JSON.parse(after) as object)).toEqual(Object.keys(JSON.parse(empty) as object))
  })
})
