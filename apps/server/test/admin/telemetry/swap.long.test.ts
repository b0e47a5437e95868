import { describe, layer } from "@effect/vitest"
import { Devnet } from "@geoswap/devnet"
import * as Effect from "effect/Effect"
import { expect, vi } from "vitest"
import { logOf } from "../../stack/program.js"
import { collect } from "./collector.js"
import { devnetLayer, makeSetup } from "./fixture.js"
import { makeCaller } from "./tracedClient.js"

// Every started process loads the whole service.
vi.setConfig({ testTimeout: 240_000 })

describe("telemetry of a swap without a working collector", () => {
  layer(devnetLayer, { timeout: 240_000, excludeTestServices: true })((it) => {
    it.effect("does not affect the swap if the collector is down or never answers", () =>
      Effect.gen(function* () {
        const devnet = yield* Devnet.Devnet
        const collector = yield* collect
        const setup = yield* makeSetup(devnet, collector, { OTEL_EXPORTER_OTLP_TIMEOUT: "60000" })
        for (const trouble of [Effect.sync(() => collector.set("never")), collector.down]) {
          yield* trouble
          const server = yield* setup.start()
          const caller = yield* makeCaller(devnet)
          expect(yield* caller.swap(setup)).toMatchObject({ status: "settled" })
          const since = performance.now()
          yield* server.kill("SIGTERM")
          const { code, stderr } = yield* server.ended
          expect(code).toBe(0)
          // The shutdown waits for a few seconds, not for the minute that a response may take.
          expect(performance.now() - since).toBeLessThan(30_000)
          const warnings = logOf(stderr).filter(({ message }) => String(message).includes("collector"))
          expect(warnings.length).toBeLessThanOrEqual(2)
        }
        yield* collector.up
      })
    )
  })
})
