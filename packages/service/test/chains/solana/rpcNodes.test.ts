import { layer } from "@effect/vitest"
import { Proxy } from "@geoswap/devnet"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { expect } from "vitest"
import { isChosen } from "../../../../../tooling/testing/matrix.js"
import type { ChainUnavailable, Impossible, Misconfigured, Refused } from "../../../src/chains/ChainError.js"
import type { SolanaChain } from "../../../src/chains/Chains.js"
import { chainAt, collectJob, direct, finalitySlots, native, person, sendJob, Svm, usdc } from "./fixture.js"

type Call = (by: SolanaChain) => Effect.Effect<unknown, ChainUnavailable | Impossible | Misconfigured | Refused>
const named = <Name extends string>(all: Readonly<Record<Name, Call>>) => all

/** All operations that query a node. */
const calls = Effect.gen(function* () {
  const { chain, svm } = yield* direct
  const wallet = person(0)
  const collect = yield* collectJob(chain, wallet, 5n)
  const deliver = sendJob("deliver", wallet.address, 5n)
  const sent = yield* chain.sign(yield* chain.prepare(deliver), undefined)
  yield* chain.broadcast(sent)
  const old = sendJob("deliver", wallet.address, 6n)
  const unsent = yield* chain.sign(yield* chain.prepare(old), undefined)
  yield* svm.mine(finalitySlots)
  const memo = `geoswap:${collect.orderId}:${collect.terms}`
  return named({
    verify: (by) => by.verify,
    balanceOf: (by) => by.balanceOf(usdc, wallet.address),
    "balanceOf lamports": (by) => by.balanceOf(native, wallet.address),
    inventoryOf: (by) => by.inventoryOf(usdc),
    balanceAt: (by) => by.balanceAt(usdc, wallet.address, 1n),
    heldAt: (by) => by.heldAt(native, 1n),
    lacksAccount: (by) => by.lacksAccount(usdc, wallet.address),
    buildCollect: (by) => by.buildCollect({ wallet: wallet.address, token: usdc, amount: 5n, memo }),
    "prepare a collect": (by) => by.prepare(collect),
    "prepare a delivery": (by) => by.prepare(deliver),
    "prepare a refund": (by) => by.prepare({ ...deliver, kind: "refund", opensAccount: false }),
    "sign a delivery": (by) => by.sign({ relayer: by.relayer, plan: { sends: [deliver], units: 100_000 } }, undefined),
    broadcast: (by) => by.broadcast(sent),
    "observe what is done": (by) => by.observe(deliver, [sent]),
    "observe what waits": (by) => by.observe(old, [unsent])
  })
})

/** For nodes that do not answer in time. */
const impatient = { timeoutMillis: 300 }

const tricks = (
  [
    ["answers 500", Proxy.httpStatus(500), "HTTP 500"],
    ["answers 429", Proxy.rateLimit(60), "HTTP 429|refuses calls for 60 s"],
    ["refuses", Proxy.rpcError(-32005, "Node is behind by 42 slots", { numSlotsBehind: 42 }), "-32005"],
    ["does not know the method", Proxy.rpcError(-32601, "Method not found"), "-32601"],
    ["answers too late", Proxy.delay(60_000), "within 300 ms"],
    ["never answers", Proxy.loseAnswer, "within 300 ms"],
    ["hangs up", Proxy.hangUp, "could not be reached"],
    ["breaks off", Proxy.truncate(20), "returned an invalid response"],
    ["answers nothing", Proxy.change(() => null), "invalid response"],
    ["answers an empty object", Proxy.change(() => ({})), "invalid response"],
    ["answers a list", Proxy.change(() => [1, 2]), "invalid response"]
  ] as const
).map(([name, trick, words], row) => ({ name, trick, words, row }))

