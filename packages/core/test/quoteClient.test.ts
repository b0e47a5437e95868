import { describe, expect, it } from "vitest"
import { createClient, createQuoteClient, tokenResolver } from "../src/promise.js"
import { createTestKit, evmRequest, Fault } from "../src/testing/promise.js"

const { walletAddress: _, ...anyone } = evmRequest

const makeKit = () => {
  const { options, service } = createTestKit()
  const { network, transport } = options
  return { service, network, client: createQuoteClient({ network, transport }), swapper: createClient(options) }
}

describe("a client that only requests prices", () => {
  it("returns the same chains and prices as a client that swaps", async () => {
    const { client, network, service, swapper } = makeKit()
    expect(await client.chains()).toEqual(await swapper.chains())
    const request = await tokenResolver({ network }).request("10 USDC@base", "USDC@arbitrum")
    const { minOutput, output } = await client.indicativeQuote(request)
    expect({ output, minOutput }).toEqual({ output: 10_000_000n, minOutput: 9_950_000n })
    expect(await client.indicativeQuote(request)).toEqual(await swapper.indicativeQuote(request))
    expect((await client.quote(evmRequest)).geoQuoteToken).toMatch(/^gq1\./)
    expect(service.swaps).toEqual([])
  })

  it("refuses an invalid request before it is sent, with the families of the network", async () => {
    const { client, service } = makeKit()
    await expect(client.indicativeQuote({ ...anyone, originChain: 792703809 })).rejects.toMatchObject({
      _tag: "InvalidInput",
      field: "inputToken"
    })
    expect(service.requests).toEqual([])
  })

  it("rejects with the errors of the service", async () => {
    const { client, service } = makeKit()
    service.next("quote", Fault.refuse(422, "NO_ROUTE"))
    await expect(client.indicativeQuote(anyone)).rejects.toMatchObject({ code: "NO_ROUTE" })
  })

  it("ends a request if its signal is aborted, or after its timeout", async () => {
    const { network } = makeKit()
    const hanging = createQuoteClient({ network, transport: { send: () => new Promise(() => undefined) } })
    const reason = new Error("left the page")
    await expect(hanging.indicativeQuote(anyone, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
    const controller = new AbortController()
    const aborted = hanging.chains({ signal: controller.signal })
    controller.abort(reason)
    await expect(aborted).rejects.toBe(reason)
    await expect(hanging.quote(evmRequest, { timeout: 5 })).rejects.toMatchObject({
      _tag: "Unavailable",
      reason: "timeout"
    })
  })
})
