/** A steady load on one server: ten minutes with `pnpm soak`, and a short run with the tests. */
import { describe, layer } from "@effect/vitest"
import { Devnet } from "@geoswap/devnet"
import * as Effect from "effect/Effect"
import { expect } from "vitest"
import { leftOf } from "../stack/database.js"
import { start, until } from "../stack/program.js"
import { makeApiKeys, ownDevnetLayer, workspaceFor } from "../stack/stack.js"
import { inspectorOf } from "./soak/heap.js"
import { load } from "./soak/load.js"

const minutes = Number(process.env["SOAK_MINUTES"] ?? 0.1)
const perMinute = Number(process.env["SOAK_PER_MINUTE"] ?? 50)
const isLong = minutes >= 5
/** A leak of 10 kB per swap would be half of this. */
const mostPerMinute = 1

describe(`${perMinute} swaps a minute for ${minutes} minutes`, () => {
  layer(ownDevnetLayer, { timeout: 240_000, excludeTestServices: true })((it) => {
    it.effect(
      "all settle, leave no state behind, and the memory of the server does not grow",
      () =>
        Effect.gen(function* () {
          const devnet = yield* Devnet.Devnet
          const place = yield* workspaceFor(devnet)
          const { database } = place
          const apiKeys = yield* makeApiKeys(database)
          const server = yield* start(place, ["serve", "--log-level", "warn"], ["--inspect=127.0.0.1:0"])
          yield* until(() => server.stdout().includes("\n"), "a listening server")
          const url = /is listening on (http:\/\/\S+) /.exec(server.stdout())?.[1] ?? ""
          const inspector = inspectorOf(server.stderr()) ?? ""
          const running = { url, apiKeys, database }
          const report = yield* Effect.promise(() =>
            load(devnet, running, { pid: server.process.pid ?? 0, inspector }, { minutes, perMinute }, (line) => {
              if (isLong) process.stdout.write(`${line}\n`)
            })
          )
          const { samples, ...figures } = report
          const middle = samples.at(Math.floor(samples.length / 2))
          const shown = { ...figures, first: samples.at(0), middle, last: samples.at(-1) }
          process.stdout.write(`${JSON.stringify(shown, undefined, 2)}\n`)
          expect(report.ends).toEqual({ settled: report.started })
          expect(leftOf(database)).toEqual({ open: 0, reserved: 0 })
          expect(server.process.exitCode).toBeNull()
          if (isLong) expect(report.livePerMinute).toBeLessThan(mostPerMinute)
        }),
      minutes * 60_000 + 120_000
    )
  })
})
