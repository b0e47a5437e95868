import { SwapError } from "@geoswap/core"
import { isSwapError, type SwapEvent } from "@geoswap/core/promise"
import { Fault } from "@geoswap/core/testing"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { describe, expect, it, onTestFinished, vi } from "vitest"
import { rejection } from "../../../../tooling/testing/expectError.ts"
import { lazyClient } from "../../src/internal/lazyClient.js"
import { scriptedLayer } from "../scriptedLayer.js"
import { evmRequest, solanaRequest } from "../scriptedClient.js"

const wallet = { chainId: evmRequest.originChain, walletAddress: evmRequest.walletAddress }

const collected = async <A>(values: AsyncIterable<A>): Promise<ReadonlyArray<A>> => {
  const all: Array<A> = []
  for await (const value of values) all.push(value)
  return all
}

/** Creates a client over the layer and holds it, as a provider does. */
const connected = () => {
  const fixture = scriptedLayer()
  const lazy = lazyClient(fixture.layer)
  return { ...fixture, ...lazy, release: lazy.hold() }
}

describe("a client over a layer", () => {
  it("has all endpoints and programs", async () => {
    const { client, lifecycle, service } = connected()
    expect(await client.chains()).toHaveLength(3)
    expect(await client.delegation(wallet)).toMatchObject({ delegated: false })
    const steps: Array<SwapEvent["type"]> = []
    const { swapId } = await client.execute(evmRequest, { onProgress: ({ type }) => void steps.push(type) })
    expect(steps.at(-1)).toBe("done")
    expect(await client.status(swapId)).toMatchObject({ status: "settled" })
    expect(await client.wait(swapId)).toMatchObject({ status: "settled" })
    expect(await collected(client.watch(swapId))).toMatchObject([{ status: "settled" }])
    const streamed = await collected(client.executeStream(solanaRequest))
    expect(streamed.map(({ type }) => type)).toEqual([
      "quoted",
      "built",
      "verified",
      "signed",
      "submitted",
      "status",
      "done"
    ])
    const { geoQuoteToken } = await client.quote(evmRequest)
    const built = await client.build({ originChain: evmRequest.originChain, geoQuoteToken })
    expect(built.kind).toBe("evm")
    const { geoOpToken } = built
    expect(await rejection(client.submit({ kind: "evm", geoOpToken, signature: "0x00" }))).toMatchObject({
      _tag: "Rejected"
    })
    expect(service.swaps).toHaveLength(2)
    expect(lifecycle).toEqual(["built"])
  })

  it("keeps its store between calls", async () => {
    const { client, service } = connected()
    service.next("submit", Fault.hang({ after: true }))
    const stop = new AbortController()
    const reason = new Error("enough")
    const swap = rejection(client.execute(evmRequest, { signal: stop.signal }))
    await expect.poll(() => service.seen("submit")).toHaveLength(1)
    stop.abort(reason)
    expect(await swap).toBe(reason)
    const [flow] = await client.pending()
    expect(await client.resume(flow?.id ?? "")).toMatchObject({ status: "settled" })
    expect(await client.pending()).toEqual([])
    await client.forget("unknown")
    expect(service.swaps).toHaveLength(1)
  })

  it("rejects with the tagged error, calls the consent callbacks, and survives listeners that throw", async () => {
    const { client, service } = connected()
    service.next("quote", Fault.refuse(422, "NO_ROUTE"))
    const error = await rejection(client.quote(evmRequest))
    expect(isSwapError(error) && error._tag).toBe("NoRoute")
    service.next("quote", Fault.hang())
    expect(await rejection(client.quote(evmRequest, { timeout: 20 }))).toMatchObject({ reason: "timeout" })
    service.next("build-geo-op", Fault.expire)
    const offers: Array<bigint> = []
    const report = vi.spyOn(console, "log").mockImplementation(() => undefined)
    onTestFinished(() => report.mockRestore())
    const swap = await client.execute(evmRequest, {
      onProgress: ({ type }) => {
        if (type === "quoted") service.price(9_000)
        throw new Error("a bug in the page")
      },
      acceptRequote: async (_, offered) => offers.push(offered.output) > 0
    })
    expect(swap.status).toBe("settled")
    expect(offers).toEqual([9_000_000n])
    // With the logger of the layer.
    const logged = report.mock.lastCall?.map(String).join(" ")
    expect(logged).toContain("A swap listener failed; the swap continues.")
    expect(logged).toContain("a bug in the page")
  })

  it("ends a stream on abort with the reason of the signal, and when the loop ends", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setImmediate", "clearImmediate", "Date"] })
    vi.setTimerTickMode("nextTimerAsync")
    onTestFinished(() => void vi.useRealTimers())
    const { client, service } = connected()
    service.ends("never")
    const stop = new AbortController()
    const reason = new Error("enough")
    const looping = async () => {
      for await (const { type } of client.executeStream(evmRequest, { signal: stop.signal })) {
        if (type === "submitted") stop.abort(reason)
      }
    }
    expect(await rejection(looping())).toBe(reason)
    for await (const { type } of client.executeStream(evmRequest)) if (type === "submitted") break
    const { length } = service.requests
    await new Promise((resolve) => setTimeout(resolve, 600_000))
    expect(service.requests).toHaveLength(length)
    expect(await rejection(client.quote(evmRequest, { signal: stop.signal }))).toBe(reason)
  })
})

describe("the layer", () => {
  it("is built on the first call and closed when it has no holder and no running call", async () => {
    const { client, hold, lifecycle, release, service } = connected()
    expect(lifecycle).toEqual([])
    service.next("quote", Fault.delay(50))
    const quote = client.quote(evmRequest)
    release()
    release()
    await quote
    await expect.poll(() => lifecycle).toEqual(["built", "ended"])
    const again = hold()
    await client.quote(evmRequest)
    await client.quote(evmRequest)
    expect(lifecycle).toEqual(["built", "ended", "built"])
    again()
    await expect.poll(() => lifecycle).toHaveLength(4)
  })

  it("rejects with a tagged error if it cannot be built, and is built again on the next call", async () => {
    const { layer } = scriptedLayer()
    let tries = 0
    const failing = Layer.effectDiscard(
      Effect.suspend(() => (++tries === 1 ? Effect.fail("no configuration") : Effect.void))
    )
    const { client, hold } = lazyClient(Layer.merge(layer, failing))
    hold()
    const error = await rejection(client.quote(evmRequest))
    expect(error).toMatchObject({
      _tag: "InvalidInput",
      field: "layer",
      message: "layer: could not be built. no configuration"
    })
    expect(await client.quote(evmRequest)).toMatchObject({ output: 10_000_000n })

    const known = new SwapError.InvalidInput({ field: "baseUrl", message: "baseUrl: missing." })
    const refused = lazyClient(Layer.merge(layer, Layer.effectDiscard(Effect.fail(known))))
    expect(await rejection(refused.client.quote(evmRequest))).toMatchObject({ field: "baseUrl" })
  })
})
