import type { PromiseEvmSigner } from "@geoswap/core/promise"
import { Signer, SwapError } from "@geoswap/core"
import { TestSigner } from "@geoswap/core/testing"
import { act, cleanup, waitFor } from "@testing-library/react"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { browserStore, type PayingWallet, useIndicativeQuote, useSwap, useSwapForm } from "../../src/index.js"
import { paymentOf } from "../../src/query.js"
import { evmRequest, network, scriptedClient, type ScriptedOptions } from "../scriptedClient.js"
import { renderPage } from "./page.js"

beforeEach(() => localStorage.clear())
afterEach(cleanup)

/** A browser wallet: it signs typed data, but no delegations. */
const browser: PromiseEvmSigner = Signer.evmToPromise(
  TestSigner.evm({ capabilities: { authorization: false, typedData: true } })
)
const fresh = { delegated: false, delegationTarget: "0xde1e" as const }

/** Renders a component that swaps. */
const swapping = (options: ScriptedOptions = {}) => {
  const fixture = scriptedClient({ store: browserStore(), signer: browser, ...options })
  const page = renderPage(() => useSwap(), { client: fixture.client }, undefined)
  const swap = () => page.result.current
  return { ...fixture, ...page, swap, ended: () => waitFor(() => expect(swap().isPending).toBe(false)) }
}

describe("useSwap", () => {
  it("returns how the wallet pays, and what it can display", async () => {
    const { ended, service, swap } = swapping()
    service.paymentMethods("delegation", "eip3009")
    act(() => void swap().mutate({ request: evmRequest }))
    await ended()
    expect(swap()).toMatchObject({
      status: "success",
      paymentMethod: "eip3009",
      payment: {
        method: "eip3009",
        shows: "amount",
        signatures: 1,
        amount: evmRequest.amount,
        terms: { recipient: evmRequest.walletAddress, destinationChain: evmRequest.destinationChain }
      }
    })
    act(() => swap().reset())
    expect(swap()).toMatchObject({ paymentMethod: undefined, payment: undefined })
  })

  it("returns the delegation as the method of a delegated wallet", async () => {
    const { ended, service, swap } = swapping()
    service.delegate(evmRequest.originChain, evmRequest.walletAddress)
    act(() => void swap().mutate({ request: evmRequest }))
    await ended()
    expect(swap()).toMatchObject({ status: "success", paymentMethod: "delegation", payment: { shows: "terms" } })
  })

  it("can start again after the wallet rejected the payment", async () => {
    let rejects = true
    const { ended, service, swap } = swapping({
      signer: {
        ...browser,
        signPayment: (payment, abort) => {
          if (!rejects && browser.signPayment) return browser.signPayment(payment, abort)
          throw new SwapError.SignerError({ reason: "rejected", message: "Cancelled." })
        }
      }
    })
    service.paymentMethods("erc2612")
    act(() => void swap().mutate({ request: evmRequest }))
    await ended()
    expect(swap()).toMatchObject({
      status: "error",
      isCancelled: false,
      resumable: undefined,
      payment: { signatures: 2 }
    })
    rejects = false
    act(() => void swap().mutate({ request: evmRequest }))
    await ended()
    expect(swap()).toMatchObject({ status: "success", paymentMethod: "erc2612" })
    expect(service.seen("submit")).toHaveLength(1)
  })

  it("returns how the wallet paid for a resumed flow", async () => {
    const { client, service, swap } = swapping({ duration: 60_000 })
    service.paymentMethods("permit2")
    act(() => void swap().mutate({ request: evmRequest }))
    await waitFor(() => expect(swap().swap).toBeDefined())
    act(() => swap().cancel())
    await waitFor(() => expect(swap().isCancelled).toBe(true))
    const flowId = swap().resumable ?? ""
    const other = renderPage(() => useSwap(), { client }, undefined)
    act(() => void other.result.current.mutate({ flowId }))
    await waitFor(() => expect(other.result.current.paymentMethod).toBe("permit2"))
    act(() => other.result.current.cancel())
    await waitFor(() => expect(other.result.current.isCancelled).toBe(true))
  })
})

describe("useSwapForm", () => {
  const filling = async (methods: ReadonlyArray<"delegation" | "eip3009">, payer: PayingWallet) => {
    const fixture = scriptedClient()
    fixture.service.paymentMethods(...methods)
    const wallets = { evm: evmRequest.walletAddress }
    const page = renderPage(
      () => useSwapForm({ network, wallets, quote: { debounce: 0 }, initial: { amount: "5" }, payer }),
      fixture,
      undefined
    )
    await waitFor(() => expect(page.result.current.quote.phase).toBe("ready"))
    return page.result.current
  }

  it("returns how the wallet can pay", async () => {
    const form = await filling(["delegation", "eip3009"], { signer: browser, delegation: fresh })
    expect(form.payment).toMatchObject({ offered: ["delegation", "eip3009"], method: "eip3009", problem: undefined })
    expect(form.canReview).toBe(true)
  })

  it("does not allow a review of a quote that the wallet cannot pay", async () => {
    const form = await filling(["delegation"], { signer: browser, delegation: fresh })
    expect(form).toMatchObject({ canReview: false, payment: { problem: { reason: "signer" } } })
    const refused = await filling([], {})
    expect(refused).toMatchObject({ canReview: false, payment: { problem: { reason: "service" } } })
    expect(refused.payment?.problem?.message).toContain("delegated to another provider")
  })
})

describe("useIndicativeQuote", () => {
  it("returns how a wallet can pay without requesting a quote", async () => {
    const fixture = scriptedClient()
    fixture.service.paymentMethods()
    const { result } = renderPage(() => useIndicativeQuote(evmRequest, { debounce: 0 }), fixture, undefined)
    await waitFor(() => expect(result.current.data).toBeDefined())
    const { data } = result.current
    expect(data).toMatchObject({ indicative: true, paymentMethods: [] })
    expect(data && paymentOf(data, evmRequest, {}).problem?.reason).toBe("service")
    expect(fixture.service.seen("quote").every(({ body }) => JSON.stringify(body).includes("indicative"))).toBe(true)
  })

  it("sends a changed request only once it has stayed the same, and nothing without a request", async () => {
    const fixture = scriptedClient()
    const { rerender, result } = renderPage(
      (amount: bigint | undefined) =>
        useIndicativeQuote(amount === undefined ? undefined : { ...evmRequest, amount }, { debounce: 60_000 }),
      fixture,
      undefined as bigint | undefined
    )
    expect(result.current.fetchStatus).toBe("idle")
    rerender(1n)
    rerender(2n)
    expect(result.current.fetchStatus).toBe("idle")
    expect(fixture.quoteCount()).toBe(0)
  })
})
