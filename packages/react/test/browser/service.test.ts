/** A swap, against the real service on real chains. */
import { act, cleanup } from "@testing-library/react"
import { afterEach, beforeEach, describe, expect, inject, it } from "vitest"
import type { Running } from "./devnetClient.js"
import { chainNamed, eventually, opened, stepsOf } from "./wholePage.js"

const fixture = inject("devnetFixture")
const skipped = fixture.missing === undefined ? "" : ` (skipped: ${fixture.missing})`

beforeEach(() => localStorage.clear())
afterEach(cleanup)

describe.skipIf(fixture.missing !== undefined)(`on the devnet${skipped}`, () => {
  const running = fixture as Running

  it("makes a first swap from the form with the shown quote", async () => {
    const { requestCount, client, now } = await opened(running, "alice")
    await eventually(() => expect(now().form.chains).toHaveLength(3))
    act(() => {
      now().form.set("originChain", String(chainNamed(running, "devnet-a").id))
      now().form.set("destinationChain", String(chainNamed(running, "devnet-b").id))
      now().form.set("outputToken", chainNamed(running, "devnet-b").tokens[1]?.address)
    })
    for (const amount of ["1", "10", "100"]) act(() => now().form.set("amount", amount))
    await eventually(() => expect(now().form.canReview).toBe(true))
    expect(requestCount("/swap/quote")).toBe(1)
    const { form } = now()
    const shown = form.quote.data
    expect(form).toMatchObject({ amount: 100_000_000n, errors: {}, refusal: undefined, isHighCost: false })
    expect(Number(form.rate?.inputPerOutput)).toBeGreaterThan(3_900)
    expect(form.quote.secondsLeft).toBeGreaterThan(0)
    await eventually(() => expect(now().form.quote.secondsLeft).toBeLessThan(form.quote.secondsLeft ?? 0))
    await eventually(() => expect(now().delegation.data?.delegated).toBe(false))

    const { request } = form
    if (request === undefined || shown === undefined) throw new Error("no request, or no quote")
    act(() => void now().swap.mutate({ request, quote: shown }))
    await eventually(() => expect(now().swap.status).toBe("success"))
    expect(stepsOf(now().swap)).toEqual(
      expect.arrayContaining(["quoted", "authorizing", "signed", "submitted", "done"])
    )
    expect(requestCount("/swap/quote")).toBe(1)
    const [first] = now().swap.events
    expect(first?.event.type === "quoted" && first.event.quote.output).toBe(shown.output)
    expect(now().swap.swap?.status).toBe("settled")
    expect(now().swap.swap?.deliveryTxHash).toMatch(/^0x/)
    expect(await client.pending()).toEqual([])

    await eventually(() => expect(now().status.data?.status).toBe("settled"))
    await eventually(() => expect(now().delegation.data?.delegated).toBe(true))
  })
})
