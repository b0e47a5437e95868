/** A test file for node:test that uses only the entry points for promises. `promise.test.ts` runs it. */
import assert from "node:assert/strict"
import { mock, test } from "node:test"
import { createClient } from "@geoswap/core/promise"
import {
  createTestKit,
  evmRequest,
  Fault,
  pumpTimers,
  scriptedService,
  scriptedSolanaSigner,
  solanaRequest
} from "@geoswap/core/testing/promise"

const tenMinutes = 600_000

await test("runs a swap of ten minutes on the virtual clock", async () => {
  const { clock, options, service } = createTestKit()
  service.ends("refunded", tenMinutes)
  service.next("submit", Fault.unavailable({ after: true }))
  const start = clock.now()
  const swap = await createClient(options).execute(evmRequest)
  assert.equal(swap.status, "refunded")
  assert.ok(clock.now() - start >= tenMinutes)
  assert.equal(service.seen("submit").length, 2)
})

for (const apis of [
  ["setTimeout", "Date"],
  ["setTimeout", "setImmediate", "Date"]
] as const) {
  await test(`runs a swap of ten minutes on mocked ${apis.join(" and ")}`, async () => {
    mock.timers.enable({ apis: [...apis], now: 1_800_000_000_000 })
    try {
      const service = scriptedService()
      service.ends("settled", tenMinutes)
      const client = createClient({
        transport: service.transport,
        signers: { solana: scriptedSolanaSigner() },
        network: service.network
      })
      const swap = await pumpTimers(client.execute(solanaRequest), () => mock.timers.tick(1000))
      assert.equal(swap.status, "settled")
      assert.ok(Date.now() >= 1_800_000_000_000 + tenMinutes)
    } finally {
      mock.timers.reset()
    }
  })
}
