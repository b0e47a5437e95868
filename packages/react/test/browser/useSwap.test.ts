import { createClient, type ExecuteOptions, isSwapError, storageStore } from "@geoswap/core/promise"
import { Fault } from "@geoswap/core/testing"
import { Store, SwapError } from "@geoswap/core"
import * as Effect from "effect/Effect"
import { MutationCache, QueryClient } from "@tanstack/react-query"
import { act, cleanup, waitFor } from "@testing-library/react"
import { useEffect } from "react"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { browserStore, type UseSwapResult, useResumableSwaps, useSwap, useSwapStatus } from "../../src/index.js"
import { pendingQueryOptions } from "../../src/query.js"
import { evmRequest, scriptedClient, type ScriptedOptions } from "../scriptedClient.js"
import { advance, renderPage, stopClock } from "./page.js"

beforeEach(() => localStorage.clear())
afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

/** Renders a component that swaps and one that lists resumable swaps. */
const swapping = (options: ScriptedOptions = {}, cache = new QueryClient()) => {
  const fixture = scriptedClient({ store: browserStore(), ...options })
  const results: Array<unknown> = []
  const page = renderPage(
    () => ({
      swap: useSwap({ onSettled: (swap, error) => results.push(swap?.status ?? error) }),
      resumable: useResumableSwaps()
    }),
    { client: fixture.client, cache },
    undefined
  )
  return {
    ...fixture,
    ...page,
    cache,
    results,
    swap: () => page.result.current.swap,
    flows: () => page.result.current.resumable.data,
    start: (options?: ExecuteOptions) =>
      act(() => void page.result.current.swap.mutate({ request: evmRequest, ...options })),
    ended: () => waitFor(() => expect(page.result.current.swap.isPending).toBe(false))
  }
}

const never = () => new Promise<never>(() => {})
const stepsOf = ({ events }: UseSwapResult) => events.map(({ event }) => event.type)
const rejecting = async () => {
  throw new SwapError.SignerError({ reason: "rejected", message: "Cancelled." })
}

