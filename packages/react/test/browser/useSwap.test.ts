import { createClient, isSwapError } from "@geoswap/core/promise"
import { Fault } from "@geoswap/core/testing"
import { SwapError } from "@geoswap/core"
import { MutationCache, QueryClient } from "@tanstack/react-query"
import { act, cleanup, waitFor } from "@testing-library/react"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { browserJournal, type SwapState, useResumableSwaps, useSwap, useSwapStatus } from "../../src/index.js"
import { pendingQueryOptions } from "../../src/query.js"
import { evmRequest, scriptedClient, type ScriptedOptions } from "../scriptedClient.js"
import { advance, renderPage, stopClock } from "./page.js"

beforeEach(() => localStorage.clear())
afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

/** A component that swaps beside one that lists what was left. */
const swapping = (options: ScriptedOptions = {}, cache = new QueryClient()) => {
  const fixture = scriptedClient({ journal: browserJournal(), ...options })
  const ends: Array<SwapState> = []
  const page = renderPage(
    () => ({ swap: useSwap({ onEnd: (state) => ends.push(state) }), resumable: useResumableSwaps() }),
    { client: fixture.client, cache },
    undefined
  )
  return {
    ...fixture,
    ...page,
    cache,
    ends,
    swap: () => page.result.current.swap,
    left: () => page.result.current.resumable.flows,
    start: (given?: Parameters<SwapStart>[1]) => act(() => page.result.current.swap.start(evmRequest, given)),
    ended: () => waitFor(() => expect(page.result.current.swap.phase).not.toBe("running"))
  }
}
type SwapStart = ReturnType<typeof useSwap>["start"]

const never = () => new Promise<never>(() => {})
const stepsOf = ({ events }: SwapState) => events.map(({ event }) => event.type)
const rejecting = async () => {
  throw new SwapError.SignerError({ reason: "rejected", message: "You said no." })
}

describe("a swap", () => {
  it("is told step by step, to its end", async () => {
    const { client, ended, ends, start, swap } = swapping()
    expect(swap()).toMatchObject({ phase: "idle", canCancel: false, events: [] })
    const before = Date.now()
    start()
    expect(swap()).toMatchObject({ phase: "running", canCancel: true, request: evmRequest })
    await ended()
    expect(swap()).toMatchObject({ phase: "done", canCancel: false, swap: { status: "settled" } })
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
    for (const { at } of swap().events) expect(at).toBeGreaterThanOrEqual(before)
    expect(ends.map(({ phase }) => phase)).toEqual(["done"])
    expect(await client.pending()).toEqual([])
    act(() => swap().reset())
    expect(swap()).toMatchObject({ phase: "idle", events: [], swap: undefined })
  })

  it("begins with the quote that it is given", async () => {
    const { quoteCount, client, ended, start, swap } = swapping()
    const quote = await client.quote(evmRequest)
    start({ quote })
    await ended()
    expect(swap().phase).toBe("done")
    expect(quoteCount()).toBe(1)
  })

  it("is refused while another one runs in the same place", async () => {
    const { service, start, swap } = swapping({ signer: { signOperation: never } })
    start()
    expect(() => swap().start(evmRequest)).toThrow("A swap is running here")
    expect(() => swap().resume("any")).toThrow("A swap is running here")
    expect(() => swap().reset()).toThrow("A swap is running here")
    await waitFor(() => expect(stepsOf(swap())).toContain("verified"))
    expect(service.seen("quote")).toHaveLength(1)
    act(() => swap().cancel())
  })

  it("that ends refunded is done, not failed", async () => {
    const { ended, service, start, swap } = swapping()
    service.ends("refunded", 5)
    start()
    await ended()
    expect(swap()).toMatchObject({ phase: "done", swap: { status: "refunded" }, error: undefined })
  })

  it("is made once, whatever the defaults of the cache are", async () => {
    const cache = new QueryClient({ defaultOptions: { mutations: { retry: 3, retryDelay: 0, networkMode: "online" } } })
    const { ended, service, start, swap } = swapping({ signer: { signOperation: rejecting } }, cache)
    start()
    await ended()
    expect(swap().phase).toBe("failed")
    expect(service.seen("quote")).toHaveLength(1)
    expect(cache.getMutationCache().getAll()).toEqual([])
  })

  it.each([
    [
      "throws",
      () => {
        throw new Error("a bug")
      }
    ],
    ["rejects", async () => Promise.reject(new Error("a bug"))]
  ])("goes on where a listener %s, which is reported", async (_, listener) => {
    const report = vi.spyOn(console, "error").mockImplementation(() => undefined)
    const { client } = scriptedClient()
    const { result } = renderPage(() => useSwap({ onProgress: listener, onEnd: listener }), { client }, undefined)
    act(() => result.current.start(evmRequest))
    await waitFor(() => expect(result.current.phase).toBe("done"))
    await waitFor(() => expect(report.mock.calls.length).toBe(result.current.events.length + 1))
    for (const call of report.mock.calls) {
      expect(call).toEqual(["A listener of a swap failed; the swap continues.", new Error("a bug")])
    }
    report.mockRestore()
  })

  it("goes on without its component, which is told of the end", async () => {
    stopClock()
    const { client, ends, service, start, swap, unmount } = swapping({ duration: 30_000 })
    start()
    await advance(0)
    expect(stepsOf(swap())).toContain("submitted")
    unmount()
    await advance(20_000)
    expect(await client.pending()).toHaveLength(1)
    await advance(10_000)
    expect(ends).toMatchObject([{ phase: "done", swap: { status: "settled" } }])
    expect(await client.pending()).toEqual([])
    const { length } = service.requests
    await advance(120_000)
    expect(service.requests).toHaveLength(length)
  })
})

