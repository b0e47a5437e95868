import { Fault, ScriptedTransport } from "@geoswap/core/testing"
import { act, cleanup, waitFor } from "@testing-library/react"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { browserStore, useSwap, useIdempotencyKey } from "../../src/index.js"
import { evmRequest, scriptedClient, type ScriptedOptions } from "../scriptedClient.js"
import { renderPage } from "./page.js"

beforeEach(() => localStorage.clear())
afterEach(cleanup)

type Request = typeof evmRequest

interface Reviewed {
  readonly request: Request | undefined
}

/** A tab in which the user reviews a form. Tabs share only storage and locks. */
const tab = (
  service: ScriptedTransport.ScriptedTransport,
  options: ScriptedOptions = {},
  request: Request | undefined = evmRequest
) => {
  const { client } = scriptedClient({ service, store: browserStore(), ...options })
  const reviewed: Reviewed = { request }
  const page = renderPage(
    ({ request }: Reviewed) => ({ swap: useSwap(), idempotencyKey: useIdempotencyKey(request) }),
    { client },
    reviewed
  )
  const now = () => page.result.current
  return {
    client,
    now,
    review: (request: Request | undefined) => page.rerender({ request }),
    close: page.unmount,
    reviewed: () => waitFor(() => expect(now().idempotencyKey).toBeDefined()),
    confirm: () => act(() => void now().swap.mutate({ request: evmRequest, idempotencyKey: now().idempotencyKey })),
    ended: () => waitFor(() => expect(now().swap.isPending).toBe(false))
  }
}

describe("useIdempotencyKey", () => {
  it("returns the same key in every tab that reviews the same request", async () => {
    const service = ScriptedTransport.make()
    const [one, two] = [tab(service), tab(service)]
    const other = tab(service, {}, { ...evmRequest, amount: evmRequest.amount + 1n })
    for (const { reviewed } of [one, two, other]) await reviewed()
    expect(two.now().idempotencyKey).toBe(one.now().idempotencyKey)
    expect(other.now().idempotencyKey).not.toBe(one.now().idempotencyKey)
    one.review(undefined)
    expect(one.now().idempotencyKey).toBeUndefined()
  })

  it("leads to one swap if two tabs confirm at once", async () => {
    const service = ScriptedTransport.make()
    const tabs = [tab(service), tab(service)]
    for (const { reviewed } of tabs) await reviewed()
    for (const { confirm } of tabs) confirm()
    for (const { ended } of tabs) await ended()
    expect(tabs.map(({ now }) => now().swap.status)).toEqual(["success", "success"])
    expect(service.swaps).toHaveLength(1)
  })

  it("leads to one swap if a second tab confirms after the swap has ended", async () => {
    const service = ScriptedTransport.make()
    const [one, two] = [tab(service), tab(service)]
    for (const { reviewed } of [one, two]) await reviewed()
    one.confirm()
    one.review(undefined)
    await one.ended()
    two.confirm()
    await two.ended()
    expect(two.now().swap).toMatchObject({ status: "success", swap: { swapId: service.swaps[0]?.swapId } })
    expect(service.swaps).toHaveLength(1)
  })

  it("leads to one swap if it is confirmed again after a lost response and a reload", async () => {
    const service = ScriptedTransport.make()
    const first = tab(service, { settings: { submitAttempts: 1 } })
    await first.reviewed()
    const { idempotencyKey } = first.now()
    service.next("submit", Fault.disconnect({ after: true }))
    first.confirm()
    await first.ended()
    expect(first.now().swap).toMatchObject({ status: "error", isCancelled: false, error: { _tag: "OutcomeUnknown" } })
    first.close()
    const second = tab(service)
    await second.reviewed()
    expect(second.now().idempotencyKey).toBe(idempotencyKey)
    second.confirm()
    await second.ended()
    expect(second.now().swap).toMatchObject({ status: "success", swap: { status: "settled" } })
    expect(service.swaps).toHaveLength(1)
  })

  it("returns a new key after the swap has ended", async () => {
    const service = ScriptedTransport.make()
    const { confirm, ended, now, review, reviewed } = tab(service)
    const keys = new Set<string | undefined>()
    for (const count of [1, 2]) {
      await reviewed()
      keys.add(now().idempotencyKey)
      confirm()
      review(undefined)
      await ended()
      expect(now().swap.status).toBe("success")
      expect(service.swaps).toHaveLength(count)
      review(evmRequest)
    }
    expect(keys.size).toBe(2)
    await reviewed()
    // Unused keys are removed.
    expect(Object.keys(localStorage).filter((name) => name.startsWith("geoswap.key."))).toHaveLength(1)
  })

  it("returns a new key after a tab was closed during the wallet prompt", async () => {
    const service = ScriptedTransport.make()
    const tabOf = (frame: HTMLIFrameElement) => frame.contentWindow as (Window & typeof globalThis) | null
    // A lock in another window is released when that window closes.
    const frame = document.body.appendChild(document.createElement("iframe"))
    const { navigator: away } = tabOf(frame) ?? window
    localStorage.setItem(`geoswap.key.stale`, "stale")
    const held = new Promise<void>((resolve) => {
      void away.locks.request("geoswap.swap.stale", { mode: "shared" }, () => {
        resolve()
        return new Promise<void>(() => {})
      })
    })
    await held
    const one = tab(service)
    await one.reviewed()
    expect(localStorage.getItem("geoswap.key.stale")).toBe("stale")
    frame.remove()
    const swept = async () => {
      const next = tab(service)
      await next.reviewed()
      next.close()
      expect(localStorage.getItem("geoswap.key.stale")).toBeNull()
    }
    await expect
      .poll(() =>
        swept().then(
          () => true,
          () => false
        )
      )
      .toBe(true)
  })
})
