/** Tests a client as a user of the package would: only with the built entry points for promises. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { execFile } from "node:child_process"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { fileStore } from "@geoswap/core/node/promise"
import { createClient, isSwapError, tokenResolver } from "@geoswap/core/promise"
import {
  createTestKit,
  evmRequest,
  Fault,
  pumpTimers,
  scriptedEvmSigner,
  scriptedService,
  scriptedSolanaSigner,
  SignerFault,
  solanaRequest,
  virtualClock
} from "@geoswap/core/testing/promise"
import { afterEach, assert, describe, expect, it, vi } from "vitest"

const tenMinutes = 600_000

/** The error that a promise rejects with. */
const rejection = async (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    (value) => expect.fail(`should have been rejected, but returned ${JSON.stringify(value)}`),
    (error: unknown) => error
  )

describe("a test kit", () => {
  it("runs a swap of ten minutes on the virtual clock", async () => {
    const { clock, options, service } = createTestKit()
    service.ends("settled", tenMinutes)
    const start = clock.now()
    const swap = await createClient(options).execute(evmRequest)
    expect(swap.status).toBe("settled")
    // The test's timeout is shorter than this.
    expect(clock.now() - start).toBe(tenMinutes)
  })

  it.each([
    ["EVM", evmRequest],
    ["Solana", solanaRequest]
  ])("swaps from %s and reports the steps, the requests and the signatures", async (_, request) => {
    const { evm, options, service, solana } = createTestKit()
    const steps: Array<string> = []
    const { swapId, status } = await createClient(options).execute(request, {
      onProgress: ({ type }) => void steps.push(type)
    })
    expect([status, service.swaps.map((swap) => swap.swapId)]).toEqual(["settled", [swapId]])
    expect(steps.slice(-2)).toEqual(["status", "done"])
    expect(service.seen("quote")[0]?.body).toMatchObject({ amount: String(request.amount) })
    expect(evm.seen("signOperation").length + solana.seen("signTransaction").length).toBe(1)
  })

  it.each(["settled", "failed", "refunded"] as const)("ends a swap as %s", async (outcome) => {
    const { options, service } = createTestKit()
    service.ends(outcome, 30_000)
    expect((await createClient(options).execute(evmRequest)).status).toBe(outcome)
  })

  it("times out on the virtual clock if the swap never ends", async () => {
    const { clock, options, service } = createTestKit()
    service.ends("never")
    const start = clock.now()
    const error = await rejection(createClient(options).execute(evmRequest))
    expect(error).toMatchObject({ _tag: "WaitTimeout", swapId: service.swaps[0]?.swapId })
    expect(clock.now() - start).toBeGreaterThanOrEqual(900_000)
  })

  it("retries after a lost response, as one swap", async () => {
    const { options, service } = createTestKit()
    service.next("submit", Fault.disconnect({ after: true }), Fault.rateLimited(20))
    expect((await createClient(options).execute(evmRequest)).status).toBe("settled")
    const [first, second, third] = service.seen("submit").map(({ at }) => at)
    expect(service.swaps).toHaveLength(1)
    expect(Number(second) - Number(first)).toBeGreaterThan(0)
    expect(Number(third) - Number(second)).toBeGreaterThanOrEqual(20_000)
  })

  it("sends a response of your own", async () => {
    const { options, service } = createTestKit()
    service.next("chains", Fault.reply({ chains: [] }))
    service.next("quote", Fault.reply({ code: "NO_ROUTE", message: "No route today." }, { status: 422 }))
    const client = createClient(options)
    expect(await client.chains()).toEqual([])
    expect(await rejection(client.quote(evmRequest))).toMatchObject({ _tag: "NoRoute", code: "NO_ROUTE" })
  })

  it("delays a response up to the client's timeout", async () => {
    const { clock, options, service } = createTestKit()
    service.next("quote", Fault.delay(20_000))
    const client = createClient(options)
    const start = clock.now()
    await client.quote(evmRequest)
    expect(clock.now() - start).toBe(20_000)
    service.always("quote", Fault.hang())
    expect(await rejection(client.quote(evmRequest, { timeout: 5_000 }))).toMatchObject({ reason: "timeout" })
    expect(clock.now() - start).toBe(25_000)
  })

  it("ends a swap at a time that the test chooses", async () => {
    const { clock, options, service } = createTestKit()
    service.ends("never")
    const seen: Array<string> = []
    for await (const event of createClient(options).executeStream(evmRequest)) {
      seen.push(event.type)
      if (event.type !== "submitted") continue
      void clock.sleep(120_000).then(() => service.finish(event.swap.swapId, "refunded"))
    }
    expect(seen.at(-1)).toBe("done")
    expect(service.swaps.map(({ status }) => status)).toEqual(["refunded"])
  })

  it("rejects an unknown API key", async () => {
    const { options, service } = createTestKit()
    const client = createClient({ ...options, transport: service.as(undefined) })
    expect(await rejection(client.quote(evmRequest))).toMatchObject({ _tag: "Unauthorized" })
  })

  it("reads the chains through the readers", async () => {
    const { options, service } = createTestKit()
    const { readers } = service
    const wallet = evmRequest.walletAddress
    service.setBalance({ chainId: evmRequest.originChain, token: evmRequest.inputToken, wallet }, 25_000_000n)
    const tokens = tokenResolver({ network: service.network, readers })
    const [balance] = await tokens.balances({ evm: wallet })
    expect(balance?.amount).toBe(25_000_000n)
    service.always("submit", Fault.disconnect())
    const client = createClient({ ...options, readers })
    const error = await rejection(client.execute(evmRequest))
    assert(isSwapError(error) && error._tag === "OutcomeUnknown", String(error))
    service.always("submit", Fault.pass)
    expect((await client.resume(error.flowId)).status).toBe("settled")
  })

  it("gives every test its own state", async () => {
    const [one, other] = [createTestKit(), createTestKit()]
    await createClient(one.options).execute(evmRequest)
    expect([one.service.swaps.length, other.service.swaps.length, other.evm.calls.length]).toEqual([1, 0, 0])
  })
})

