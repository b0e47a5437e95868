/** A page around a hook, as strict as React can be. */
import type { Client } from "@geoswap/core/promise"
import { QueryClient, QueryClientProvider } from "@tanstack/react-query"
import { act, configure, renderHook, type RenderHookResult } from "@testing-library/react"
import { createElement, type ReactNode } from "react"
import { vi } from "vitest"
import { GeoswapProvider } from "../../src/index.js"

// Long enough for a slow machine: only a test that fails waits for it.
configure({ asyncUtilTimeout: 60_000 })

export interface PageOptions {
  readonly client: Client
  /** One that other pages share; a fresh one where absent. */
  readonly cache?: QueryClient
}

/** Shows a hook under strict mode. */
export const renderPage = <Result, Props>(
  hook: (props: Props) => Result,
  { cache = new QueryClient(), client }: PageOptions,
  initialProps: Props
): RenderHookResult<Result, Props> => {
  const wrapper = ({ children }: { readonly children: ReactNode }) =>
    createElement(QueryClientProvider, { client: cache }, createElement(GeoswapProvider, { client }, children))
  return renderHook(hook, { wrapper, reactStrictMode: true, initialProps })
}

/** Time stands still from here on, and passes by `pass` alone. */
export const stopClock = (): void => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "Date", "performance"] })
}

const step = (millis: number): Promise<void> =>
  act(async () => {
    await vi.advanceTimersByTimeAsync(millis)
  })

/**
 * Lets time pass under fake timers, and a few milliseconds more: what React renders at the end of a step may ask the
 * service, whose answer takes steps of its own.
 */
export const advance = async (millis: number): Promise<void> => {
  for (let left = millis; left > 0; left -= 1_000) await step(Math.min(left, 1_000))
  for (let more = 0; more < 4; more++) await step(5)
}

/** Hides the page or shows it again, as another tab in front of it would. */
export const setVisible = (visible: boolean): Promise<void> =>
  act(async () => {
    const visibilityState = visible ? "visible" : "hidden"
    Object.defineProperty(document, "visibilityState", { configurable: true, get: () => visibilityState })
    document.dispatchEvent(new Event("visibilitychange", { bubbles: true }))
  })
