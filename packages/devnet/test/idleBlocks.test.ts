import * as Effect from "effect/Effect"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, expect, it } from "vitest"
import { eventually } from "../../../tooling/testing/processes.js"
import * as EvmNode from "../src/EvmNode.js"
import { program } from "./processes.js"

const folder = mkdtempSync(join(tmpdir(), "geoswap-devnet-"))
afterAll(() => rmSync(folder, { recursive: true }))

/** A fake anvil that counts blocks; `/block` mines one as for a transaction, `/log` returns the number of calls by method. */
const countingAnvil = `#!${process.execPath}
const { createServer } = require("node:http")
let height = 0
const calls = { anvil_mine: 0, eth_blockNumber: 0, evm_setAutomine: 0 }
const server = createServer(async (request, response) => {
  if (request.url === "/log") return response.end(JSON.stringify(calls))
  if (request.url === "/block") return response.end(String(++height))
  let body = ""
  for await (const chunk of request) body += chunk
  const [{ id, method }] = JSON.parse(body)
  calls[method]++
  if (method === "anvil_mine") height++
  const result = method === "eth_blockNumber" ? "0x" + height.toString(16) : null
  response.end(JSON.stringify([{ jsonrpc: "2.0", id, result }]))
})
server.listen(0, "127.0.0.1", () => console.log("Listening on 127.0.0.1:" + server.address().port))
`

const start = (idleBlockTime?: number) =>
  Effect.gen(function* () {
    const anvil = program(folder, "counting-anvil", countingAnvil)
    const chain = yield* EvmNode.make({ chainId: 31337, port: 0, anvil, blockTime: 1, idleBlockTime })
    yield* chain.start
    const log = async () => (await (await fetch(`${chain.rpcUrl}/log`)).json()) as Readonly<Record<string, number>>
    /** Waits for the duration of that many blocks. */
    const looks = async (count: number) => {
      const { eth_blockNumber: before = 0 } = await log()
      await eventually(async () => ((await log())["eth_blockNumber"] ?? 0) > before + count)
    }
    return { chain, log, looks }
  })

it("mines twelve empty blocks after a transaction, and then waits for the next one", () =>
  Effect.gen(function* () {
    const { chain, log, looks } = yield* start(3_600_000)
    yield* Effect.promise(async () => {
      for (const transactions of [0, 1, 2]) {
        if (transactions > 0) await fetch(`${chain.rpcUrl}/block`)
        await looks(30)
        expect((await log())["anvil_mine"]).toBe(12 * (transactions + 1))
      }
    })
  }).pipe(Effect.scoped, Effect.runPromise))

it("mines rarely while it is idle", () =>
  Effect.gen(function* () {
    const { log, looks } = yield* start(10)
    yield* Effect.promise(async () => {
      await looks(100)
      const { anvil_mine: mined = 0, eth_blockNumber: looked = 0 } = await log()
      expect(mined).toBeGreaterThan(12)
      expect(mined).toBeLessThanOrEqual(12 + Math.ceil((looked - 12) / 10))
    })
  }).pipe(Effect.scoped, Effect.runPromise))

it("mines at the block time if no idle block time is set", () =>
  Effect.gen(function* () {
    const { log } = yield* start()
    yield* Effect.promise(async () => {
      await eventually(async () => ((await log())["anvil_mine"] ?? 0) > 40)
      expect((await log())["eth_blockNumber"]).toBe(0)
    })
  }).pipe(Effect.scoped, Effect.runPromise))
