/** The global setup of browser tests: two EVM chains, a Solana chain and the service. */
import { type Description, Devnet } from "@geoswap/devnet"
import { type DevnetConfig, DevnetServer } from "@geoswap/server"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as References from "effect/References"
import * as Scope from "effect/Scope"
import { defaultBrowserPort } from "vitest/config"
import type { TestProject } from "vitest/node"

/** The running devnet, or why it is missing. */
export type DevnetFixture =
  | { readonly missing: string }
  | {
      readonly missing: undefined
      readonly url: string
      readonly apiKey: string
      readonly devnet: Description.Description
    }

declare module "vitest" {
  interface ProvidedContext {
    readonly devnetFixture: DevnetFixture
  }
}

/** Faster than any real chain. */
const pace: Devnet.Options = { ports: "free", blockTime: 250, idleBlockTime: 2_000, slotTime: 100, finalitySlots: 8 }

/** Polls often and allows the test pages as CORS origins: vitest uses the first free port. */
const change = (file: DevnetConfig.ConfigFile): DevnetConfig.ConfigFile => {
  const [first, ...rest] = file.chains.map((chain) => ({ ...chain, pollMillis: 50 }))
  const origins = Array.from({ length: 20 }, (_, next) => `http://localhost:${defaultBrowserPort + next}`)
  return first === undefined ? file : { ...file, chains: [first, ...rest], cors: { origins } }
}

const start: Effect.Effect<DevnetFixture, unknown, Scope.Scope> = Effect.gen(function* () {
  const { description: devnet } = yield* Devnet.make(pace)
  const { apiKeys, url } = yield* DevnetServer.make(devnet, { port: 0, change })
  return { missing: undefined, url, apiKey: apiKeys[0], devnet }
}).pipe(
  Effect.provideService(References.MinimumLogLevel, "None"),
  Effect.catchTag("BinaryMissing", ({ message }) => Effect.succeed({ missing: message }))
)

/** Starts the devnet before the tests. Returns a function that stops it. */
export const setup = async (project: TestProject): Promise<() => Promise<void>> => {
  const scope = Scope.makeUnsafe()
  project.provide("devnetFixture", await Effect.runPromise(Scope.provide(start, scope)))
  return () => Effect.runPromise(Scope.close(scope, Exit.void))
}