layer(Svm.layer)("a Solana node that fails", (it) => {
  // By default, every operation meets every third failure.
  it.effect.each(tricks)("that $name is unavailable, and proves nothing", ({ name, row, trick, words }) =>
    Effect.gen(function* () {
      const svm = yield* Svm
      const proxy = yield* Proxy.make({ target: svm.rpcUrl })
      const isSlow = name === "answers too late" || name === "never answers"
      const chain = yield* chainAt([proxy.rpcUrl], isSlow ? impatient : {})
      const all = yield* calls
      yield* proxy.set("*", trick)
      yield* Effect.forEach(
        Object.entries(all).filter((_, column) => isChosen(row, column, 3)),
        ([what, call]) =>
          Effect.gen(function* () {
            const error = yield* Effect.flip(call(chain))
            expect([what, error]).toMatchObject([what, { _tag: "ChainUnavailable", chainId: 31339 }])
            expect([what, error.message]).toEqual([what, expect.stringMatching(words)])
            expect(error.message).toContain(new URL(proxy.rpcUrl).host)
            expect([what, error]).toHaveProperty("1.timeout", isSlow)
          }),
        { concurrency: "unbounded" }
      )
      yield* proxy.clear()
      // A node that answered with status 429 is called again after the time that it named, which is at most a minute.
      yield* TestClock.adjust("1 minute")
      if (!isSlow) yield* all.balanceOf(chain)
    })
  )

  it.effect("is unavailable if it redirects, and is not followed", () =>
    Effect.gen(function* () {
      const svm = yield* Svm
      const target = yield* Proxy.make({ target: svm.rpcUrl })
      const server = createServer((_, response) => response.writeHead(307, { location: target.rpcUrl }).end())
      yield* Effect.acquireRelease(
        Effect.promise(() => new Promise<void>((listening) => void server.listen(0, "127.0.0.1", listening))),
        () => Effect.sync(() => server.close())
      )
      const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
      const chain = yield* chainAt([`http://${host}/secret-key`])
      const error = yield* Effect.flip(chain.balanceOf(usdc, person(0).address))
      expect(error.message).toBe(`${host} responded to getMultipleAccounts with a redirect, which is not followed.`)
      expect(yield* target.calls()).toBe(0)
    })
  )

  it.effect("is unavailable while it is down", () =>
    Effect.gen(function* () {
      const svm = yield* Svm
      const proxy = yield* Proxy.make({ target: svm.rpcUrl })
      const chain = yield* chainAt([proxy.rpcUrl])
      yield* proxy.down
      for (const call of Object.values(yield* calls)) {
        const error = yield* Effect.flip(call(chain))
        expect(error).toMatchObject({ _tag: "ChainUnavailable", timeout: false })
        expect(error.message).toContain("ECONNREFUSED")
      }
      yield* proxy.up
      yield* chain.verify
    })
  )

  it.effect("yields no observation, no matter at which request it fails", () =>
    Effect.gen(function* () {
      const svm = yield* Svm
      const proxy = yield* Proxy.make({ target: svm.rpcUrl })
      const chain = yield* chainAt([proxy.rpcUrl])
      const all = yield* calls
      for (const method of ["getEpochInfo", "getSignatureStatuses", "getTransaction"]) {
        for (const trick of [Proxy.httpStatus(503), Proxy.hangUp, Proxy.truncate(30)]) {
          yield* proxy.set(method, trick)
          expect(yield* Effect.flip(all["observe what is done"](chain))).toMatchObject({ _tag: "ChainUnavailable" })
          yield* proxy.clear()
        }
      }
      yield* svm.expireBlockhashes
      yield* svm.mine(finalitySlots)
      expect(yield* all["observe what waits"](chain)).toMatchObject({ _tag: "Dead" })
      for (const method of ["isBlockhashValid", "getFirstAvailableBlock"]) {
        yield* proxy.set(method, Proxy.httpStatus(503))
        expect(yield* Effect.flip(all["observe what waits"](chain))).toMatchObject({ _tag: "ChainUnavailable" })
        yield* proxy.clear()
      }
      yield* proxy.set("getEpochInfo", Proxy.httpStatus(503))
      expect(yield* Effect.flip(all["prepare a collect"](chain))).toMatchObject({ _tag: "ChainUnavailable" })
    })
  )

  it.effect("is skipped for the next one, and tried last for a while", () =>
    Effect.gen(function* () {
      const svm = yield* Svm
      const [first, second] = [yield* Proxy.make({ target: svm.rpcUrl }), yield* Proxy.make({ target: svm.rpcUrl })]
      const chain = yield* chainAt([first.rpcUrl, second.rpcUrl], { quorum: 1 })
      const all = yield* calls
      const count = Effect.all([first.calls(), second.calls()])
      yield* all.balanceOf(chain)
      expect(yield* count).toEqual([1, 0])
      yield* first.set("*", Proxy.httpStatus(503))
      yield* all.balanceOf(chain)
      yield* all.balanceOf(chain)
      expect(yield* count).toEqual([2, 2])
      yield* second.down
      const error = yield* Effect.flip(all.balanceOf(chain))
      expect(error).toMatchObject({ _tag: "ChainUnavailable", timeout: false })
      for (const { rpcUrl } of [first, second]) expect(error.message).toContain(new URL(rpcUrl).host)
      yield* first.clear()
      for (const call of Object.values(all)) yield* call(chain)
    })
  )

  it.effect("is asked for the relayer's funds once per poll interval, unless a newer slot is needed", () =>
    Effect.gen(function* () {
      const svm = yield* Svm
      const node = yield* Proxy.make({ target: svm.rpcUrl })
      const chain = yield* chainAt([node.rpcUrl], { pollMillis: 60_000 })
      const lamports = yield* chain.balanceOf(native, chain.relayer)
      const reads = node.calls("getMultipleAccounts")
      const before = yield* reads
      const funds = yield* chain.fundsAt(0n)
      // The account must keep the rent for an account without data.
      expect(funds.amount).toBe(lamports - 890_880n)
      expect(yield* Effect.all([chain.fundsAt(0n), chain.fundsAt(funds.block)], { concurrency: 2 })).toEqual([
        funds,
        funds
      ])
      expect((yield* reads) - before).toBe(1)
      yield* svm.mine(1)
      const next = yield* chain.fundsAt(funds.block + 1n)
      expect(next).toEqual({ amount: funds.amount, block: expect.any(BigInt) as bigint })
      expect(next.block).toBeGreaterThan(funds.block)
      yield* TestClock.adjust("1 minute")
      yield* chain.fundsAt(0n)
      expect((yield* reads) - before).toBe(3)
      expect(yield* Effect.flip(chain.fundsAt(next.block + 1_000n))).toMatchObject({ behind: true })
    })
  )

  it.effect("is skipped for one that is not behind, if a balance at a slot is needed", () =>
    Effect.gen(function* () {
      const svm = yield* Svm
      const [first, second] = [yield* Proxy.make({ target: svm.rpcUrl }), yield* Proxy.make({ target: svm.rpcUrl })]
      const chain = yield* chainAt([first.rpcUrl, second.rpcUrl])
      const { amount, block } = yield* chain.heldAt(usdc, 0n)
      expect(yield* chain.balanceAt(usdc, chain.vault, block)).toEqual({ amount, block })
      expect(yield* chain.inventoryOf(usdc)).toBe(amount)
      const behind = Proxy.change((answer) => ({ ...(answer as object), context: { slot: Number(block) - 1 } }))
      yield* first.set("getMultipleAccounts", behind)
      expect(yield* chain.heldAt(usdc, block)).toEqual({ amount, block })
      yield* second.set("getMultipleAccounts", behind)
      const error = yield* Effect.flip(chain.heldAt(usdc, block))
      expect(error).toMatchObject({ _tag: "ChainUnavailable", timeout: false, behind: true })
      expect(error.message).toContain(`is at slot ${block - 1n}, but slot ${block} is required.`)
      expect(yield* chain.heldAt(usdc, block - 1n)).toEqual({ amount, block: block - 1n })
      yield* svm.mine(1)
      yield* second.clear()
      const next = yield* chain.heldAt(usdc, block + 1n)
      expect(next.block).toBeGreaterThan(block)
    })
  )

  it.effect("causes a timeout only if every node is too slow", () =>
    Effect.gen(function* () {
      const svm = yield* Svm
      const [first, second] = [yield* Proxy.make({ target: svm.rpcUrl }), yield* Proxy.make({ target: svm.rpcUrl })]
      const chain = yield* chainAt([first.rpcUrl, second.rpcUrl], impatient)
      yield* first.set("*", Proxy.loseAnswer)
      yield* second.set("*", Proxy.loseAnswer)
      const balance = Effect.flip(chain.balanceOf(usdc, person(0).address))
      expect(yield* balance).toMatchObject({ _tag: "ChainUnavailable", timeout: true })
      yield* second.down
      expect(yield* balance).toMatchObject({ _tag: "ChainUnavailable", timeout: false })
    })
  )

  it.effect("is not switched during an observation", () =>
    Effect.gen(function* () {
      const svm = yield* Svm
      const [first, second] = [yield* Proxy.make({ target: svm.rpcUrl }), yield* Proxy.make({ target: svm.rpcUrl })]
      const chain = yield* chainAt([first.rpcUrl, second.rpcUrl])
      yield* first.set("getSignatureStatuses", Proxy.httpStatus(503))
      expect(yield* (yield* calls)["observe what waits"](chain)).toEqual({ _tag: "Waiting" })
      // The second node received all requests again.
      expect(yield* second.calls("getEpochInfo")).toBe(1)
      expect(yield* second.calls("getSignatureStatuses")).toBe(1)
    })
  )

  it.effect("accepts a transaction that it already has", () =>
    Effect.gen(function* () {
      const svm = yield* Svm
      const proxy = yield* Proxy.make({ target: svm.rpcUrl })
      const chain = yield* chainAt([proxy.rpcUrl])
      const { broadcast } = yield* calls
      const refusal = (err: unknown) =>
        Proxy.rpcError(-32002, "Transaction simulation failed", { err, logs: [], unitsConsumed: 0 })
      yield* proxy.set("sendTransaction", refusal("AlreadyProcessed"))
      yield* broadcast(chain)
      yield* proxy.set("sendTransaction", refusal("BlockhashNotFound"))
      expect(yield* Effect.flip(broadcast(chain))).toMatchObject({ _tag: "ChainUnavailable" })
    })
  )

  it.effect("receives no transaction if there are relays, from which nothing is read", () =>
    Effect.gen(function* () {
      const svm = yield* Svm
      const make = Proxy.make({ target: svm.rpcUrl })
      const [reader, one, two] = [yield* make, yield* make, yield* make]
      const chain = yield* chainAt([reader.rpcUrl], { sendUrls: [one.rpcUrl, two.rpcUrl] })
      const job = sendJob("deliver", person(0).address, 7n)
      const sent = yield* chain.sign(yield* chain.prepare(job), undefined)
      yield* one.down
      yield* chain.broadcast(sent)
      yield* svm.mine(finalitySlots)
      expect(yield* chain.observe(job, [sent])).toMatchObject({ _tag: "Done", hash: sent.hash })
      expect(yield* two.callsByMethod).toEqual({ sendTransaction: 1 })
      expect(yield* reader.calls("sendTransaction")).toBe(0)
    })
  )

  it.effect("receives the credentials of its URL, which are not in messages", () =>
    Effect.gen(function* () {
      const seen: Array<string | undefined> = []
      const server = createServer((request, response) => {
        seen.push(request.headers.authorization, request.url)
        // A node that repeats what it was given.
        const error = { code: -32602, message: `no such key: s3cr3t-path s3cr3t-query p4ss%2F%C3%A9` }
        response.end(JSON.stringify({ jsonrpc: "2.0", id: 1, error }))
      })
      yield* Effect.acquireRelease(
        Effect.promise(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))),
        () => Effect.sync(() => server.close())
      )
      const { port } = server.address() as AddressInfo
      const chain = yield* chainAt([`http://us3r:p4ss%2F%C3%A9@127.0.0.1:${port}/v2/s3cr3t-path?key=s3cr3t-query`])
      const error = yield* Effect.flip(chain.balanceOf(usdc, person(0).address))
      expect(seen).toEqual([
        `Basic ${Buffer.from("us3r:p4ss/é").toString("base64")}`,
        "/v2/s3cr3t-path?key=s3cr3t-query"
      ])
      expect(error.message).toContain(`127.0.0.1:${port}`)
      expect(error.message).toContain("no such key")
      expect(JSON.stringify(error)).not.toMatch(/s3cr3t|p4ss|us3r/)
    })
  )
})
