import { QueryClient, QueryClientProvider } from "@tanstack/react-query"
import { createElement } from "react"
import { renderToString } from "react-dom/server"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import {
  browserStore,
  GeoswapProvider,
  useChains,
  useDelegation,
  useGeoswap,
  useQuote,
  useResumableSwaps,
  useSwap,
  useSwapForm,
  useSwapStatus
} from "../../src/index.js"
import { evmRequest, network, scriptedClient } from "../scriptedClient.js"

const Everything = () => {
  const quote = useQuote(evmRequest)
  const form = useSwapForm({
    network,
    wallets: { evm: evmRequest.walletAddress },
    initial: { amount: "5" }
  })
  const state = {
    client: typeof useGeoswap().quote,
    chains: useChains().isLoading,
    quote: [quote.phase, quote.secondsLeft ?? null, quote.isFetching],
    delegation: useDelegation({ chainId: 8453, walletAddress: evmRequest.walletAddress }).isLoading,
    swap: useSwap().status,
    status: useSwapStatus("some-swap").isLoading,
    resumable: useResumableSwaps().isLoading,
    form: [form.values.amount, form.canReview]
  }
  return createElement("pre", null, JSON.stringify(state))
}

const rendered = (provider: Parameters<typeof GeoswapProvider>[0]) =>
  renderToString(
    createElement(
      QueryClientProvider,
      { client: new QueryClient() },
      createElement(GeoswapProvider, provider, createElement(Everything))
    )
  ).replaceAll("&quot;", '"')

describe("on a server", () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  it("every hook renders and sends no request", async () => {
    const { client, service } = scriptedClient({ store: browserStore() })
    expect(rendered({ client })).toBe(
      '<pre>{"client":"function","chains":true,"quote":["loading",null,false],"delegation":true,"swap":"idle",' +
        '"status":true,"resumable":true,"form":["5",false]}</pre>'
    )
    await vi.advanceTimersByTimeAsync(600_000)
    expect(service.requests).toEqual([])
  })
})