describe("a scripted signer", () => {
  it("declines, fails, or rejects with your own error", async () => {
    const { evm, options, service } = createTestKit()
    const client = createClient(options)
    evm.next("signOperation", SignerFault.decline(), SignerFault.fail("The device is locked."))
    expect(await rejection(client.execute(evmRequest))).toMatchObject({ _tag: "SignerError", reason: "rejected" })
    expect(await rejection(client.execute(evmRequest))).toMatchObject({ reason: "failed" })
    evm.next("signAuthorization", SignerFault.reject(new Error("no battery")))
    expect(String(await rejection(client.execute(evmRequest)))).toContain("no battery")
    expect(service.swaps).toEqual([])
    expect((await client.execute(evmRequest)).status).toBe("settled")
  })

  it("takes as long as a user", async () => {
    const { clock, options, solana } = createTestKit()
    solana.next("signTransaction", SignerFault.delay(40_000))
    const start = clock.now()
    expect((await createClient(options).execute(solanaRequest)).status).toBe("settled")
    expect(clock.now() - start).toBeGreaterThanOrEqual(40_000)
  })

  it("stops waiting when the call is aborted", async () => {
    const { evm, options } = createTestKit()
    const controller = new AbortController()
    evm.always("signOperation", SignerFault.hang)
    const running = rejection(
      createClient(options).execute(evmRequest, {
        signal: controller.signal,
        onProgress: ({ type }) => {
          if (type === "verified") controller.abort(new Error("closed"))
        }
      })
    )
    expect(await running).toMatchObject({ message: "closed" })
  })

  it("may be unable to sign authorizations", async () => {
    const { clock, options } = createTestKit()
    const evm = scriptedEvmSigner({ clock, capabilities: { authorization: false } })
    const client = createClient({ ...options, signers: { evm } })
    expect(await rejection(client.execute(evmRequest))).toMatchObject({ _tag: "SignerError" })
    expect(evm.seen("signAuthorization")).toEqual([])
  })
})

