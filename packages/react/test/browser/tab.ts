/** A page in a separate tab that starts a swap and may be closed at any time. */
import { QueryClient, QueryClientProvider } from "@tanstack/react-query"
import type { ExecuteInput } from "@geoswap/core/promise"
import { createElement, useEffect } from "react"
import { createRoot } from "react-dom/client"
import { browserStore, GeoswapProvider, useSwap } from "../../src/index.js"
import { connect, type Running, walletOf } from "./devnetClient.js"

interface SwapProps {
  readonly request: ExecuteInput
  readonly onSubmitted: () => void
  readonly onError: (error: Error) => void
}

const Swap = ({ onError, onSubmitted, request }: SwapProps) => {
  const { error, events, isIdle, mutate } = useSwap()
  useEffect(() => {
    if (isIdle) mutate({ request })
  }, [isIdle, request, mutate])
  const isSubmitted = events.some(({ event }) => event.type === "submitted")
  useEffect(() => {
    if (isSubmitted) onSubmitted()
    if (error) onError(error)
  }, [isSubmitted, error, onSubmitted, onError])
  return null
}

/** Opens the page and resolves when the swap is submitted. Takes a string, since objects cannot cross pages. */
export const open = async (text: string): Promise<void> => {
  const { evm, fixture, request } = JSON.parse(text) as {
    readonly fixture: Running
    readonly evm: string
    readonly request: ExecuteInput
  }
  const { client, hold } = await connect(fixture, {
    evm: walletOf(fixture, evm),
    solana: walletOf(fixture, "erin"),
    store: browserStore()
  })
  // The page is closed before it can see the end, even on fast chains.
  hold("/swap/status/")
  await new Promise<void>((onSubmitted, onError) => {
    const swap = createElement(Swap, { request, onSubmitted, onError })
    const provider = createElement(GeoswapProvider, { client }, swap)
    createRoot(document.body).render(createElement(QueryClientProvider, { client: new QueryClient() }, provider))
  })
}
