import type { Quote, QuoteInput } from "@geoswap/core/promise"
import { Fault } from "@geoswap/core/testing"
import { dehydrate, keepPreviousData, QueryClient } from "@tanstack/react-query"
import { act, cleanup } from "@testing-library/react"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { type QuoteOptions, type QuoteResult, useQuote } from "../../src/index.js"
import { evmRequest, scriptedClient } from "../scriptedClient.js"
import { advance, setVisible, renderPage, stopClock } from "./page.js"

beforeEach(stopClock)
afterEach(async () => {
  cleanup()
  await setVisible(true)
  vi.useRealTimers()
})

const other: QuoteInput = { ...evmRequest, amount: 20_000_000n }

/** Renders the hook for a request with a scripted service. */
const quoting = (options: QuoteOptions = {}, fixture = scriptedClient(), cache = new QueryClient()) => {
  const page = renderPage<QuoteResult, { readonly request: QuoteInput | undefined } & QuoteOptions>(
    ({ request, ...more }) => useQuote(request, { ...options, ...more }),
    { client: fixture.client, cache },
    { request: evmRequest }
  )
  return { ...fixture, ...page, state: () => page.result.current }
}

describe("useQuote", () => {
  it("sends one request in strict mode and counts down the seconds", async () => {
    const { quoteCount, state } = quoting({ query: { refetchInterval: false } })
    expect(state()).toMatchObject({ phase: "loading", data: undefined, secondsLeft: undefined })
    await advance(0)
    expect(quoteCount()).toBe(1)
    expect(state()).toMatchObject({
      phase: "ready",
      secondsLeft: 30,
      status: "success",
      error: null,
      isFetching: false
    })
    expect(state().data?.output).toBe(10_000_000n)
    await advance(1_000)
    expect(state().secondsLeft).toBe(29)
    await advance(9_000)
    expect(state().secondsLeft).toBe(20)
    expect(quoteCount()).toBe(1)
  })

  it("removes a quote after 30 seconds, even without a new one", async () => {
    const { quoteCount, service, state } = quoting({ query: { refetchInterval: false } })
    await advance(0)
    await advance(29_900)
    expect(state()).toMatchObject({ phase: "ready", secondsLeft: 1 })
    await advance(100)
    expect(state()).toMatchObject({
      phase: "expired",
      data: undefined,
      secondsLeft: 0,
      status: "pending",
      isPending: true,
      isSuccess: false,
      dataUpdatedAt: 0
    })
    await advance(60_000)
    expect(quoteCount()).toBe(1)
    service.next("quote", Fault.delay(500))
    act(() => state().refresh())
    await advance(0)
    expect(state()).toMatchObject({ phase: "loading", isLoading: true, isRefetching: false })
    await advance(500)
    expect(state()).toMatchObject({ phase: "ready", secondsLeft: 30 })
  })

  it("refreshes a quote before it expires, with one request at a time", async () => {
    const { quoteCount, service, state, traffic } = quoting()
    await advance(0)
    service.price(9_000)
    await advance(24_000)
    expect(quoteCount()).toBe(1)
    await advance(1_000)
    expect(quoteCount()).toBe(2)
    expect(state().data?.output).toBe(9_000_000n)
    expect(state().secondsLeft).toBe(30)
    await advance(50_000)
    expect(quoteCount()).toBe(4)
    expect(traffic("quote").max).toBe(1)
  })

  it("refreshes as often as refetchInterval says", async () => {
    const { quoteCount } = quoting({ query: { refetchInterval: 10_000 } })
    await advance(0)
    await advance(11_000)
    expect(quoteCount()).toBe(2)
  })

  it("refreshes a quote when it expires, even if refetchInterval is longer", async () => {
    const { quoteCount, state } = quoting({ query: { refetchInterval: 600_000 } })
    await advance(0)
    await advance(30_000)
    expect(quoteCount()).toBe(2)
    expect(state()).toMatchObject({ phase: "ready", secondsLeft: 30 })
  })

  it("requests a quote on `refresh`, unless a request is in flight", async () => {
    const { quoteCount, service, state, traffic } = quoting()
    service.next("quote", Fault.delay(500))
    await advance(0)
    act(() => state().refresh())
    act(() => state().refresh())
    await advance(600)
    expect(quoteCount()).toBe(1)
    service.next("quote", Fault.delay(500))
    act(() => state().refresh())
    await advance(0)
    act(() => state().refresh())
    await advance(600)
    expect(quoteCount()).toBe(2)
    expect(traffic("quote")).toMatchObject({ max: 1, aborted: 0 })
  })

  it("expires a quote by the wall clock too, since the monotonic clock may stop during sleep", async () => {
    const { quoteCount, state } = quoting({ query: { refetchInterval: false } })
    await advance(0)
    vi.setSystemTime(Date.now() + 31_000)
    await advance(1_000)
    expect(state()).toMatchObject({ phase: "expired", data: undefined, secondsLeft: 0 })
    expect(quoteCount()).toBe(1)
  })

  it("does not extend a quote when the wall clock is set back", async () => {
    const { state } = quoting({ query: { refetchInterval: false } })
    await advance(0)
    vi.setSystemTime(Date.now() - 3_600_000)
    await advance(10_000)
    expect(state().secondsLeft).toBe(20)
    await advance(20_000)
    expect(state().data).toBeUndefined()
  })

  it("requests a quote immediately after the machine slept", async () => {
    const { quoteCount, state } = quoting()
    await advance(0)
    vi.setSystemTime(Date.now() + 3_600_000)
    await advance(1_000)
    expect(quoteCount()).toBe(2)
    expect(state()).toMatchObject({ phase: "ready", secondsLeft: 30 })
  })
})