describe("a virtual clock", () => {
  it("advances only in steps of the test in manual mode", async () => {
    const kit = createTestKit({ clock: virtualClock({ mode: "manual", start: 1_800_000_000_000 }) })
    kit.service.ends("settled", tenMinutes)
    let status = "none"
    const running = createClient(kit.options).execute(evmRequest, {
      onProgress: (event) => {
        if (event.type === "status") status = event.swap.status
      }
    })
    await kit.clock.advance(tenMinutes - 1)
    expect([status, kit.clock.now()]).toEqual(["pending", 1_800_000_000_000 + tenMinutes - 1])
    await kit.clock.advance(1)
    expect((await running).status).toBe("settled")
  })

  it("wakes sleepers in the order of their times", async () => {
    const clock = virtualClock()
    const woken: Array<string> = []
    const sleep = async (name: string, millis: number) => {
      await clock.sleep(millis)
      woken.push(name)
    }
    await Promise.all([sleep("late", 3_000), sleep("first", 1_000), sleep("second", 1_000), sleep("now", 0)])
    expect(woken).toEqual(["now", "first", "second", "late"])
  })

  it("rejects an aborted sleep with its reason, without waiting", async () => {
    const clock = virtualClock()
    const controller = new AbortController()
    const start = clock.now()
    const sleeping = rejection(clock.sleep(1_000, controller))
    controller.abort("enough")
    expect(await sleeping).toBe("enough")
    expect(await rejection(clock.sleep(1_000, controller))).toBe("enough")
    expect(clock.now()).toBe(start)
  })

  it("fails a program that waits forever", async () => {
    const { options, service } = createTestKit({ clock: virtualClock({ limit: 3_600_000 }) })
    service.ends("never")
    const error = await rejection(createClient(options).execute(evmRequest, { timeout: 1e12 }))
    expect(String(error)).toContain("still waiting after 3600 s on the virtual clock")
  })

  it("does not advance while a file is written", async () => {
    const folder = mkdtempSync(join(tmpdir(), "geoswap-testing-"))
    try {
      const { clock, options, service } = createTestKit()
      service.ends("settled", 1_000)
      const client = createClient({
        ...options,
        store: clock.pausedBy(fileStore(join(folder, "store"))),
        // A clock that advanced during a write would exceed this timeout.
        settings: { requestTimeout: 20_000 }
      })
      const start = clock.now()
      const swap = await client.execute(evmRequest, { idempotencyKey: "order-1" })
      expect(swap.status).toBe("settled")
      expect(await client.execute(evmRequest, { idempotencyKey: "order-1" })).toMatchObject({ swapId: swap.swapId })
      expect(clock.now() - start).toBe(1_000)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })

  it("waits for a function that does real work", async () => {
    const clock = virtualClock()
    const start = clock.now()
    let early = true
    const work = clock.pausedBy(async () => {
      await promisify(execFile)(process.execPath, ["--version"])
      early = false
    })
    const working = work()
    await clock.sleep(1)
    expect([early, clock.now() - start]).toEqual([false, 1])
    await working
  })
})

describe("pumpTimers", () => {
  afterEach(() => {
    vi.useRealTimers()
  })

  const start = () => {
    const service = scriptedService()
    service.ends("settled", tenMinutes)
    const signers = { evm: scriptedEvmSigner(), solana: scriptedSolanaSigner() }
    return createClient({ transport: service.transport, signers, network: service.network })
  }

  it.each([
    ["all of vitest's fake timers", undefined],
    ["fake setTimeout and Date only", ["setTimeout", "clearTimeout", "Date"] as const]
  ])("runs a swap of ten minutes on %s", async (_, toFake) => {
    vi.useFakeTimers(toFake && { toFake: [...toFake] })
    const before = Date.now()
    const swap = await pumpTimers(start().execute(evmRequest), () => vi.advanceTimersToNextTimerAsync())
    expect(swap.status).toBe("settled")
    expect(Date.now() - before).toBeGreaterThanOrEqual(tenMinutes)
    expect(Date.now() - before).toBeLessThan(tenMinutes + 30_000)
  })

  it("starts the task, and rejects with its error", async () => {
    vi.useFakeTimers()
    const failing = () =>
      new Promise((_, reject) => {
        setTimeout(() => reject(new Error("late")), tenMinutes)
      })
    expect(await rejection(pumpTimers(failing, () => vi.advanceTimersToNextTimerAsync()))).toMatchObject({
      message: "late"
    })
  })
})

it("works in node:test", async () => {
  const program = fileURLToPath(new URL("./nodeTest.ts", import.meta.url))
  const { NODE_OPTIONS: _, NODE_TEST_CONTEXT: __, ...env } = process.env
  const { stdout } = await promisify(execFile)(process.execPath, ["--test", "--test-reporter=tap", program], {
    env
  })
  expect(stdout).toMatch(/^# pass 3$/m)
  expect(stdout).toMatch(/^# fail 0$/m)
})
