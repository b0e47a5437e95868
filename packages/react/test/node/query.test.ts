import { createClient, isSwapError, type SwapEvent } from "@geoswap/core/promise"
import { Fault } from "@geoswap/core/testing"
import { dehydrate, MutationObserver, QueryClient, QueryObserver } from "@tanstack/query-core"
import * as Effect from "effect/Effect"
import { describe, expect, it, onTestFinished, vi } from "vitest"
import { rejection } from "../../../../tooling/testing/expectError.ts"
import {
  chainsQueryOptions,
  delegationQueryOptions,
  pendingQueryOptions,
  quoteQueryOptions,
  secondsLeft,
  statusQueryOptions,
  swapMutationOptions
} from "../../src/query.js"
import { millisLeft } from "../../src/query/quote.js"
import { evmRequest, scriptedClient } from "../scriptedClient.js"

const wallet = { chainId: evmRequest.originChain, walletAddress: evmRequest.walletAddress }

describe("the query options", () => {
  it("work with a bare query client", async () => {
    const { client, service } = scriptedClient()
    const cache = new QueryClient()
    expect(await cache.query(chainsQueryOptions(client))).toHaveLength(3)
    expect(await cache.query(chainsQueryOptions(client))).toHaveLength(3)
    expect(service.seen("chains")).toHaveLength(1)
    expect(await cache.query(delegationQueryOptions(client, wallet))).toMatchObject({ delegated: false })
    const [mono, wall] = [performance.now(), Date.now()]
    const { quote, receivedAt, receivedOn } = await cache.query(
      quoteQueryOptions(client, evmRequest, { scope: "here" })
    )
    expect(quote?.output).toBe(10_000_000n)
    expect(receivedAt).toBeGreaterThanOrEqual(mono)
    expect(receivedAt).toBeLessThanOrEqual(performance.now())
    expect(receivedOn).toBeGreaterThanOrEqual(wall)
    expect(receivedOn).toBeLessThanOrEqual(Date.now())
    expect(await cache.query(pendingQueryOptions(client))).toEqual([])
  })

  it("reject if a disabled query is called", async () => {
    const { client, service } = scriptedClient()
    const cache = new QueryClient()
    for (const options of [
      delegationQueryOptions(client, undefined),
      quoteQueryOptions(client, undefined, { scope: "here" }),
      statusQueryOptions(client, undefined)
    ]) {
      expect(options.enabled).toBe(false)
      expect(await rejection(cache.query<unknown>({ ...options, retry: false } as never))).toMatchObject({
        _tag: "InvalidInput"
      })
    }
    expect(service.requests).toEqual([])
  })

  it("keep quotes apart by scope, client and request, and do not cache them", async () => {
    const [one, other] = [scriptedClient().client, scriptedClient().client]
    const keys = [
      quoteQueryOptions(one, evmRequest, { scope: "a" }),
      quoteQueryOptions(one, evmRequest, { scope: "b" }),
      quoteQueryOptions(other, evmRequest, { scope: "a" }),
      ...(
        [
          "originChain",
          "destinationChain",
          "inputToken",
          "outputToken",
          "amount",
          "walletAddress",
          "recipient"
        ] as const
      ).map((field) => quoteQueryOptions(one, { ...evmRequest, [field]: "7" }, { scope: "a" })),
      quoteQueryOptions(one, { ...evmRequest, slippageBps: 7 }, { scope: "a" })
    ].map(({ queryKey }) => JSON.stringify(queryKey))
    expect(new Set(keys).size).toBe(keys.length)
    expect(quoteQueryOptions(one, evmRequest, { scope: "a" }).queryKey).toEqual(
      quoteQueryOptions(one, { ...evmRequest, amount: "10000000" }, { scope: "a" }).queryKey
    )
    const cache = new QueryClient()
    await cache.query(quoteQueryOptions(one, evmRequest, { scope: "a" }))
    await expect.poll(() => cache.getQueryCache().getAll()).toEqual([])
  })

  it("follow a swap to its end and update the data on the way", async () => {
    const { client, service } = scriptedClient({ duration: 60_000 })
    const stop = new AbortController()
    const onProgress = ({ type }: { readonly type: string }) => {
      if (type === "submitted") stop.abort()
    }
    await rejection(client.execute(evmRequest, { signal: stop.signal, onProgress }))
    const swapId = service.swaps[0]?.swapId ?? ""
    const seen: Array<string | undefined> = []
    const observer = new QueryObserver(new QueryClient(), statusQueryOptions(client, swapId))
    const unsubscribe = observer.subscribe(({ data, fetchStatus }) => seen.push(`${data?.status} ${fetchStatus}`))
    await expect.poll(() => service.seen("status").length).toBeGreaterThan(0)
    await expect.poll(() => seen).toContain("undefined fetching")
    await Effect.runPromise(service.finish(swapId, "refunded"))
    await expect.poll(() => seen.at(-1)).toBe("refunded idle")
    // The data is updated as soon as it is known, not only at the end of the query.
    expect(seen).toContain("refunded fetching")
    unsubscribe()
  })

  it("do not refetch a swap that has ended", async () => {
    const { client, service } = scriptedClient()
    const { swapId, output } = await client.execute(evmRequest)
    const cache = new QueryClient()
    expect(output?.amount).toBe(10_000_000n)
    expect(await cache.query(statusQueryOptions(client, swapId))).toMatchObject({
      status: "settled",
      output,
      finishedAt: expect.any(Date) as Date
    })
    const { length } = service.requests
    expect(await cache.query(statusQueryOptions(client, swapId))).toMatchObject({ status: "settled" })
    expect(service.requests).toHaveLength(length)
  })
})