describe("useQuote as a query", () => {
  it("selects from the quote and returns nothing once the quote has expired", async () => {
    const { client } = scriptedClient()
    const { result } = renderPage(
      () => useQuote(evmRequest, { query: { refetchInterval: false, select: ({ output }) => output } }),
      { client },
      undefined
    )
    await advance(0)
    expect(result.current).toMatchObject({ status: "success", data: 10_000_000n, secondsLeft: 30 })
    await advance(30_000)
    expect(result.current).toMatchObject({ status: "pending", data: undefined, secondsLeft: 0 })
  })

  it("returns no quote for another request if `select` throws", async () => {
    const { client } = scriptedClient()
    const bug = new Error("a bug")
    const select = ({ output }: Quote) => {
      if (output === 20_000_000n) throw bug
      return output
    }
    const initial: { readonly request: QuoteInput } = { request: evmRequest }
    const { rerender, result } = renderPage(
      ({ request }: typeof initial) => useQuote(request, { query: { select } }),
      { client },
      initial
    )
    await advance(0)
    expect(result.current.data).toBe(10_000_000n)
    rerender({ request: other })
    await advance(300)
    expect(result.current).toMatchObject({ status: "error", phase: "error", error: bug, data: undefined })
  })

  it("resolves a refetch with the new quote, or with the error and no quote", async () => {
    const { service, state } = quoting({ query: { refetchInterval: false } })
    await advance(0)
    const next = state().refetch()
    await advance(0)
    expect(await next).toMatchObject({ status: "success", data: { output: 10_000_000n } })
    service.always("quote", Fault.refuse(422, "NO_ROUTE"))
    const failed = state().refetch()
    await advance(0)
    expect(await failed).toMatchObject({ status: "error", data: undefined, error: { _tag: "NoRoute" } })
  })

  it("does not cache or persist a quote, whatever the options", async () => {
    const persister = () => {
      throw new Error("A quote must not be persisted.")
    }
    const unsafe = {
      enabled: true,
      gcTime: Infinity,
      persister,
      placeholderData: keepPreviousData,
      structuralSharing: true
    }
    const cache = new QueryClient()
    const { rerender, state, unmount } = quoting({ query: unsafe }, scriptedClient(), cache)
    await advance(0)
    const token = state().data?.geoQuoteToken ?? "no token"
    const dehydrated = dehydrate(cache, { shouldDehydrateQuery: () => true })
    expect(dehydrated.queries).not.toEqual([])
    expect(JSON.stringify(dehydrated)).not.toContain(token)
    expect(structuredClone(dehydrated.queries.map(({ state }) => state.data))).not.toHaveProperty("0.quote")
    rerender({ request: other })
    expect(state().data).toBeUndefined()
    unmount()
    await advance(0)
    expect(cache.getQueryCache().getAll()).toEqual([])
  })

  it("retries as often as `retry` says", async () => {
    const fixture = scriptedClient()
    fixture.service.always("quote", Fault.unavailable())
    const { quoteCount, state } = quoting({ query: { retry: 1, retryDelay: 100 } }, fixture)
    await advance(60_000)
    expect(quoteCount()).toBe(2)
    expect(state()).toMatchObject({ status: "error", phase: "error", failureCount: 2, error: { _tag: "Unavailable" } })
  })
})