describe("useSwap", () => {
  it("returns the events of a swap until it ends", async () => {
    const { client, ended, results, start, swap } = swapping()
    expect(swap()).toMatchObject({ status: "idle", canCancel: false, events: [], steps: [] })
    const before = Date.now()
    start()
    expect(swap()).toMatchObject({ status: "pending", canCancel: true, request: evmRequest })
    await ended()
    expect(swap()).toMatchObject({ status: "success", canCancel: false, swap: { status: "settled" } })
    expect(swap().flowId).toBeDefined()
    expect(stepsOf(swap())).toEqual([
      "quoted",
      "authorizing",
      "built",
      "verified",
      "signed",
      "submitted",
      "status",
      "done"
    ])
    expect(swap().steps.map(({ name, state }) => `${name} ${state}`)).toContain("delivery done")
    for (const { at } of swap().events) expect(at).toBeGreaterThanOrEqual(before)
    expect(results).toEqual(["settled"])
    expect(await client.pending()).toEqual([])
    act(() => swap().reset())
    expect(swap()).toMatchObject({ status: "idle", events: [], swap: undefined })
  })

  it("starts with the given quote", async () => {
    const { quoteCount, client, ended, start, swap } = swapping()
    const quote = await client.quote(evmRequest)
    start({ quote })
    await ended()
    expect(swap().status).toBe("success")
    expect(quoteCount()).toBe(1)
  })

  it("ignores mutate and reset while a swap is running, and returns the reason", async () => {
    const { ended, results, service, start, swap } = swapping({ signer: { signOperation: never } })
    start()
    const running = swap()
    act(() => {
      expect(swap().mutate({ request: { ...evmRequest, amount: 1n } })).toEqual({ started: false, reason: "running" })
      expect(swap().mutate({ flowId: "any" })).toEqual({ started: false, reason: "running" })
      swap().reset()
    })
    await expect(swap().mutateAsync({ request: evmRequest })).rejects.toThrow("A swap is running in this component.")
    expect(swap()).toEqual(running)
    await waitFor(() => expect(stepsOf(swap())).toContain("verified"))
    expect(service.seen("quote").map(({ body }) => body)).toMatchObject([{ amount: String(evmRequest.amount) }])
    act(() => swap().cancel())
    await ended()
    expect(results).toMatchObject([{ name: "AbortError" }])
  })

  it("starts one swap if mutate is called twice in a row", async () => {
    const { ended, service, swap } = swapping()
    act(() => {
      const { mutate } = swap()
      expect(mutate({ request: evmRequest })).toEqual({ started: true })
      expect(mutate({ request: evmRequest })).toEqual({ started: false, reason: "running" })
    })
    await ended()
    expect(swap().status).toBe("success")
    expect(service.swaps).toHaveLength(1)
  })

  it("follows a swap that an effect starts before strict mode subscribes again", async () => {
    const { client, service } = scriptedClient()
    const useSwapOnMount = () => {
      const swap = useSwap()
      const { mutate } = swap
      useEffect(() => void mutate({ request: evmRequest }), [mutate])
      return swap
    }
    const { result } = renderPage(useSwapOnMount, { client }, undefined)
    await waitFor(() => expect(result.current.status).toBe("success"))
    expect(service.swaps).toHaveLength(1)
  })

  it("reports a refunded swap as a success, not an error", async () => {
    const { ended, service, start, swap } = swapping()
    service.ends("refunded", 5)
    start()
    await ended()
    expect(swap()).toMatchObject({ status: "success", swap: { status: "refunded" }, error: null })
    // Without readers, the refund is only claimed, so the flow can still be resumed.
    expect(swap().resumable).toBe(swap().flowId)
  })

  it("makes a swap once, whatever the defaults of the QueryClient", async () => {
    const cache = new QueryClient({ defaultOptions: { mutations: { retry: 3, retryDelay: 0, networkMode: "online" } } })
    const { ended, service, start, swap } = swapping({ signer: { signOperation: rejecting } }, cache)
    start()
    await ended()
    expect(swap().status).toBe("error")
    expect(service.seen("quote")).toHaveLength(1)
  })

  it.each([
    [
      "throws",
      () => {
        throw new Error("a bug")
      }
    ],
    ["rejects", async () => Promise.reject(new Error("a bug"))]
  ])("continues and logs the error if a listener %s", async (_, listener) => {
    const report = vi.spyOn(console, "error").mockImplementation(() => undefined)
    const { client } = scriptedClient()
    const { result } = renderPage(() => useSwap({ onSuccess: listener, onSettled: listener }), { client }, undefined)
    act(() => void result.current.mutate({ request: evmRequest }))
    await waitFor(() => expect(result.current.status).toBe("success"))
    await waitFor(() => expect(report).toHaveBeenCalledTimes(2))
    for (const call of report.mock.calls) {
      expect(call).toEqual(["A swap listener failed; the swap continues.", new Error("a bug")])
    }
    report.mockRestore()
  })

  it("continues after the component is unmounted and calls onSettled", async () => {
    stopClock()
    const { client, results, service, start, swap, unmount } = swapping({ duration: 30_000 })
    start()
    // Web Locks are granted in real time.
    for (let turns = 0; turns < 50 && !stepsOf(swap()).includes("submitted"); turns++) await advance(0)
    expect(stepsOf(swap())).toContain("submitted")
    unmount()
    await advance(20_000)
    expect(await client.pending()).toHaveLength(1)
    await advance(10_000)
    for (let turns = 0; turns < 50 && results.length === 0; turns++) await advance(0)
    expect(results).toEqual(["settled"])
    expect(await client.pending()).toEqual([])
    const { length } = service.requests
    await advance(120_000)
    expect(service.requests).toHaveLength(length)
  })
})