describe("the query keys", () => {
  it("are the same for every client and in every process, unless the client has another key", () => {
    const { client } = scriptedClient()
    expect([
      chainsQueryOptions(client).queryKey,
      delegationQueryOptions(client, wallet).queryKey,
      statusQueryOptions(client, "a-swap").queryKey
    ]).toEqual([
      ["geoswap", "chains", "default"],
      ["geoswap", "delegation", "default", wallet.chainId, wallet.walletAddress],
      ["geoswap", "status", "default", "a-swap"]
    ])
    const key = { clientKey: "testnet" }
    expect([
      chainsQueryOptions(client, key).queryKey,
      delegationQueryOptions(client, undefined, key).queryKey,
      statusQueryOptions(client, undefined, key).queryKey
    ]).toEqual([
      ["geoswap", "chains", "testnet"],
      ["geoswap", "delegation", "testnet", null, null],
      ["geoswap", "status", "testnet", null]
    ])
  })

  it("are different for each client object if the data must not be shared", () => {
    const [one, other] = [scriptedClient().client, scriptedClient().client]
    expect(pendingQueryOptions(one).queryKey).toEqual(pendingQueryOptions(one).queryKey)
    expect(pendingQueryOptions(one).queryKey).not.toEqual(pendingQueryOptions(other).queryKey)
  })
})

describe("a dehydrated cache", () => {
  it("contains no quotes and no signed flows", async () => {
    const { client, service } = scriptedClient()
    service.next("submit", Fault.hang())
    const stop = new AbortController()
    const left = client.execute(evmRequest, { signal: stop.signal }).catch(() => undefined)
    await expect.poll(() => service.seen("submit")).toHaveLength(1)
    const cache = new QueryClient()
    const quote = new QueryObserver(cache, quoteQueryOptions(client, evmRequest, { scope: "a" }))
    const pending = new QueryObserver(cache, pendingQueryOptions(client))
    const unsubscribe = [quote.subscribe(() => {}), pending.subscribe(() => {})]
    await expect.poll(() => quote.getCurrentResult().data?.quote?.geoQuoteToken).toBeDefined()
    await expect.poll(() => pending.getCurrentResult().data).toHaveLength(1)

    const { queries } = dehydrate(cache)
    expect(queries).toHaveLength(2)
    // JSON would fail on a bigint, and a quote and a flow contain several.
    const { receivedAt, receivedOn } = quote.getCurrentResult().data ?? {}
    const data = [{ receivedAt, receivedOn }, {}]
    expect(JSON.parse(JSON.stringify(queries.map(({ state }) => state.data)))).toEqual(data)
    expect(structuredClone(queries.map(({ state }) => state.data))).toEqual(data)
    for (const stopObserving of unsubscribe) stopObserving()
    stop.abort()
    await left
  })
})