describe("useQuote with a changed request", () => {
  it("removes the old quote immediately and debounces the new request", async () => {
    const { quoteCount, rerender, state } = quoting()
    await advance(0)
    rerender({ request: other })
    expect(state()).toMatchObject({ phase: "loading", data: undefined, secondsLeft: undefined })
    await advance(200)
    rerender({ request: { ...other, amount: 30_000_000n } })
    await advance(200)
    expect(quoteCount()).toBe(1)
    await advance(100)
    expect(quoteCount()).toBe(2)
    expect(state().data?.output).toBe(30_000_000n)
  })

  it("treats an equal request as unchanged", async () => {
    const { quoteCount, rerender, state } = quoting()
    await advance(0)
    rerender({ request: { ...evmRequest, amount: "10000000" } })
    expect(state().phase).toBe("ready")
    await advance(1_000)
    expect(quoteCount()).toBe(1)
  })

  it("aborts the request in flight", async () => {
    const { rerender, service, traffic } = quoting()
    service.next("quote", Fault.hang())
    await advance(0)
    expect(traffic("quote").now).toBe(1)
    rerender({ request: other })
    await advance(0)
    expect(traffic("quote")).toMatchObject({ now: 0, aborted: 1 })
  })

  it("requests a quote again for an earlier request", async () => {
    const { quoteCount, rerender, service, state } = quoting()
    await advance(0)
    rerender({ request: other })
    await advance(300)
    service.price(5_000)
    rerender({ request: evmRequest })
    expect(state().data).toBeUndefined()
    await advance(250)
    expect(quoteCount()).toBe(2)
    await advance(50)
    expect(state().data?.output).toBe(5_000_000n)
  })

  it("does not show the old quote, whatever the defaults of the QueryClient", async () => {
    const cache = new QueryClient({
      defaultOptions: {
        queries: {
          placeholderData: keepPreviousData,
          staleTime: Infinity,
          gcTime: Infinity,
          retry: 3,
          refetchOnMount: false,
          refetchOnWindowFocus: false,
          networkMode: "offlineFirst",
          persister: async () => {
            throw new Error("A quote must not be persisted.")
          }
        }
      }
    })
    const { quoteCount, rerender, state, unmount, ...fixture } = quoting({}, scriptedClient(), cache)
    await advance(0)
    rerender({ request: other })
    expect(state().data).toBeUndefined()
    await advance(300)
    expect(state().data?.output).toBe(20_000_000n)
    await advance(25_000)
    expect(quoteCount()).toBe(3)
    unmount()
    await advance(0)
    expect(cache.getQueryCache().getAll()).toEqual([])
    const again = quoting({}, { ...fixture, quoteCount }, cache)
    expect(again.state().data).toBeUndefined()
  })
})

describe("useQuote in two components", () => {
  it("returns a separate quote to each, even for the same request", async () => {
    const cache = new QueryClient()
    const fixture = scriptedClient()
    const first = quoting({}, fixture, cache)
    const second = quoting({}, fixture, cache)
    await advance(0)
    expect(fixture.quoteCount()).toBe(2)
    expect(first.state().data?.geoQuoteToken).not.toBe(second.state().data?.geoQuoteToken)
  })
})

