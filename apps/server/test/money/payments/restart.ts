/** Servers that run one after the other on one database. */
import { Devnet } from "@geoswap/devnet"
import * as Effect from "effect/Effect"
import * as References from "effect/References"
import { join } from "node:path"
import type { Change, Setup } from "../../stack/fixture.js"
import { environmentFor, type Given, serve, temporary } from "../../stack/stack.js"

/** What a test does while a server runs. */
type Turn = (setup: Pick<Setup, "devnet" | "running">) => Promise<void>

/** Runs a server on the test's database until the turn has finished. */
export type RunServer = (turn: Turn, mark?: Given["mark"]) => Promise<void>

/** Runs a test that starts its servers itself. All of them have the same configuration, keys and database. */
export const withServers = <A>(
  prepare: (devnet: Devnet.Devnet) => Promise<{ readonly change?: Change; readonly props: A }>,
  body: (run: RunServer, devnet: Devnet.Devnet, props: A) => Promise<void>
) =>
  Effect.gen(function* () {
    const devnet = yield* Devnet.Devnet
    const database = join(yield* temporary, "geoswap.db")
    const environment = yield* environmentFor(devnet)
    const { change, props } = yield* Effect.promise(() => prepare(devnet))
    const run: RunServer = (turn, mark) =>
      Effect.runPromise(
        Effect.gen(function* () {
          const running = yield* serve(devnet, change, { database, environment, ...(mark !== undefined && { mark }) })
          yield* Effect.promise(() => turn({ devnet, running }))
        }).pipe(Effect.scoped, Effect.provideService(References.MinimumLogLevel, "None"))
      )
    yield* Effect.ensuring(
      Effect.promise(() => body(run, devnet, props)),
      Effect.orDie(Effect.all([devnet.evmA.release, devnet.evmB.release], { discard: true }))
    )
  })
