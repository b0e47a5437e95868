import { assert, describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import * as Hash from "ox/Hash"
import { createPublicClient, custom } from "viem"
import { EvmSigner } from "../src/index.js"
import { rejection } from "../../../tooling/testing/expectError.ts"
import { account, alive, delegate, effectOf, type Hex, operation, tuple } from "./fixture.js"
import { agreement, built } from "./operations.js"
import { digestService } from "./wallets.js"

describe("the code of a delegate", () => {
  const code = "0x6080604052"
  const codeHash = Hash.keccak256(code)
  const deployment = { ...agreement.deployment, codeHash }
  const pinned = { ...operation, deployment }
  /** A node that returns this code, or the result of a function of the address, and this chain id. */
  const node = (answer: unknown, chain: unknown = "0x2105") => {
    const requested: Array<{ readonly method: string; readonly params?: unknown }> = []
    return {
      requested,
      methods: () => requested.map(({ method }) => method),
      request: (args: { readonly method: string; readonly params?: unknown }) => {
        requested.push(args)
        const [from] = args.params as ReadonlyArray<string>
        const found = typeof answer === "function" ? (answer as (at: unknown) => unknown)(from) : answer
        const answers = args.method === "eth_chainId" ? chain : found
        return answers instanceof Error ? Promise.reject(answers) : Promise.resolve(answers)
      }
    }
  }
  /** The results of verifying an operation and of signing a delegation, and the number of wallet calls. */
  const outcome = async (rpc: EvmSigner.Options["rpc"], pinnedBy: typeof agreement.deployment = deployment) => {
    const service = digestService()
    const { signAuthorization, verifyOperation } = EvmSigner.fromKeyService(service, { rpc })
    const results = await Promise.allSettled([
      verifyOperation?.({ ...operation, deployment: pinnedBy }, alive()),
      signAuthorization?.({ ...tuple, deployment: pinnedBy }, alive())
    ])
    return { results, requested: service.requested.length }
  }
  const reasons = (results: ReadonlyArray<PromiseSettledResult<unknown>>) =>
    results.map((end) => (end.status === "rejected" ? (end.reason as unknown) : end.status))

  it("is read before signing and accepted if it has the pinned hash", async () => {
    const client = node(code)
    const question = { method: "eth_getCode", params: [delegate, "latest"] }
    const { requested, results } = await outcome({ 8453: client })
    expect(reasons(results)).toStrictEqual(["fulfilled", "fulfilled"])
    expect(client.requested.filter(({ method }) => method === "eth_getCode")).toStrictEqual([question, question])
    expect(client.methods().toSorted()).toStrictEqual(["eth_chainId", "eth_chainId", "eth_getCode", "eth_getCode"])
    expect(requested).toBe(1)
  })

  it("is compared with the hash pinned for an older vault", async () => {
    const { vault } = agreement.deployment
    const moved = { delegates: [vault], vault, codeHash: Hash.keccak256("0x00") }
    const pinning = (hash: typeof codeHash) => ({ ...moved, older: [{ delegate, vault, codeHash: hash }] })
    const { verifyOperation } = EvmSigner.fromKeyService(digestService(), { rpc: { 8453: node(code) } })
    await verifyOperation?.({ ...operation, deployment: pinning(codeHash) }, alive())
    await expect(
      verifyOperation?.({ ...operation, deployment: pinning(moved.codeHash) }, alive())
    ).rejects.toMatchObject({
      field: "codeHash"
    })
  })

  it("may be read by a viem client and pinned in upper case", async () => {
    const client = createPublicClient({ transport: custom(node(code)) })
    const spelt = `0x${codeHash.slice(2).toUpperCase()}` as const
    const { results } = await outcome({ 8453: client }, { ...deployment, codeHash: spelt })
    expect(reasons(results)).toStrictEqual(["fulfilled", "fulfilled"])
  })

  it.each([
    ["another code", "0x6080604053", Hash.keccak256("0x6080604053")],
    ["no code", "0x", `no code at ${delegate} on chain 8453`]
  ])("is refused if the chain has %s", async (_, answer, found) => {
    const { requested, results } = await outcome({ 8453: node(answer) })
    const refusal = expect.objectContaining({
      _tag: "UnsafeOperation",
      field: "codeHash",
      expected: codeHash,
      found
    }) as unknown
    expect(reasons(results)).toStrictEqual([refusal, refusal])
    expect(requested).toBe(0)
  })

  it.each([
    ["fails", new Error("429"), "a request to options.rpc[8453] failed"],
    ["answers with undefined", undefined, "options.rpc[8453] returned undefined for eth_getCode"],
    ["answers with null", null, "options.rpc[8453] returned null for eth_getCode"],
    ["answers with invalid code", "0x123", "options.rpc[8453] returned a string of 5 characters for eth_getCode"],
    ["answers with a page", "<html>", "options.rpc[8453] returned a string of 6 characters for eth_getCode"]
  ])("fails without signing if the node %s", async (_, answer, why) => {
    const { requested, results } = await outcome({ 8453: node(answer) })
    const message = `Nothing was signed, because the code at ${delegate} on chain 8453 could not be read: ${why}.`
    const failure = expect.objectContaining({ _tag: "SignerError", reason: "failed", message }) as unknown
    expect(reasons(results)).toStrictEqual([failure, failure])
    expect(requested).toBe(0)
  })

  it.each([
    [
      "of another chain",
      "0x1",
      "options.rpc[8453] is connected to chain 1. Pass a client for chain 8453, or switch the wallet to that chain"
    ],
    ["of another chain, as a number", 10, "options.rpc[8453] is connected to chain 10."],
    ["of chain 0", "0x0", "options.rpc[8453] returned a string of 3 characters for eth_chainId"],
    ["with an empty chain id", "", "options.rpc[8453] returned an empty string for eth_chainId"],
    ["whose chain id is an object", {}, "options.rpc[8453] returned an object for eth_chainId"],
    ["whose chain id is an array", ["0x2105"], "options.rpc[8453] returned an array for eth_chainId"],
    ["that refuses eth_chainId", new Error("429"), "a request to options.rpc[8453] failed"]
  ])("fails without signing if the client is one %s", async (_, chain, why) => {
    const client = node(code, chain)
    const { requested, results } = await outcome({ 8453: client })
    const message = expect.stringContaining(`on chain 8453 could not be read: ${why}`) as unknown
    const failure = expect.objectContaining({ _tag: "SignerError", reason: "failed", message }) as unknown
    expect(reasons(results)).toStrictEqual([failure, failure])
    expect(client.methods()).toStrictEqual(["eth_chainId", "eth_chainId"])
    expect(requested).toBe(0)
  })

  it.each(["0x2105", "0x02105", 8453, "8453"])("may be read by a client with chain id %s", async (chain) => {
    expect(reasons((await outcome({ 8453: node(code, chain) })).results)).toStrictEqual(["fulfilled", "fulfilled"])
  })

  it.each(["0x", "0x12", codeHash.slice(2), `${codeHash}00`, `0x${"g".repeat(64)}`, "", null, 7, false, {}])(
    "is refused before any request if the pinned hash is %s",
    async (given) => {
      const client = node(code)
      const { requested, results } = await outcome({ 8453: client }, { ...deployment, codeHash: given as Hex })
      const refusal = expect.objectContaining({ _tag: "UnsafeOperation", field: "codeHash" }) as unknown
      expect(reasons(results)).toStrictEqual([refusal, refusal])
      expect(client.requested).toHaveLength(0)
      expect(requested).toBe(0)
    }
  )

  it("is accepted up to 128 KiB", async () => {
    const sized = async (bytes: number) => {
      const large = `0x${"60".repeat(bytes)}` as const
      return reasons((await outcome({ 8453: node(large) }, { ...deployment, codeHash: Hash.keccak256(large) })).results)
    }
    expect(await sized(131_072)).toStrictEqual(["fulfilled", "fulfilled"])
    const message = `Nothing was signed, because the code at ${delegate} on chain 8453 could not be read: options.rpc[8453] returned more than 128 KiB.`
    const failure = expect.objectContaining({ _tag: "SignerError", reason: "failed", message }) as unknown
    expect(await sized(131_073)).toStrictEqual([failure, failure])
  })

  it("is read for the requested delegate if several are pinned", async () => {
    const second: Hex = "0x00000000000000000000000000000000000000bb"
    const both = { ...deployment, delegates: [delegate, second] }
    const client = node((at: string) => (at === second ? "0x6080604053" : code))
    const { signAuthorization, verifyOperation } = EvmSigner.fromKeyService(digestService(), { rpc: { 8453: client } })
    for (const at of [delegate, second]) {
      const results = await Promise.allSettled([
        verifyOperation?.({ ...built(agreement, { geoOp: { delegate: at } }), deployment: both }, alive()),
        signAuthorization?.({ ...tuple, address: at, deployment: both }, alive())
      ])
      const refusal = expect.objectContaining({ field: "codeHash", found: Hash.keccak256("0x6080604053") }) as unknown
      expect(reasons(results)).toStrictEqual(at === second ? [refusal, refusal] : ["fulfilled", "fulfilled"])
    }
  })

  it.effect("fails if the node takes more than 10 s in total", () =>
    Effect.gen(function* () {
      const waiting: Array<(chain: string) => void> = []
      const methods: Array<string> = []
      const request = ({ method }: { readonly method: string }) => {
        methods.push(method)
        return new Promise<string>((resolve) => waiting.push(resolve))
      }
      const { verifyOperation } = effectOf(EvmSigner.layerAccount(account, { rpc: { 8453: { request } } }))
      yield* TestClock.setTime(Date.now())
      const fiber = yield* Effect.forkChild(Effect.flip(verifyOperation?.(pinned) ?? Effect.void))
      yield* TestClock.adjust(6_000)
      waiting[0]?.("0x2105")
      while (methods.length < 2) yield* Effect.promise(() => Promise.resolve())
      yield* TestClock.adjust(4_000)
      const error = yield* Fiber.join(fiber)
      assert.include(String(error), "did not respond within 10 s")
    })
  )

  it.effect("fails if the node never answers", () =>
    Effect.gen(function* () {
      const rpc = { 8453: { request: () => new Promise<never>(() => undefined) } }
      const { verifyOperation } = effectOf(EvmSigner.layerAccount(account, { rpc }))
      yield* TestClock.setTime(Date.now())
      const fiber = yield* Effect.forkChild(Effect.flip(verifyOperation?.(pinned) ?? Effect.void))
      yield* TestClock.adjust(10_000)
      const error = yield* Fiber.join(fiber)
      assert.deepInclude(error, { _tag: "SignerError", reason: "failed" })
      assert.include(String(error), "did not respond within 10 s")
    })
  )

  it.each([
    ["no client is configured", undefined, deployment],
    ["no client of that chain is configured", { 1: node(new Error("not called")) }, deployment],
    ["no hash is pinned", { 8453: node(new Error("not called")) }, agreement.deployment]
  ])("is not read if %s", async (_, rpc, pinnedBy) => {
    const { requested, results } = await outcome(rpc, pinnedBy)
    expect(reasons(results)).toStrictEqual(["fulfilled", "fulfilled"])
    expect(requested).toBe(1)
  })

  it("is not read if the operation is refused anyway", async () => {
    const client = node(code)
    const { verifyOperation } = EvmSigner.fromAccount(account, { rpc: { 8453: client } })
    const lie = { ...built(agreement, { geoOp: { amount: 1n } }), deployment }
    expect(await rejection(Promise.resolve(verifyOperation?.(lie, alive())))).toMatchObject({ field: "amount" })
    expect(client.requested).toHaveLength(0)
  })
})
