/** More flows, against the real service on real chains. */
import { isSwapError } from "@geoswap/core/promise"
import { act, cleanup, waitFor } from "@testing-library/react"
import { afterEach, beforeEach, describe, expect, inject, it } from "vitest"
import { type Running, walletOf } from "./devnetClient.js"
import type * as Tab from "./tab.js"
import { chainNamed, eventually, opened, requestOf, stepsOf } from "./wholePage.js"

const fixture = inject("devnetFixture")
const skipped = fixture.missing === undefined ? "" : ` (skipped: ${fixture.missing})`

beforeEach(() => localStorage.clear())
afterEach(cleanup)

describe.skipIf(fixture.missing !== undefined)(`on the devnet${skipped}`, () => {
  const running = fixture as Running

  it("swaps from Solana to an EVM wallet after a flip", async () => {
    const { now } = await opened(running, "bob")
    await eventually(() => expect(now().form.chains).toHaveLength(3))
    act(() => {
      now().form.set("destinationChain", chainNamed(running, "devnet-solana").id)
      now().form.set("amount", "25")
    })
    expect(now().form).toMatchObject({ errors: {}, recipient: walletOf(running, "erin").address })
    act(() => now().form.flip())
    expect(now().form.origin?.family).toBe("solana")
    await eventually(() => expect(now().form.canReview).toBe(true))
    const { quote, request } = now().form
    if (request === undefined) throw new Error("no request")
    expect(request.recipient).toBe(walletOf(running, "bob").address)
    act(() => void now().swap.mutate({ request, quote: quote.data }))
    await eventually(() => expect(now().swap.status).toBe("success"))
    expect(stepsOf(now().swap)).not.toContain("authorizing")
    expect(now().swap.swap).toMatchObject({ status: "settled" })
  })

  it("settles a swap after its component is unmounted and empties the store", async () => {
    const { client, hold, now, unmount } = await opened(running, "dave")
    const release = hold("/swap/status/")
    act(() => void now().swap.mutate({ request: requestOf(running, "dave") }))
    await eventually(() => expect(stepsOf(now().swap)).toContain("signed"))
    unmount()
    await waitFor(async () => expect(await client.pending()).toHaveLength(1))
    release()
    await waitFor(async () => expect(await client.pending()).toEqual([]))
  })

  it("finds and resumes a swap after a reload", async () => {
    const tab = document.body.appendChild(document.createElement("iframe"))
    const realm = tab.contentWindow as Window & { readonly eval: (code: string) => Promise<typeof Tab> }
    // How vitest rewrites dynamic imports.
    Object.assign(realm, { __vitest_browser_runner__: { wrapDynamicImport: (load: () => unknown) => load() } })
    const { open } = await realm.eval(`import(${JSON.stringify(new URL("./tab.ts", import.meta.url).href)})`)
    const request = { ...requestOf(running, "carol"), amount: "20000000" }
    await open(JSON.stringify({ fixture: running, evm: "carol", request }))
    // Removing the frame stops everything that runs in it.
    tab.remove()

    const { client, now } = await opened(running, "carol")
    await eventually(() => expect(now().resumable.data).toHaveLength(1))
    const [flow] = now().resumable.data ?? []
    act(() => void now().swap.mutate({ flowId: flow?.id ?? "" }))
    await eventually(() => expect(now().swap.status).toBe("success"))
    expect(now().swap).toMatchObject({ request: { amount: 20_000_000n }, swap: { status: "settled" } })
    await eventually(() => expect(now().resumable.data).toEqual([]))
    expect(await client.pending()).toEqual([])
    expect(localStorage).toHaveLength(0)
  })

  it("returns a rejected signature and leaves nothing in the store", async () => {
    const { requestCount, client, now } = await opened(running, "alice", { refuses: true })
    act(() => void now().swap.mutate({ request: requestOf(running, "alice") }))
    await eventually(() => expect(now().swap.status).toBe("error"))
    const { error } = now().swap
    if (!isSwapError(error) || error._tag !== "SignerError") throw new Error("not SignerError")
    expect(error.reason).toBe("rejected")
    expect(requestCount("/swap/submit")).toBe(0)
    expect(await client.pending()).toEqual([])
  })
})