describe("useSwap after a failure", () => {
  it("returns a rejected signature with its tag and reason", async () => {
    const { client, ended, results, flows, start, swap } = swapping({ signer: { signOperation: rejecting } })
    start()
    await ended()
    const { error } = swap()
    if (!isSwapError(error) || error._tag !== "SignerError") throw new Error("not SignerError")
    expect(error.reason).toBe("rejected")
    expect(swap()).toMatchObject({
      status: "error",
      isCancelled: false,
      canCancel: false,
      flowId: undefined,
      resumable: undefined
    })
    expect(results).toHaveLength(1)
    expect(await client.pending()).toEqual([])
    expect(flows()).toEqual([])
  })

  it("can resume a swap whose outcome is unknown", async () => {
    const { ended, flows, result, service, start, swap } = swapping({ settings: { submitAttempts: 2 } })
    service.always("submit", Fault.disconnect({ after: true }))
    start()
    await ended()
    expect(swap()).toMatchObject({
      status: "error",
      isCancelled: false,
      error: { _tag: "OutcomeUnknown", retry: "resume" }
    })
    expect(swap().resumable).toBe(swap().flowId)
    expect(swap().steps).toContainEqual({ name: "submit", state: "unknown", txHash: undefined })
    await waitFor(() => expect(flows()?.map(({ id }) => id)).toEqual([swap().resumable]))
    service.always("submit", Fault.pass)
    // Starting over could make a second swap.
    expect(swap().mutate({ request: evmRequest })).toEqual({ started: false, reason: "resumable" })
    await expect(swap().mutateAsync({ request: evmRequest })).rejects.toThrow("Resume it, or call reset")
    act(() => expect(swap().mutate({ flowId: swap().resumable ?? "" })).toEqual({ started: true }))
    expect(swap()).toMatchObject({ status: "pending", canCancel: false, resumable: undefined })
    expect(swap().steps).toContainEqual({ name: "submit", state: "running", txHash: undefined })
    await ended()
    expect(swap()).toMatchObject({
      status: "success",
      request: { amount: evmRequest.amount },
      swap: { status: "settled" }
    })
    expect(service.swaps).toHaveLength(1)
    await waitFor(() => expect(result.current.resumable.data).toEqual([]))
  })

  it("can resume a swap that timed out", async () => {
    const { ended, flows, service, start, swap } = swapping()
    service.ends("never")
    start({ timeout: 50 })
    await ended()
    expect(swap()).toMatchObject({
      status: "error",
      isCancelled: false,
      error: { _tag: "WaitTimeout", retry: "resume" }
    })
    await waitFor(() => expect(flows()?.map(({ id }) => id)).toEqual([swap().resumable]))
    expect(swap().mutate({ request: evmRequest })).toEqual({ started: false, reason: "resumable" })
    act(() => swap().reset())
    expect(swap()).toMatchObject({ status: "idle", resumable: undefined })
  })

  it("returns any other error unchanged", async () => {
    const client = createClient({ transport: { send: never } })
    const bug = new TypeError("a bug")
    const { result } = renderPage(
      () => useSwap(),
      { client: { ...client, execute: () => Promise.reject(bug) } },
      undefined
    )
    act(() => void result.current.mutate({ request: evmRequest }))
    await waitFor(() => expect(result.current.error).toBe(bug))
    expect(result.current.status).toBe("error")
  })

  it("sends nothing if a callback of the cache throws before the start", async () => {
    const onMutate = () => {
      throw new Error("not today")
    }
    const cache = new QueryClient({ mutationCache: new MutationCache({ onMutate }) })
    const { ended, service, start, swap } = swapping({}, cache)
    start()
    await ended()
    expect(swap()).toMatchObject({ status: "error", isCancelled: false, error: { message: "not today" } })
    expect(service.requests).toEqual([])
  })

  it("reports how the swap ended if a callback of the cache throws afterwards", async () => {
    const onSuccess = () => {
      throw new Error("not today")
    }
    const { ended, start, swap } = swapping({}, new QueryClient({ mutationCache: new MutationCache({ onSuccess }) }))
    start()
    await ended()
    expect(swap()).toMatchObject({ status: "success", isError: false, error: null, data: { status: "settled" } })
  })
})

