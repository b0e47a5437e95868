import { Fault } from "@geoswap/core/testing"
import type { Client } from "@geoswap/core/promise"
import {
  dehydrate,
  type DehydratedState,
  HydrationBoundary,
  QueryClient,
  QueryClientProvider
} from "@tanstack/react-query"
import { act, cleanup, render, renderHook, waitFor } from "@testing-library/react"
import * as Effect from "effect/Effect"
import { createElement, type ReactNode } from "react"
import { hydrateRoot } from "react-dom/client"
import { renderToString } from "react-dom/server"
import { afterEach, describe, expect, it } from "vitest"
import {
  GeoswapProvider,
  useChains,
  useDelegation,
  useGeoswap,
  useQuote,
  useSwap,
  useSwapStatus
} from "../../src/index.js"
import {
  chainsQueryOptions,
  delegationQueryOptions,
  deserialize,
  serialize,
  statusQueryOptions
} from "../../src/query.js"
import { evmRequest, scriptedClient } from "../scriptedClient.js"
import { renderPage } from "./page.js"

afterEach(cleanup)

const wallet = { chainId: evmRequest.originChain, walletAddress: evmRequest.walletAddress }

describe("GeoswapProvider", () => {
  it("is required by the hooks", () => {
    expect(() => renderHook(() => useGeoswap())).toThrow("There is no GeoswapProvider above this component.")
  })

  it("passes a changed client to new calls, and a running swap keeps its client", async () => {
    const [first, second] = [scriptedClient(), scriptedClient()]
    first.service.ends("never")
    let swap: ReturnType<typeof useSwap> | undefined
    let quote: ReturnType<typeof useQuote> | undefined
    const Page = () => {
      swap = useSwap()
      quote = useQuote(evmRequest)
      return null
    }
    const cache = new QueryClient()
    const page = (client: Client): ReactNode =>
      createElement(
        QueryClientProvider,
        { client: cache },
        createElement(GeoswapProvider, { client }, createElement(Page))
      )
    const { rerender } = render(page(first.client), { reactStrictMode: true })
    await waitFor(() => expect(quote?.phase).toBe("ready"))
    act(() => void swap?.mutate({ request: evmRequest }))
    // The flow has its id when it is signed, which is before the service accepts it.
    await waitFor(() => expect(first.service.swaps).toHaveLength(1))
    await waitFor(() => expect(swap?.flowId).toBeDefined())
    rerender(page(second.client))
    expect(quote?.data).toBeUndefined()
    await waitFor(() => expect(second.quoteCount()).toBe(1))
    expect(swap?.isPending).toBe(true)
    await Effect.runPromise(first.service.finish(first.service.swaps[0]?.swapId ?? "", "settled"))
    await waitFor(() => expect(swap?.isSuccess).toBe(true))
    expect(first.service.swaps.map(({ status }) => status)).toEqual(["settled"])
    expect(second.service.swaps).toEqual([])
  })

  it("hydrates a server-rendered page without a mismatch", async () => {
    const { quoteCount, client } = scriptedClient()
    const Price = () => {
      const { phase, secondsLeft } = useQuote(evmRequest)
      const { data: chains } = useChains()
      return createElement("p", null, `${phase} ${secondsLeft} ${chains?.length} ${useSwap().status}`)
    }
    const page = () =>
      createElement(
        QueryClientProvider,
        { client: new QueryClient() },
        createElement(GeoswapProvider, { client }, createElement(Price))
      )
    const container = document.body.appendChild(document.createElement("div"))
    container.innerHTML = renderToString(page())
    expect(container.textContent).toBe("loading undefined undefined idle")
    const problems: Array<unknown> = []
    const root = await act(async () =>
      hydrateRoot(container, page(), { onRecoverableError: (error) => problems.push(error) })
    )
    await waitFor(() => expect(container.textContent).toMatch(/^ready \d+ 3 idle$/))
    expect(problems).toEqual([])
    expect(quoteCount()).toBe(1)
    act(() => root.unmount())
    container.remove()
  })

  it("hydrates data from a server without a second request", async () => {
    const server = scriptedClient()
    const { finishedAt, output, swapId } = await server.client.execute(evmRequest)
    const shown = `3 true settled ${output?.amount} at ${finishedAt?.toISOString()}`
    const newCache = () =>
      new QueryClient({
        defaultOptions: { dehydrate: { serializeData: serialize }, hydrate: { deserializeData: deserialize } }
      })
    const Page = () => {
      const chains = useChains({ query: { select: ({ length }) => length } })
      const delegation = useDelegation(wallet)
      const swap = useSwapStatus(swapId)
      const received = `${swap.data?.output?.amount} at ${swap.data?.finishedAt?.toISOString()}`
      return createElement("p", null, `${chains.data} ${delegation.data?.delegated} ${swap.data?.status} ${received}`)
    }
    const page = (cache: QueryClient, client: Client, state?: DehydratedState) =>
      createElement(
        QueryClientProvider,
        { client: cache },
        createElement(
          HydrationBoundary,
          { state },
          createElement(GeoswapProvider, { client, clientKey: "main" }, createElement(Page))
        )
      )

    const onServer = newCache()
    const key = { clientKey: "main" }
    await onServer.query(chainsQueryOptions(server.client, key))
    await onServer.query(delegationQueryOptions(server.client, wallet, key))
    await onServer.query(statusQueryOptions(server.client, swapId, key))
    const html = renderToString(page(onServer, server.client))
    const state = JSON.stringify(dehydrate(onServer))

    const { client, service } = scriptedClient()
    const container = document.body.appendChild(document.createElement("div"))
    container.innerHTML = html
    expect(container.textContent).toBe(shown)
    const problems: Array<unknown> = []
    const root = await act(async () =>
      hydrateRoot(container, page(newCache(), client, JSON.parse(state) as DehydratedState), {
        onRecoverableError: (error) => problems.push(error)
      })
    )
    expect(container.textContent).toBe(shown)
    expect(problems).toEqual([])
    // If a hook had sent a request, the service would have received it before this one.
    await client.chains()
    expect(service.requests.map(({ endpoint }) => endpoint)).toEqual(["chains"])
    act(() => root.unmount())
    container.remove()
  })
})