describe("a swap that fails", () => {
  it("tells the wallet's refusal by its tag and reason", async () => {
    const { client, ended, ends, left, start, swap } = swapping({ signer: { signOperation: rejecting } })
    start()
    await ended()
    const { error } = swap()
    if (!isSwapError(error) || error._tag !== "SignerError") throw new Error("not SignerError")
    expect(error.reason).toBe("rejected")
    expect(swap()).toMatchObject({ phase: "failed", canCancel: false, flowId: undefined, resumable: undefined })
    expect(ends).toHaveLength(1)
    expect(await client.pending()).toEqual([])
    expect(left()).toEqual([])
  })

  it("without a known outcome can be resumed", async () => {
    const { ended, left, result, service, start, swap } = swapping({ settings: { submitAttempts: 2 } })
    service.always("submit", Fault.disconnect({ after: true }))
    start()
    await ended()
    expect(swap()).toMatchObject({ phase: "failed", error: { _tag: "OutcomeUnknown", retry: "resume" } })
    expect(swap().resumable).toBe(swap().flowId)
    await waitFor(() => expect(left().map(({ id }) => id)).toEqual([swap().resumable]))
    service.always("submit", Fault.pass)
    // Starting over could be a second swap.
    expect(() => swap().start(evmRequest)).toThrow("resume it, or call reset() to leave it")
    act(() => swap().resume(swap().resumable ?? ""))
    expect(swap()).toMatchObject({ phase: "running", canCancel: false, resumable: undefined })
    await ended()
    expect(swap()).toMatchObject({ phase: "done", request: { amount: evmRequest.amount }, swap: { status: "settled" } })
    expect(service.swaps).toHaveLength(1)
    await waitFor(() => expect(result.current.resumable.flows).toEqual([]))
  })

  it("because it takes too long can be resumed", async () => {
    const { ended, left, service, start, swap } = swapping()
    service.ends("never")
    start({ timeout: 50 })
    await ended()
    expect(swap()).toMatchObject({ phase: "failed", error: { _tag: "WaitTimeout", retry: "resume" } })
    await waitFor(() => expect(left().map(({ id }) => id)).toEqual([swap().resumable]))
    expect(() => swap().start(evmRequest)).toThrow("resume it, or call reset() to leave it")
    act(() => swap().reset())
    expect(swap()).toMatchObject({ phase: "idle", resumable: undefined })
  })

  it("with somebody else's error passes that on", async () => {
    const client = createClient({ transport: { send: never } })
    const bug = new TypeError("a bug")
    const { result } = renderPage(
      () => useSwap(),
      { client: { ...client, execute: () => Promise.reject(bug) } },
      undefined
    )
    act(() => result.current.start(evmRequest))
    await waitFor(() => expect(result.current.error).toBe(bug))
    expect(result.current.phase).toBe("failed")
  })

  it("before it begins, in a callback of the cache, sends nothing", async () => {
    const onMutate = () => {
      throw new Error("not today")
    }
    const cache = new QueryClient({ mutationCache: new MutationCache({ onMutate }) })
    const { ended, service, start, swap } = swapping({}, cache)
    start()
    await ended()
    expect(swap()).toMatchObject({ phase: "failed", error: { message: "not today" } })
    expect(service.requests).toEqual([])
  })
})