describe("useSwap cancel", () => {
  it("stops the swap before anything is signed", async () => {
    const { client, ended, results, service, start, swap } = swapping({ signer: { signOperation: never } })
    start()
    await waitFor(() => expect(stepsOf(swap())).toContain("verified"))
    expect(swap().canCancel).toBe(true)
    act(() => swap().cancel())
    await ended()
    expect(swap()).toMatchObject({
      isCancelled: true,
      flowId: undefined,
      canCancel: false,
      error: { name: "AbortError" }
    })
    expect(results).toMatchObject([{ name: "AbortError" }])
    expect(service.seen("submit")).toEqual([])
    expect(await client.pending()).toEqual([])
  })

  it("only stops watching after the swap was submitted", async () => {
    const { ended, flows, service, start, swap } = swapping({ duration: 60_000 })
    start()
    await waitFor(() => expect(stepsOf(swap())).toContain("submitted"))
    expect(swap().canCancel).toBe(false)
    expect(flows()).toEqual([])
    act(() => swap().cancel())
    await ended()
    expect(swap().isCancelled).toBe(true)
    expect(swap().resumable).toBeDefined()
    await waitFor(() => expect(flows()?.map(({ id }) => id)).toEqual([swap().resumable]))
    service.ends("settled", 0)
  })

  it("returns the flow to resume while the swap is being submitted", async () => {
    const { ended, service, start, swap } = swapping()
    service.next("submit", Fault.hang({ after: true }))
    start()
    await waitFor(() => expect(service.seen("submit")).toHaveLength(1))
    expect(swap().canCancel).toBe(false)
    act(() => swap().cancel())
    await ended()
    const { flowId = "" } = swap()
    expect(swap()).toMatchObject({ isCancelled: true, resumable: flowId })
    act(() => void swap().mutate({ flowId }))
    await ended()
    expect(swap()).toMatchObject({ status: "success", flowId, swap: { status: "settled" } })
    expect(service.swaps).toHaveLength(1)
  })
})

describe("useResumableSwaps", () => {
  it("leaves out swaps that are running in this page, even if it is refetched meanwhile", async () => {
    const { cache, client, hold, flows, start, swap } = swapping()
    const release = hold("submit")
    const other = renderPage(() => useResumableSwaps(), { client, cache }, undefined)
    start()
    await waitFor(async () => expect(await client.pending()).toHaveLength(1))
    await act(() => cache.refetchQueries({ queryKey: pendingQueryOptions(client).queryKey }))
    expect(flows()).toEqual([])
    expect(other.result.current.data).toEqual([])
    release()
    await waitFor(() => expect(swap().status).toBe("success"))
    expect(other.result.current.data).toEqual([])
  })

  it("keeps an earlier flow while a swap for the same request is running", async () => {
    const { cache, client, ended, hold, flows, start, swap } = swapping({ duration: 60_000 })
    start()
    await waitFor(() => expect(swap().swap).toBeDefined())
    act(() => swap().cancel())
    await ended()
    const { flowId } = swap()
    const release = hold("submit")
    act(() => swap().reset())
    start()
    await waitFor(async () => expect(await client.pending()).toHaveLength(2))
    await act(() => cache.refetchQueries({ queryKey: pendingQueryOptions(client).queryKey }))
    expect(flows()?.map(({ id }) => id)).toEqual([flowId])
    release()
    await waitFor(() => expect(swap().swap).toBeDefined())
    act(() => swap().cancel())
    await ended()
    await waitFor(() => expect(flows()).toHaveLength(2))
  })

  it("leaves out a resumed flow and keeps another flow for the same request", async () => {
    const fixture = scriptedClient({ duration: 60_000, store: browserStore() })
    const stop = new AbortController()
    for (let count = 1; count <= 2; count++) {
      fixture.client.execute(evmRequest, { signal: stop.signal }).catch(() => undefined)
      await waitFor(async () => expect(await fixture.client.pending()).toHaveLength(count))
    }
    await waitFor(() => expect(fixture.service.swaps).toHaveLength(2))
    stop.abort()
    const { result } = renderPage(
      () => ({ swap: useSwap(), ...useResumableSwaps() }),
      { client: fixture.client },
      undefined
    )
    await waitFor(() => expect(result.current.data).toHaveLength(2))
    const [first, second] = result.current.data?.map(({ id }) => id) ?? []
    act(() => void result.current.swap.mutate({ flowId: first ?? "" }))
    await waitFor(() => expect(result.current.data?.map(({ id }) => id)).toEqual([second]))
    act(() => result.current.swap.cancel())
    await waitFor(() => expect(result.current.data).toHaveLength(2))
    await act(() => result.current.forget(first ?? ""))
    await waitFor(() => expect(result.current.data?.map(({ id }) => id)).toEqual([second]))
    expect((await fixture.client.pending()).map(({ id }) => id)).toEqual([second])
  })

  it("follows changes in another tab", async () => {
    const { client } = scriptedClient({ store: browserStore() })
    const { result } = renderPage(() => useResumableSwaps(), { client }, undefined)
    await waitFor(() => expect(result.current.isLoading).toBe(false))
    const tab = document.body.appendChild(document.createElement("iframe"))
    const flow = {
      id: "from-a-tab",
      state: "signed",
      createdAt: Date.now(),
      request: evmRequest,
      output: 5n,
      submission: { family: "evm", geoOpToken: "token", signature: "0x" }
    } as const
    const texts = new Map<string, string>()
    const written = Store.fromPromise(
      storageStore(
        {
          getItem: (key) => texts.get(key) ?? null,
          setItem: (key, text) => void texts.set(key, text),
          removeItem: (key) => void texts.delete(key),
          keys: () => [...texts.keys()]
        },
        { locks: { request: (_, run) => run() } }
      )
    )
    await Effect.runPromise(
      written.update(evmRequest.walletAddress, (wallet) => [{ ...wallet, flows: [flow] }, undefined])
    )
    for (const [key, text] of texts) tab.contentWindow?.localStorage.setItem(key, text)
    await waitFor(() => expect(result.current.data?.map(({ id }) => id)).toEqual(["from-a-tab"]))
    tab.remove()
  })

  it("returns the error of an unreadable store", async () => {
    localStorage.setItem("geoswap.wallet-damaged", "{}")
    const { client } = scriptedClient({ store: browserStore() })
    const { result } = renderPage(() => useResumableSwaps(), { client }, undefined)
    await waitFor(() => expect(result.current.error?._tag).toBe("StoreError"))
    expect(result.current).toMatchObject({ status: "error", data: undefined })
  })

  it("takes options of TanStack Query", async () => {
    const { client } = scriptedClient({ store: browserStore() })
    const { rerender, result } = renderPage(
      ({ enabled }: { readonly enabled: boolean }) =>
        useResumableSwaps({ query: { enabled, select: (flows) => flows.length } }),
      { client },
      { enabled: false }
    )
    act(() => void window.dispatchEvent(new Event("storage")))
    expect(result.current).toMatchObject({ status: "pending", fetchStatus: "idle", data: undefined })
    rerender({ enabled: true })
    await waitFor(() => expect(result.current.data).toBe(0))
  })
})

