/** Renders hooks in a page in strict mode. */
import type { Client } from "@geoswap/core/promise"
import { QueryClient, QueryClientProvider } from "@tanstack/react-query"
import { act, configure, renderHook, type RenderHookResult } from "@testing-library/react"
import { createElement, type ReactNode } from "react"
import { vi } from "vitest"
import { GeoswapProvider } from "../../src/index.js"

// Long enough for a slow machine. Only a failing test waits for it.
configure({ asyncUtilTimeout: 60_000 })

export interface PageOptions {
  readonly client: Client
  /** A cache that other pages share (default: a new one). */
  readonly cache?: QueryClient
  readonly clientKey?: string
}

/** Renders a hook in strict mode. */
export const renderPage = <Result, Props>(
  hook: (props: Props) => Result,
  { cache = new QueryClient(), client, clientKey }: PageOptions,
  initialProps: Props
): RenderHookResult<Result, Props> => {
  const wrapper = ({ children }: { readonly children: ReactNode }) =>
    createElement(
      QueryClientProvider,
      { client: cache },
      createElement(GeoswapProvider, { client, clientKey }, children)
    )
  return renderHook(hook, { wrapper, reactStrictMode: true, initialProps })
}

/** Stops the clock. Only `advance` moves it. */
export const stopClock = (): void => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "Date", "performance"] })
}

const step = (millis: number): Promise<void> =>
  act(async () => {
    await vi.advanceTimersByTimeAsync(millis)
  })

/**
 * Advances fake timers, and a few milliseconds more: a render at the end of a step may send a request, whose response
 * takes further steps.
 */
export const advance = async (millis: number): Promise<void> => {
  for (let left = millis; left > 0; left -= 1_000) await step(Math.min(left, 1_000))
  for (let more = 0; more < 4; more++) await step(5)
}

/** Hides or shows the page, as switching tabs would. */
export const setVisible = (visible: boolean): Promise<void> =>
  act(async () => {
    const visibilityState = visible ? "visible" : "hidden"
    Object.defineProperty(document, "visibilityState", { configurable: true, get: () => visibilityState })
    document.dispatchEvent(new Event("visibilitychange", { bubbles: true }))
  })
