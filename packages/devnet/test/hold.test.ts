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

/** Responds to `anvil_mine` only after a request to `/finish`; `/log` lists requests and responses. */
const slowAnvil = `#!${process.execPath}
const { createServer } = require("node:http")
const log = []
let finish
const finished = new Promise((resolve) => void (finish = resolve))
const server = createServer(async (request, response) => {
  if (request.url === "/log") return response.end(JSON.stringify(log))
  if (request.url === "/finish") return response.end(void finish())
  let body = ""
  for await (const chunk of request) body += chunk
  const [{ id, method, params }] = JSON.parse(body)
  log.push(method + " " + params)
  if (method === "anvil_mine") {
    await finished
    log.push("mined")
  }
  response.end(JSON.stringify([{ jsonrpc: "2.0", id, result: null }]))
})
server.listen(0, "127.0.0.1", () => console.log("Listening on 127.0.0.1:" + server.address().port))
`

it("holds a chain only after the current block of its timer is mined", () =>
  Effect.gen(function* () {
    const options = { chainId: 31337, port: 0, anvil: program(folder, "slow-anvil", slowAnvil), blockTime: 1 }
    const chain = yield* EvmNode.make(options)
    const log = async () => (await (await fetch(`${chain.rpcUrl}/log`)).json()) as ReadonlyArray<string>
    yield* chain.start
    yield* Effect.promise(async () => {
      await eventually(async () => (await log()).includes("anvil_mine 0x1"))
      const holding = Effect.runPromise(chain.hold)
      // Long enough for a request that does not wait.
      for (let trips = 0; trips < 20; trips += 1) await log()
      await fetch(`${chain.rpcUrl}/finish`)
      await holding
      const seen = await log()
      expect(seen.slice(0, 2)).toEqual(["evm_setAutomine true", "anvil_mine 0x1"])
      const held = seen.indexOf("evm_setAutomine false")
      expect(seen.indexOf("mined")).toBeLessThan(held)
      expect(seen.slice(held)).toEqual(["evm_setAutomine false"])
    })
  }).pipe(Effect.scoped, Effect.runPromise))