describe("useChains", () => {
  it("sends one request for all components", async () => {
    const { client, service } = scriptedClient()
    const cache = new QueryClient()
    const [one, other] = [
      renderPage(() => useChains(), { client, cache }, undefined),
      renderPage(() => useChains(), { client, cache }, undefined)
    ]
    expect(one.result.current).toMatchObject({ data: undefined, status: "pending", isLoading: true, error: null })
    await waitFor(() => expect(one.result.current.data).toHaveLength(3))
    expect(other.result.current.data).toBe(one.result.current.data)
    expect(service.seen("chains")).toHaveLength(1)
  })

  it("keeps clients with different keys apart in one cache", async () => {
    const [first, second] = [scriptedClient(), scriptedClient()]
    const cache = new QueryClient()
    renderPage(() => useChains(), { client: first.client, cache }, undefined)
    const { result } = renderPage(() => useChains(), { client: second.client, clientKey: "second", cache }, undefined)
    await waitFor(() => expect(result.current.data).toBeDefined())
    expect(second.service.seen("chains")).toHaveLength(1)
  })

  it("shares the list between clients with the same key, such as clients for two wallets", async () => {
    const [first, second] = [scriptedClient(), scriptedClient()]
    const cache = new QueryClient()
    const one = renderPage(() => useChains(), { client: first.client, cache }, undefined)
    await waitFor(() => expect(one.result.current.data).toHaveLength(3))
    const { result } = renderPage(() => useChains(), { client: second.client, cache }, undefined)
    expect(result.current.data).toBe(one.result.current.data)
    expect(second.service.requests).toEqual([])
  })

  it("takes options of TanStack Query", async () => {
    const { client, service } = scriptedClient()
    const { rerender, result } = renderPage(
      ({ enabled }: { readonly enabled: boolean }) =>
        useChains({ query: { enabled, select: (chains) => chains.map(({ id }) => id) } }),
      { client },
      { enabled: false }
    )
    expect(result.current).toMatchObject({ status: "pending", fetchStatus: "idle", isEnabled: false })
    rerender({ enabled: true })
    await waitFor(() => expect(result.current.data).toContain(evmRequest.originChain))
    expect(service.seen("chains")).toHaveLength(1)
  })

  it("retries while the service is unavailable and returns the error meanwhile", async () => {
    const { client, service } = scriptedClient()
    service.always("chains", Fault.unavailable())
    const { result } = renderPage(() => useChains(), { client }, undefined)
    await waitFor(() => expect(result.current.failureReason?._tag).toBe("Unavailable"))
    expect(result.current.isLoading).toBe(true)
    service.always("chains", Fault.pass)
    await waitFor(() => expect(result.current.data).toHaveLength(3))
    expect(result.current.failureReason).toBeNull()
  })
})

describe("useDelegation", () => {
  it("requests the delegation if there is a wallet, and again on refetch", async () => {
    const { client, service } = scriptedClient()
    const { rerender, result } = renderPage(
      ({ wanted }: { readonly wanted: boolean }) =>
        useDelegation(wanted ? wallet : undefined, { query: { enabled: true } }),
      { client },
      { wanted: false }
    )
    expect(result.current).toMatchObject({ data: undefined, isLoading: false, error: null, isEnabled: false })
    rerender({ wanted: true })
    await waitFor(() => expect(result.current.data?.delegated).toBe(false))
    service.delegate(wallet.chainId, wallet.walletAddress)
    await act(async () => void (await result.current.refetch()))
    await waitFor(() => expect(result.current.data?.delegated).toBe(true))
    expect(service.seen("delegation")).toHaveLength(2)
  })

  it("sends no request and returns an error if it is refetched without a wallet", async () => {
    const { client, service } = scriptedClient()
    const { result } = renderPage(() => useDelegation(undefined), { client }, undefined)
    const { error } = await act(() => result.current.refetch())
    expect(error).toMatchObject({ _tag: "InvalidInput", field: "walletAddress" })
    expect(service.requests).toEqual([])
  })
})