describe("the retry policy", () => {
  const { retry, retryDelay } = chainsQueryOptions(createClient({ transport: { send: () => new Promise(() => {}) } }))
  const errorOf = async (fault: Fault.Fault) => {
    const { client, service } = scriptedClient()
    service.next("chains", fault)
    const error = await rejection(client.chains())
    if (!isSwapError(error)) return expect.fail("one of our errors")
    return error
  }
  if (typeof retry !== "function" || typeof retryDelay !== "function") throw new Error("functions")

  it("retries temporary errors a limited number of times", async () => {
    const error = await errorOf(Fault.unavailable())
    expect([0, 4, 5].map((failures) => retry(failures, error))).toEqual([true, true, false])
    expect(retry(0, await errorOf(Fault.rateLimited()))).toBe(true)
    expect(retry(0, await errorOf(Fault.refuse(422, "NO_ROUTE")))).toBe(false)
    expect(retry(0, await errorOf(Fault.refuse(401, "UNAUTHORIZED")))).toBe(false)
    expect(retry(0, await errorOf(Fault.garbage()))).toBe(false)
    expect(retry(0, new Error("not a SwapError") as never)).toBe(false)
  })

  it("waits for retryAfter, or with exponential backoff", async () => {
    expect(retryDelay(0, await errorOf(Fault.rateLimited(7)))).toBe(7_000)
    const error = await errorOf(Fault.rateLimited())
    expect([0, 1, 2, 3, 4, 50].map((failures) => retryDelay(failures, error))).toEqual([
      1_000, 2_000, 4_000, 8_000, 15_000, 15_000
    ])
  })
})

describe("the lifetime of a quote", () => {
  it("is 30 seconds by the clock that has advanced further", () => {
    vi.useFakeTimers({ toFake: ["Date", "performance"] })
    onTestFinished(() => void vi.useRealTimers())
    const [mono, wall] = [performance.now(), Date.now()]
    const left = (passed: number, slept: number) => millisLeft({ receivedAt: mono - passed, receivedOn: wall - slept })
    expect(left(0, 0)).toBe(30_000)
    expect(left(10_000, 0)).toBe(20_000)
    expect(left(0, 10_000)).toBe(20_000)
    expect(left(0, 30_000)).toBe(0)
    expect(left(30_000, -3_600_000)).toBe(0)
    expect(secondsLeft({ receivedAt: mono, receivedOn: wall - 29_990 })).toBe(1)
    expect(secondsLeft({ receivedAt: mono, receivedOn: wall })).toBe(30)
  })

  it("ends for good: an expired quote is dropped, even if the clock is set back", async () => {
    const { client } = scriptedClient()
    const received = await new QueryClient().query(quoteQueryOptions(client, evmRequest, { scope: "here" }))
    vi.useFakeTimers({ toFake: ["Date", "performance"] })
    onTestFinished(() => void vi.useRealTimers())
    vi.setSystemTime(received.receivedOn + 29_000)
    expect(received.quote?.output).toBe(10_000_000n)
    vi.setSystemTime(received.receivedOn + 30_000)
    expect(received.quote).toBeUndefined()
    vi.setSystemTime(received.receivedOn)
    expect(received.quote).toBeUndefined()
  })
})

describe("the mutation options", () => {
  it("make a swap and resume an unfinished one", async () => {
    const { client, service } = scriptedClient()
    const cache = new QueryClient()
    const steps: Array<string> = []
    const observer = new MutationObserver(cache, swapMutationOptions(client))
    const onProgress = ({ type }: SwapEvent) => void steps.push(type)
    expect(await observer.mutate({ request: evmRequest, maxRequotes: 1, onProgress })).toMatchObject({
      status: "settled"
    })
    expect(steps.at(-1)).toBe("done")
    service.next("submit", Fault.hang({ after: true }))
    const stop = new AbortController()
    const left = client.execute(evmRequest, { signal: stop.signal }).catch((error: unknown) => error)
    await expect.poll(() => service.seen("submit")).toHaveLength(2)
    const [flow] = await client.pending()
    stop.abort()
    await left
    expect(await observer.mutate({ flowId: flow?.id ?? "" })).toMatchObject({ status: "settled" })
    expect(service.swaps).toHaveLength(2)
    expect(await client.pending()).toEqual([])
  })

  it("never make a swap twice", () => {
    const { client } = scriptedClient()
    expect(swapMutationOptions(client)).toMatchObject({ retry: false, networkMode: "always" })
  })
})
