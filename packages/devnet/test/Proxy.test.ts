import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { createServer } from "node:http"
import { type AddressInfo, connect } from "node:net"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { rejection } from "../../../tooling/testing/expectError.ts"
import { eventually } from "../../../tooling/testing/processes.js"
import { Proxy, type RunningProxy, SolanaNode, startProxy } from "../src/index.js"
import { genesis } from "./surfpool/genesis.js"
import { clients, person, relayer, signed, swap } from "./svm.js"

describe("a proxy in front of a node", () => {
  const scope = Effect.runSync(Scope.make())
  let node: SolanaNode.SolanaNode
  let proxy: RunningProxy
  beforeAll(async () => {
    const options = { port: 0, wsPort: 0, slotTime: 40, confirmationSlots: 1, finalitySlots: 4, genesis }
    node = await Effect.runPromise(Scope.provide(SolanaNode.make(options), scope))
    proxy = await startProxy({ target: node.rpcUrl, wsTarget: node.wsUrl })
  })
  afterAll(async () => {
    await proxy.stop()
    await Effect.runPromise(Scope.close(scope, Exit.void))
  })

  const post = (body: unknown) => fetch(proxy.rpcUrl, { method: "POST", body: JSON.stringify(body) })
  const ask = (method: string, id = 1) => post({ jsonrpc: "2.0", id, method })

  it("forwards calls and websockets, so that kit confirms a swap through it, and counts calls", async () => {
    const svm = clients(proxy.rpcUrl, proxy.wsUrl)
    const { value: lifetime } = await svm.rpc.getLatestBlockhash().send()
    const transaction = await signed(await relayer(), lifetime, await swap(await person(0), 1n))
    await svm.sendAndConfirm(transaction, { commitment: "confirmed" })
    expect(await proxy.calls("sendTransaction")).toBe(1)
    expect(await proxy.forwarded("sendTransaction")).toBe(1)
    expect(await proxy.calls("getSlot")).toBe(0)
    expect(await proxy.calls()).toBeGreaterThanOrEqual(2)
  })

  it("delays one method but not another", async () => {
    await proxy.set("getHealth", Proxy.delay(3_600_000), 1)
    const calls = await proxy.calls("getHealth")
    let answered = false
    const abort = new AbortController()
    const held = fetch(proxy.rpcUrl, {
      method: "POST",
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "getHealth" }),
      signal: abort.signal
    }).finally(() => (answered = true))
    await eventually(async () => (await proxy.calls("getHealth")) > calls)
    await ask("getSlot")
    expect(answered).toBe(false)
    abort.abort()
    await expect(held).rejects.toThrow(/abort/)

    await proxy.set("getHealth", Proxy.delay(300), 1)
    const began = performance.now()
    expect(await (await ask("getHealth")).json()).toMatchObject({ result: "ok" })
    expect(performance.now() - began).toBeGreaterThanOrEqual(299)
  })

  it("hangs up, or responds with 503 or 429, without calling the node", async () => {
    const before = await proxy.forwarded("getHealth")
    await proxy.set("getHealth", Proxy.hangUp, 1)
    await expect(ask("getHealth")).rejects.toThrow("fetch failed")
    await proxy.set("getHealth", Proxy.httpStatus(503), 1)
    expect((await ask("getHealth")).status).toBe(503)
    await proxy.set("getHealth", Proxy.rateLimit(7), 1)
    const limited = await ask("getHealth")
    expect([limited.status, limited.headers.get("retry-after")]).toEqual([429, "7"])
    expect(await proxy.forwarded("getHealth")).toBe(before)
    expect(await (await ask("getHealth")).json()).toMatchObject({ result: "ok" })
  })

  it("responds with a JSON-RPC error, also for one call of a batch", async () => {
    await proxy.set("getSlot", Proxy.rpcError(-32005, "Node is behind by 42 slots", { numSlotsBehind: 42 }), 2)
    const error = { code: -32005, message: "Node is behind by 42 slots", data: { numSlotsBehind: 42 } }
    expect(await (await ask("getSlot")).json()).toEqual({ jsonrpc: "2.0", id: 1, error })
    const batch = [
      { jsonrpc: "2.0", id: 1, method: "getSlot" },
      { jsonrpc: "2.0", id: 2, method: "getHealth" }
    ]
    const answers = (await (await post(batch)).json()) as ReadonlyArray<{ readonly id: number }>
    expect(answers.toSorted((a, b) => a.id - b.id)).toMatchObject([
      { id: 1, error },
      { id: 2, result: "ok" }
    ])
  })

  it("truncates the body of a response", async () => {
    await proxy.set("getHealth", Proxy.truncate(10), 1)
    const response = await ask("getHealth")
    expect(response.status).toBe(200)
    await expect(response.text()).rejects.toThrow("terminated")
  })

  it("changes the results of one method or of all methods", async () => {
    await proxy.set(
      "*",
      Proxy.change((result) => ({ was: result }))
    )
    expect(await (await ask("getHealth")).json()).toMatchObject({ result: { was: "ok" } })
    await proxy.set(
      "getHealth",
      Proxy.change(() => "ill")
    )
    expect(await (await ask("getHealth")).json()).toMatchObject({ result: "ill" })
    await proxy.clear("getHealth")
    expect(await (await ask("getHealth")).json()).toMatchObject({ result: { was: "ok" } })
    await proxy.clear()
    expect(await (await ask("getHealth")).json()).toMatchObject({ result: "ok" })
  })

  it("lets a call take effect and never responds", async () => {
    const svm = clients(proxy.rpcUrl, proxy.wsUrl)
    const { value: lifetime } = await svm.rpc.getLatestBlockhash().send()
    const transaction = await signed(await relayer(), lifetime, await swap(await person(1), 1n))
    await proxy.set("sendTransaction", Proxy.loseAnswer, 1)
    const abort = new AbortController()
    let ended = false
    const late = rejection(
      svm
        .sendAndConfirm(transaction, { commitment: "confirmed", abortSignal: abort.signal })
        .finally(() => (ended = true))
    )
    const direct = clients(node.rpcUrl, node.wsUrl)
    const wallet = (await person(1)).address
    await eventually(async () => (await direct.rpc.getSignaturesForAddress(wallet).send()).length > 0)
    expect((await direct.rpc.getSignaturesForAddress(wallet).send())[0]).toMatchObject({ err: null })
    expect(ended).toBe(false)
    abort.abort()
    expect(String(await late)).toMatch(/abort/)
  })

  it("refuses all connections while down, and listens on the same port again", async () => {
    await proxy.down()
    const refused = new Promise((resolve) =>
      connect(proxy.port, "127.0.0.1").on("error", resolve).on("connect", resolve)
    )
    expect(await refused).toMatchObject({ code: "ECONNREFUSED" })
    await proxy.up()
    expect(await (await ask("getHealth")).json()).toMatchObject({ result: "ok" })
  })

  it("forwards requests other than JSON-RPC, and responds with 502 if the node is down", async () => {
    expect(await (await fetch(`${proxy.rpcUrl}/health`)).text()).toBe("ok")
    const gone = createServer()
    const port = await new Promise<number>((resolve) => {
      gone.listen(0, "127.0.0.1", () => resolve((gone.address() as AddressInfo).port))
    })
    await new Promise((resolve) => gone.close(resolve))
    await using orphan = await startProxy({ target: `http://127.0.0.1:${port}` })
    expect((await fetch(orphan.rpcUrl, { method: "POST", body: "{}" })).status).toBe(502)
  })

  it("refuses an invalid target and a port that is taken", async () => {
    await expect(startProxy({ target: "somewhere" })).rejects.toMatchObject({ _tag: "InvalidOption", option: "target" })
    await expect(startProxy({ target: node.rpcUrl, port: proxy.port })).rejects.toMatchObject({
      _tag: "PortTaken",
      port: proxy.port
    })
  })
})
