/** A devnet with the service, and the devnet file. */
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { layer, type Vitest } from "@effect/vitest"
import { Devnet } from "@geoswap/devnet"
import { type DevnetConfig, DevnetServer } from "@geoswap/server"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Scope from "effect/Scope"
import { test } from "vitest"
import { home, type Workspace } from "./runCli.js"

/** The running devnet and service. */
export interface Shape {
  readonly devnet: Devnet.Devnet
  /** The folder of `.geoswap/devnet.json`. */
  readonly folder: string
  readonly devnetFile: string
  readonly url: string
  /** The API keys of two accounts. */
  readonly apiKeys: readonly [string, string]
  /** A new home folder for the program, in the folder of the devnet. */
  readonly workspace: Effect.Effect<Workspace, never, Scope.Scope>
}

/** A devnet with a service. */
export class Fixture extends Context.Service<Fixture, Shape>()("@geoswap/cli/test/World") {}

/** Every transaction is mined at once, and is final in its block. Empty blocks only keep the chains' clocks right. */
const pace = { ports: "free", blockTime: 1_000, confirmations: 1, slotTime: 200, finalitySlots: 2 } as const

const calls = { perSecond: 10_000, burst: 10_000 }

/**
 * Polls the chains often, waits for one confirmation, does not limit requests, and makes GEO scarce: $100 move its
 * price by almost 5%.
 */
const change = ({ chains: [first, ...rest], venue, ...file }: DevnetConfig.ConfigFile): DevnetConfig.ConfigFile => {
  const fast = (chain: typeof first) => ({
    ...chain,
    pollMillis: 50,
    ...(chain.kind === "evm" && { finality: [{ after: { blocks: 1 } }] as const })
  })
  const prices = venue.kind === "table" ? venue.prices : {}
  return {
    ...file,
    chains: [fast(first), ...rest.map(fast)],
    venue: { kind: "table", prices: { ...prices, GEO: { usd: "0.5", depthUsd: "2000" } } },
    limits: {
      quote: calls,
      indicative: calls,
      delegation: calls,
      build: calls,
      submit: calls,
      status: calls,
      chains: calls
    }
  }
}

const make = Effect.gen(function* () {
  const { folder } = yield* home
  const devnetFile = join(folder, ".geoswap", "devnet.json")
  const devnet = yield* Devnet.make({ ...pace, file: devnetFile })
  const { apiKeys, url } = yield* DevnetServer.make(devnet.description, { port: 0, change })
  const description = JSON.parse(readFileSync(devnetFile, "utf8")) as object
  writeFileSync(devnetFile, JSON.stringify({ ...description, service: { url, apiKeys } }))
  return {
    devnet,
    folder,
    devnetFile,
    url,
    apiKeys,
    workspace: Effect.map(home, ({ environment }) => ({ folder, environment }))
  }
})

/** Started at the first use in a worker, and stopped when the worker has run all of its files. */
// oxlint-disable-next-line no-empty-pattern -- fixtures name what they need
const inWorker = test.extend("fixture", { scope: "worker" }, async ({}, { onCleanup }): Promise<Shape> => {
  const scope = Scope.makeUnsafe()
  onCleanup(() => Effect.runPromise(Scope.close(scope, Exit.void)))
  return Effect.runPromise(make.pipe(Scope.provide(scope), Effect.provide(Logger.layer([]))))
})

/**
 * Runs the tests of a suite on a devnet with a service. All test files of a worker share it, so a test swaps only from
 * wallets that it created, and releases what it holds.
 */
export const onDevnet = (tests: (it: Vitest.MethodsNonLive<Fixture>) => void): void => {
  const started = Deferred.makeUnsafe<Shape>()
  inWorker.beforeAll(({ fixture }) => void Deferred.doneUnsafe(started, Exit.succeed(fixture)), 300_000)
  const shared = Layer.effect(Fixture, Deferred.await(started))
  layer(shared, { timeout: 300_000, excludeTestServices: true })(tests)
}