describe("cancelling", () => {
  it("before anything is signed means that nothing happens", async () => {
    const { client, ended, ends, service, start, swap } = swapping({ signer: { signOperation: never } })
    start()
    await waitFor(() => expect(stepsOf(swap())).toContain("verified"))
    expect(swap().canCancel).toBe(true)
    act(() => swap().cancel())
    await ended()
    expect(swap()).toMatchObject({ phase: "cancelled", flowId: undefined, error: undefined, canCancel: false })
    expect(ends).toEqual([expect.objectContaining({ phase: "cancelled", canCancel: false })])
    expect(service.seen("submit")).toEqual([])
    expect(await client.pending()).toEqual([])
  })

  it("after the swap was submitted only stops watching it", async () => {
    const { ended, left, service, start, swap } = swapping({ duration: 60_000 })
    start()
    await waitFor(() => expect(stepsOf(swap())).toContain("submitted"))
    expect(swap().canCancel).toBe(false)
    expect(left()).toEqual([])
    act(() => swap().cancel())
    await ended()
    expect(swap().phase).toBe("cancelled")
    expect(swap().resumable).toBeDefined()
    await waitFor(() => expect(left().map(({ id }) => id)).toEqual([swap().resumable]))
    service.ends("settled", 0)
  })

  it("while the swap is being submitted tells what to resume", async () => {
    const { ended, service, start, swap } = swapping()
    service.next("submit", Fault.hang({ after: true }))
    start()
    await waitFor(() => expect(service.seen("submit")).toHaveLength(1))
    expect(swap().canCancel).toBe(false)
    act(() => swap().cancel())
    await ended()
    const { flowId = "" } = swap()
    expect(swap()).toMatchObject({ phase: "cancelled", resumable: flowId })
    act(() => swap().resume(flowId))
    await ended()
    expect(swap()).toMatchObject({ phase: "done", flowId, swap: { status: "settled" } })
    expect(service.swaps).toHaveLength(1)
  })
})

