import { layer } from "@effect/vitest"
import { Devnet } from "@geoswap/devnet"
import * as Effect from "effect/Effect"
import { describe, expect, vi } from "vitest"
import { programs, shared } from "../../stack/postgres/cluster.js"
import { until } from "../../stack/program.js"
import { collect } from "./collector.js"
import { devnetLayer, driving, letGo, makeSetup, pathsOf, submitted } from "./fixture.js"

// Every started process loads the whole service.
vi.setConfig({ testTimeout: 240_000 })

const password = "pa55word-of-the-database"

describe.skipIf(programs === undefined)("with PostgreSQL", () => {
  const postgres = shared()
  describe("telemetry of a swap on two servers", () => {
    layer(devnetLayer, { timeout: 240_000, excludeTestServices: true })((it) => {
      it.effect("is one trace across servers, with nothing from the database except statements", () =>
        Effect.gen(function* () {
          const devnet = yield* Devnet.Devnet
          const collector = yield* collect
          const address = yield* Effect.promise(() => postgres().newDatabase())
          const DATABASE_URL = address.replace("geoswap@", `geoswap:${password}@`)
          const setup = yield* makeSetup(devnet, collector, { DATABASE_URL })
          const first = yield* setup.start()
          const { swapId, ended } = yield* submitted(devnet, setup, first)
          const second = yield* setup.startProcess("--port", "0")
          yield* first.kill("SIGTERM")
          yield* first.ended
          yield* devnet.evmA.release
          yield* until(() => second.stderr().includes("swap settled"), "the end of the swap")
          // The caller uses the same URL.
          const third = yield* setup.start()
          expect(yield* ended).toMatchObject({ swapId, status: "settled" })
          for (const { ended, kill } of [second, third]) yield* Effect.andThen(kill("SIGTERM"), ended)

          const paths = pathsOf(setup.caller, collector, setup.caller.spans[0]?.traceId ?? "")
          for (const state of ["accepted", "origin_sent", "delivery_sent", "settled"]) {
            expect(paths).toContain(`${driving} > ${state}`)
          }
          const drives = collector.spans().filter(({ name }) => name === "Executor.drive")
          expect(new Set(drives.map(({ resource }) => resource["service.instance.id"])).size).toBe(2)

          const statements = collector.spans().filter(({ attributes }) => "db.query.text" in attributes)
          expect(statements.some(({ attributes }) => String(attributes["db.query.text"]).includes("$1"))).toBe(true)
          const said = collector.arrivals.map(({ text }) => text.toLowerCase()).join("\n")
          const { recipient, wallet } = setup.caller
          for (const secret of [password, `127.0.0.1:${postgres().port}`, wallet, recipient, setup.apiKey]) {
            expect(said).not.toContain(secret.toLowerCase())
          }
        }).pipe(Effect.ensuring(letGo))
      )
    })
  })
})
