import type { ChainInfo } from "@geoswap/core/promise"
import { Fault } from "@geoswap/core/testing"
import { act, cleanup, waitFor } from "@testing-library/react"
import { afterEach, describe, expect, it } from "vitest"
import { type SwapFormOptions, useSwapForm } from "../../src/index.js"
import { evmRequest, network, scriptedClient, solanaRequest } from "../scriptedClient.js"
import { renderPage } from "./page.js"

afterEach(cleanup)

const evm = evmRequest.walletAddress
const solana = solanaRequest.walletAddress

/** Renders the form and waits for the chains. */
const filling = async (options: Partial<SwapFormOptions> = {}) => {
  const fixture = scriptedClient()
  const page = renderPage(
    (more: Partial<SwapFormOptions>) =>
      useSwapForm({ network, wallets: { evm }, quote: { debounce: 20 }, ...options, ...more }),
    fixture,
    {}
  )
  const form = () => page.result.current
  expect(form()).toMatchObject({ isLoading: true, chains: [], errors: {}, request: undefined, canReview: false })
  await waitFor(() => expect(form().isLoading).toBe(false))
  return { ...fixture, ...page, form, ready: () => waitFor(() => expect(form().quote.phase).toBe("ready")) }
}

describe("useSwapForm", () => {
  it("returns a live quote that can be reviewed", async () => {
    const { quoteCount, form, ready } = await filling()
    expect(form()).toMatchObject({ values: { originChain: 8453, destinationChain: 42161 }, errors: {}, wallet: evm })
    act(() => form().set("amount", "10.5"))
    expect(form()).toMatchObject({ amount: 10_500_000n, canReview: false, request: { amount: 10_500_000n } })
    await ready()
    expect(form()).toMatchObject({ canReview: true, isHighCost: true, refusal: undefined })
    expect(form().rate).toEqual({ inputPerOutput: "1", outputPerInput: "1" })
    expect(quoteCount()).toBe(1)
    act(() => form().set("amount", "10,5"))
    expect(form()).toMatchObject({
      errors: { amount: "Enter 10.5, with a decimal point." },
      request: undefined,
      canReview: false,
      rate: undefined
    })
    expect(form().quote.data).toBeUndefined()
  })

  it("keeps the request and the functions stable while nothing changes", async () => {
    const { form, ready, rerender } = await filling({ initial: { amount: "1" } })
    await ready()
    const { flip, request, set, setMax } = form()
    rerender({ policy: {} })
    expect(form().request).toBe(request)
    expect([form().flip, form().set, form().setMax]).toEqual([flip, set, setMax])
  })

  it("checks the balance and sets the whole balance as the amount", async () => {
    const { form } = await filling({ balances: (chainId) => (chainId === 8453 ? 2_500_000n : undefined) })
    act(() => form().set("amount", "3"))
    expect(form()).toMatchObject({ errors: { amount: "Your balance is 2.5 USDC." }, request: undefined })
    act(() => form().setMax())
    expect(form()).toMatchObject({ values: { amount: "2.5" }, errors: {}, amount: 2_500_000n })
    act(() => form().flip())
    act(() => form().setMax())
    expect(form()).toMatchObject({ values: { originChain: 42161, amount: "2.5" }, balance: undefined })
  })

  it("requires a recipient on another family and uses the wallet connected there", async () => {
    const { form, ready, rerender } = await filling({ initial: { amount: "5" } })
    act(() => form().set("destinationChain", String(solanaRequest.originChain)))
    expect(form().errors).toEqual({ recipient: "Connect a Solana wallet or enter a recipient." })
    rerender({ wallets: { evm, solana } })
    expect(form()).toMatchObject({ errors: {}, recipient: solana, request: { recipient: solana } })
    act(() => form().flip())
    expect(form()).toMatchObject({ wallet: solana, recipient: evm })
    await ready()
    expect(form().canReview).toBe(true)
  })

  it("applies the policy and reports a high cost", async () => {
    const { form, ready, rerender, service } = await filling({ initial: { amount: "5" }, policy: { maxFeeBps: 10 } })
    service.always(
      "quote",
      Fault.alter((quote) => ({ ...quote, priceImpactBps: -420 }))
    )
    await ready()
    act(() => form().quote.refresh())
    await waitFor(() => expect(form().quote.data?.costs.total?.bps).toBe(420))
    expect(form()).toMatchObject({
      isHighCost: true,
      refusal: "The fee is 0.125%. The maximum is 0.1%.",
      canReview: false
    })
    rerender({ policy: { highCostBps: 500 } })
    expect(form()).toMatchObject({ refusal: undefined, isHighCost: false, canReview: true })
    rerender({ policy: { allowedChains: [8453] } })
    expect(form()).toMatchObject({ chains: [{ id: 8453 }], canReview: false })
  })

  it("requests the entered amount even if the service lists wrong decimals and names", async () => {
    const { client, service } = scriptedClient()
    service.always(
      "chains",
      Fault.alter(({ chains }) => ({
        chains: (chains as ReadonlyArray<ChainInfo>).map((chain) => ({
          ...chain,
          name: "A testnet",
          tokens: chain.tokens.map((token) => ({ ...token, symbol: "PLAY", decimals: 9 }))
        }))
      }))
    )
    const { result } = renderPage(
      () =>
        useSwapForm({
          network,
          wallets: { evm },
          initial: { amount: "10" },
          quote: { debounce: 0 }
        }),
      { client },
      undefined
    )
    await waitFor(() => expect(result.current.quote.phase).toBe("ready"))
    expect(result.current).toMatchObject({
      amount: 10_000_000n,
      inputToken: { symbol: "USDC", decimals: 6 },
      origin: { name: "base", tokens: [{ symbol: "USDC", decimals: 6 }] }
    })
    expect(service.seen("quote").map(({ body }) => body)).toMatchObject([{ amount: "10000000" }])
  })

  it("returns the risk of a high slippage", async () => {
    const { form, ready } = await filling({ initial: { amount: "5", slippageBps: 600 } })
    await ready()
    const { output = 0n, minOutput = 0n } = form().quote.data ?? {}
    expect(form().slippageRisk).toMatchObject({ minOutput: minOutput, atRisk: output - minOutput, isHigh: true })
    act(() => form().set("slippageBps", 50))
    expect(form().slippageRisk).toBeUndefined()
    await ready()
    expect(form().slippageRisk?.isHigh).toBe(false)
  })

  it("returns the error of the chains", async () => {
    const { client, service } = scriptedClient()
    service.always("chains", Fault.refuse(401, "UNAUTHORIZED"))
    const { result } = renderPage(() => useSwapForm({ network, wallets: {} }), { client }, undefined)
    await waitFor(() => expect(result.current.chainsError?._tag).toBe("Unauthorized"))
    expect(result.current).toMatchObject({ isLoading: false, chains: [], request: undefined })
  })
})