describe("useQuote without a request, component or visible page", () => {
  it("sends nothing without a request and aborts the request in flight", async () => {
    const { quoteCount, rerender, service, state, traffic } = quoting({ query: { enabled: false } })
    await advance(1_000)
    expect(state()).toMatchObject({ phase: "idle", data: undefined })
    act(() => state().refresh())
    await advance(0)
    expect(quoteCount()).toBe(0)
    service.next("quote", Fault.hang())
    rerender({ request: evmRequest, query: { enabled: true } })
    await advance(300)
    expect(traffic("quote").now).toBe(1)
    rerender({ request: undefined, query: { enabled: true } })
    await advance(60_000)
    expect(traffic("quote")).toMatchObject({ now: 0, aborted: 1 })
    expect(state().phase).toBe("idle")
    expect(quoteCount()).toBe(1)
  })

  it("sends nothing and leaves no timer after the component is unmounted", async () => {
    const { quoteCount, service, traffic, unmount } = quoting()
    await advance(0)
    service.next("quote", Fault.hang())
    await advance(25_000)
    expect(traffic("quote").now).toBe(1)
    unmount()
    await advance(60_000)
    expect(quoteCount()).toBe(2)
    expect(traffic("quote")).toMatchObject({ now: 0, aborted: 1 })
    expect(vi.getTimerCount()).toBe(0)
  })

  it("pauses while the page is hidden and requests a quote when it is shown", async () => {
    const { quoteCount, state } = quoting()
    await advance(0)
    await setVisible(false)
    await advance(120_000)
    expect(quoteCount()).toBe(1)
    expect(state()).toMatchObject({ phase: "expired", data: undefined })
    await setVisible(true)
    await advance(0)
    expect(quoteCount()).toBe(2)
    expect(state()).toMatchObject({ phase: "ready", secondsLeft: 30 })
    await advance(25_000)
    expect(quoteCount()).toBe(3)
  })

  it("delays the first request if the page opens in the background", async () => {
    await setVisible(false)
    const { quoteCount } = quoting()
    await advance(10_000)
    expect(quoteCount()).toBe(0)
    await setVisible(true)
    await advance(0)
    expect(quoteCount()).toBe(1)
  })
})

describe("useQuote after an error", () => {
  it("returns a permanent error and does not retry", async () => {
    const fixture = scriptedClient()
    fixture.service.always("quote", Fault.refuse(422, "NO_ROUTE", "No route."))
    const cache = new QueryClient({ defaultOptions: { queries: { throwOnError: true, retry: 5, retryDelay: 0 } } })
    const { quoteCount, state } = quoting({}, fixture, cache)
    await advance(60_000)
    expect(quoteCount()).toBe(1)
    expect(state()).toMatchObject({ phase: "error", data: undefined, isFetching: false })
    expect(state().error).toMatchObject({ _tag: "NoRoute", code: "NO_ROUTE" })
  })

  it("keeps a valid quote until it expires if the refresh fails", async () => {
    const { quoteCount, service, state } = quoting()
    await advance(0)
    service.always("quote", Fault.refuse(422, "NO_ROUTE"))
    await advance(26_000)
    expect(state()).toMatchObject({ phase: "ready", error: { _tag: "NoRoute" } })
    await advance(10_000)
    expect(state()).toMatchObject({ phase: "error", data: undefined, secondsLeft: 0 })
    expect(quoteCount()).toBe(2)
  })

  it("retries a temporary error with backoff up to 15 seconds and returns it meanwhile", async () => {
    const fixture = scriptedClient()
    fixture.service.always("quote", Fault.unavailable())
    const { service, state } = quoting({}, fixture)
    await advance(61_000)
    expect(state()).toMatchObject({ phase: "error", failureReason: { _tag: "Unavailable" } })
    const times = service.seen("quote").map(({ at }) => at)
    expect(times.slice(1).map((at, index) => Math.round((at - (times[index] ?? 0)) / 1_000))).toEqual([
      1, 2, 4, 8, 15, 15, 15
    ])
    service.always("quote", Fault.pass)
    await advance(16_000)
    expect(state()).toMatchObject({ phase: "ready", error: null })
  })

  it("waits as long as the service says after a rate limit", async () => {
    const fixture = scriptedClient()
    fixture.service.next("quote", Fault.rateLimited(20))
    const { quoteCount, state } = quoting({}, fixture)
    await advance(19_000)
    expect(quoteCount()).toBe(1)
    act(() => state().refresh())
    expect(state()).toMatchObject({ phase: "error", failureReason: { _tag: "RateLimited", retryAfter: 20_000 } })
    await advance(2_000)
    expect(quoteCount()).toBe(2)
    expect(state().phase).toBe("ready")
  })
})
