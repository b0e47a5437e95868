import { Fault } from "@geoswap/core/testing"
import type { Client } from "@geoswap/core/promise"
import { QueryClient, QueryClientProvider } from "@tanstack/react-query"
import { act, cleanup, render, renderHook, waitFor } from "@testing-library/react"
import * as Effect from "effect/Effect"
import { createElement, type ReactNode } from "react"
import { hydrateRoot } from "react-dom/client"
import { renderToString } from "react-dom/server"
import { afterEach, describe, expect, it } from "vitest"
import { GeoswapProvider, useChains, useDelegation, useGeoswap, useQuote, useSwap } from "../../src/index.js"
import { scriptedLayer } from "../scriptedLayer.js"
import { evmRequest, scriptedClient } from "../scriptedClient.js"
import { renderPage } from "./page.js"

afterEach(cleanup)

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
    await waitFor(() => expect(quote?.status).toBe("ready"))
    act(() => swap?.start(evmRequest))
    await waitFor(() => expect(swap?.flowId).toBeDefined())
    rerender(page(second.client))
    expect(quote?.quote).toBeUndefined()
    await waitFor(() => expect(second.quoteCount()).toBe(1))
    expect(swap?.phase).toBe("running")
    await Effect.runPromise(first.service.finish(first.service.swaps[0]?.swapId ?? "", "settled"))
    await waitFor(() => expect(swap?.phase).toBe("done"))
    expect(first.service.swaps.map(({ status }) => status)).toEqual(["settled"])
    expect(second.service.swaps).toEqual([])
  })

  it("hydrates a server-rendered page without a mismatch", async () => {
    const { quoteCount, client } = scriptedClient()
    const Price = () => {
      const { secondsLeft, status } = useQuote(evmRequest)
      const { chains } = useChains()
      return createElement("p", null, `${status} ${secondsLeft} ${chains?.length} ${useSwap().phase}`)
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

  it("builds a layer on first use and closes it after the last", async () => {
    const { layer, lifecycle, service } = scriptedLayer()
    const cache = new QueryClient()
    const wrapper = ({ children }: { readonly children: ReactNode }) =>
      createElement(QueryClientProvider, { client: cache }, createElement(GeoswapProvider, { layer }, children))
    const { rerender, result, unmount } = renderHook(
      ({ ask }: { readonly ask: boolean }) => ({ swap: useSwap(), quote: useQuote(ask ? evmRequest : undefined) }),
      { wrapper, reactStrictMode: true, initialProps: { ask: false } }
    )
    await act(async () => {})
    expect(lifecycle).toEqual([])
    rerender({ ask: true })
    await waitFor(() => expect(result.current.quote.status).toBe("ready"))
    expect(service.seen("quote")).toHaveLength(1)
    service.ends("never")
    act(() => result.current.swap.start(evmRequest, { quote: result.current.quote.quote }))
    await waitFor(() => expect(result.current.swap.flowId).toBeDefined())
    unmount()
    expect(lifecycle).toEqual(["built"])
    await Effect.runPromise(service.finish(service.swaps[0]?.swapId ?? "", "settled"))
    await waitFor(() => expect(lifecycle).toEqual(["built", "ended"]))
    expect(service.swaps.map(({ status }) => status)).toEqual(["settled"])
  })
})

describe("useChains", () => {
  it("sends one request for all components", async () => {
    const { client, service } = scriptedClient()
    const cache = new QueryClient()
    const [one, other] = [
      renderPage(useChains, { client, cache }, undefined),
      renderPage(useChains, { client, cache }, undefined)
    ]
    expect(one.result.current).toMatchObject({ chains: undefined, isLoading: true, error: null })
    await waitFor(() => expect(one.result.current.chains).toHaveLength(3))
    expect(other.result.current.chains).toBe(one.result.current.chains)
    expect(service.seen("chains")).toHaveLength(1)
  })

  it("keeps two clients apart in one cache", async () => {
    const [first, second] = [scriptedClient(), scriptedClient()]
    const cache = new QueryClient()
    renderPage(useChains, { client: first.client, cache }, undefined)
    const { result } = renderPage(useChains, { client: second.client, cache }, undefined)
    await waitFor(() => expect(result.current.chains).toBeDefined())
    expect(second.service.seen("chains")).toHaveLength(1)
  })

  it("retries while the service is unavailable and returns the error meanwhile", async () => {
    const { client, service } = scriptedClient()
    service.always("chains", Fault.unavailable())
    const { result } = renderPage(useChains, { client }, undefined)
    await waitFor(() => expect(result.current.error?._tag).toBe("Unavailable"))
    service.always("chains", Fault.pass)
    await waitFor(() => expect(result.current.chains).toHaveLength(3))
    expect(result.current.error).toBeNull()
  })
})

describe("useDelegation", () => {
  it("requests the delegation if there is a wallet, and again on refetch", async () => {
    const { client, service } = scriptedClient()
    const query = { chainId: evmRequest.originChain, walletAddress: evmRequest.walletAddress }
    const { rerender, result } = renderPage(
      ({ wanted }: { readonly wanted: boolean }) => useDelegation(wanted ? query : undefined),
      { client },
      { wanted: false }
    )
    act(() => result.current.refetch())
    expect(result.current).toMatchObject({ delegation: undefined, isLoading: false, error: null })
    rerender({ wanted: true })
    await waitFor(() => expect(result.current.delegation?.delegated).toBe(false))
    service.delegate(query.chainId, query.walletAddress)
    act(() => result.current.refetch())
    await waitFor(() => expect(result.current.delegation?.delegated).toBe(true))
    expect(service.seen("delegation")).toHaveLength(2)
  })
})