describe("the list of what was left", () => {
  it("leaves out what runs in this page, also where it is read meanwhile", async () => {
    const { cache, client, hold, left, start, swap } = swapping()
    const release = hold("submit")
    const other = renderPage(() => useResumableSwaps(), { client, cache }, undefined)
    start()
    await waitFor(async () => expect(await client.pending()).toHaveLength(1))
    await act(() => cache.refetchQueries({ queryKey: pendingQueryOptions(client).queryKey }))
    expect(left()).toEqual([])
    expect(other.result.current.flows).toEqual([])
    release()
    await waitFor(() => expect(swap().phase).toBe("done"))
    expect(other.result.current.flows).toEqual([])
  })

  it("keeps what was left before, also while a swap for the same request runs", async () => {
    const { cache, client, ended, hold, left, service, start, swap } = swapping({ settings: { submitAttempts: 1 } })
    service.next("submit", Fault.disconnect())
    start()
    await ended()
    const { flowId } = swap()
    const release = hold("submit")
    act(() => swap().reset())
    start()
    await waitFor(async () => expect(await client.pending()).toHaveLength(2))
    await act(() => cache.refetchQueries({ queryKey: pendingQueryOptions(client).queryKey }))
    expect(left().map(({ id }) => id)).toEqual([flowId])
    release()
    await ended()
    await waitFor(() => expect(left().map(({ id }) => id)).toEqual([flowId]))
  })

  it("leaves out a resumed flow, and another one for the same request stays", async () => {
    const fixture = scriptedClient({ duration: 60_000, journal: browserJournal() })
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
    await waitFor(() => expect(result.current.flows).toHaveLength(2))
    const [first, second] = result.current.flows.map(({ id }) => id)
    act(() => result.current.swap.resume(first ?? ""))
    await waitFor(() => expect(result.current.flows.map(({ id }) => id)).toEqual([second]))
    act(() => result.current.swap.cancel())
    await waitFor(() => expect(result.current.flows).toHaveLength(2))
    await act(() => result.current.forget(first ?? ""))
    await waitFor(() => expect(result.current.flows.map(({ id }) => id)).toEqual([second]))
    expect((await fixture.client.pending()).map(({ id }) => id)).toEqual([second])
  })

  it("notices what another tab does", async () => {
    const { client } = scriptedClient({ journal: browserJournal() })
    const { result } = renderPage(() => useResumableSwaps(), { client }, undefined)
    await waitFor(() => expect(result.current.isLoading).toBe(false))
    const tab = document.body.appendChild(document.createElement("iframe"))
    const flow = {
      id: "from-a-tab",
      createdAt: 1,
      request: { ...evmRequest, amount: "5" },
      output: "5",
      submission: { kind: "evm", geoOpToken: "token", signature: "0x" }
    }
    tab.contentWindow?.localStorage.setItem("geoswap.flow.from-a-tab", JSON.stringify(flow))
    await waitFor(() => expect(result.current.flows.map(({ id }) => id)).toEqual(["from-a-tab"]))
    tab.remove()
  })

  it("tells why the journal cannot be read", async () => {
    localStorage.setItem("geoswap.flow.damaged", "{}")
    const { client } = scriptedClient({ journal: browserJournal() })
    const { result } = renderPage(() => useResumableSwaps(), { client }, undefined)
    await waitFor(() => expect(result.current.error?._tag).toBe("JournalError"))
    expect(result.current.flows).toEqual([])
  })
})

describe("the status of a swap", () => {
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

  it("is followed to the end", async () => {
    const { client, polled, swapId } = await submitted(30_000)
    const { rerender, result } = renderPage(
      ({ id }) => useSwapStatus(id),
      { client },
      { id: undefined as string | undefined }
    )
    expect(result.current).toEqual({ swap: undefined, error: null, isLoading: false })
    rerender({ id: swapId })
    expect(result.current.isLoading).toBe(true)
    await advance(20_000)
    expect(result.current).toMatchObject({ swap: { status: "pending" }, isLoading: false })
    await advance(10_000)
    expect(result.current.swap?.status).toBe("settled")
    const count = polled()
    await advance(120_000)
    expect(polled()).toBe(count)
  })

  it("is asked no more when the component is gone", async () => {
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

  it("that the service does not know is an error", async () => {
    const { client } = scriptedClient()
    const { result } = renderPage(() => useSwapStatus("unknown"), { client }, undefined)
    await advance(0)
    expect(result.current.error?._tag).toBe("Rejected")
  })
})