describe("useSwapStatus", () => {
  beforeEach(stopClock)

  const submitted = async (duration: number) => {
    const fixture = scriptedClient({ duration })
    const stop = new AbortController()
    const onProgress = ({ type }: { readonly type: string }) => {
      if (type === "submitted") stop.abort()
    }
    const executed = fixture.client.execute(evmRequest, { signal: stop.signal, onProgress }).catch(() => undefined)
    await advance(0)
    await executed
    return {
      ...fixture,
      swapId: fixture.service.swaps[0]?.swapId ?? "",
      polled: () => fixture.service.seen("status").length
    }
  }

  it("follows a swap to its end", async () => {
    const { client, polled, swapId } = await submitted(30_000)
    const { rerender, result } = renderPage(
      ({ id }) => useSwapStatus(id),
      { client },
      { id: undefined as string | undefined }
    )
    expect(result.current).toMatchObject({ data: undefined, error: null, isLoading: false, isEnabled: false })
    rerender({ id: swapId })
    expect(result.current.isLoading).toBe(true)
    await advance(20_000)
    expect(result.current).toMatchObject({ data: { status: "pending" }, isLoading: false, isFetching: true })
    await advance(10_000)
    expect(result.current).toMatchObject({ data: { status: "settled" }, isFetching: false })
    const count = polled()
    await advance(120_000)
    expect(polled()).toBe(count)
  })

  it("stops polling after the component is unmounted", async () => {
    const { client, polled, swapId, traffic } = await submitted(60_000)
    const { unmount } = renderPage(() => useSwapStatus(swapId), { client }, undefined)
    await advance(0)
    expect(traffic("status").now).toBe(1)
    unmount()
    await advance(0)
    expect(traffic("status").now).toBe(0)
    const count = polled()
    await advance(120_000)
    expect(polled()).toBe(count)
  })

  it("returns an error for an unknown swap", async () => {
    const { client } = scriptedClient()
    const { result } = renderPage(() => useSwapStatus("unknown"), { client }, undefined)
    await advance(0)
    expect(result.current.error?._tag).toBe("Rejected")
  })
})
