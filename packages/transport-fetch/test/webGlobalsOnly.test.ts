import { once } from "node:events"
import { Worker } from "node:worker_threads"
import { expect, it } from "@effect/vitest"
import { json, serve } from "./server.js"

it("runs with only the web globals", async () => {
  const chain = { id: 31337, name: "one", tokens: [] }
  await using server = await serve((response, { url }) =>
    url === "/swap/chains" ? json(response, { chains: [{ ...chain, kind: "evm" }] }) : response.destroy()
  )
  const worker = new Worker(new URL("./webGlobalsOnly.ts", import.meta.url), {
    workerData: { baseUrl: server.url },
    execArgv: ["--experimental-vm-modules", "--no-warnings"]
  })
  const [message] = (await once(worker, "message")) as [{ readonly globals: ReadonlyArray<string> }]
  await worker.terminate()
  expect(message).toMatchObject({ chains: [{ ...chain, family: "evm" }], late: "Unavailable", hasLayer: true, own: 4 })
  expect(message.globals).not.toContain("process")
  expect(message.globals).not.toContain("Buffer")
  expect(server.received[0]?.headers["x-api-key"]).toBe("key-1")
})
