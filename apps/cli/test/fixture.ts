/** A devnet with the built server on it, as a person would have them: processes, and the file of the devnet. */
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { Devnet } from "@geoswap/devnet"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import { type Ended, home, type Place, start, type Started, until } from "./runCli.js"

const server = fileURLToPath(new URL("dist/cli.js", import.meta.resolve("@geoswap/server/package.json")))

/** What runs. */
export interface Shape {
  readonly devnet: Devnet.Shape
  /** The folder that `.geoswap/devnet.json` is in. */
  readonly folder: string
  readonly devnetFile: string
  readonly url: string
  /** Of two accounts. */
  readonly apiKeys: readonly [string, string]
  /** The server's process. */
  readonly server: Started
  /** Where to run the program: a home of its own, in the folder of the devnet. */
  readonly place: Effect.Effect<Place, never, Scope.Scope>
}

/** A devnet with a server on it. */
export class World extends Context.Service<World, Shape>()("@geoswap/cli/test/World") {}

/** Fast blocks, so that tests wait for finality and not for the clock. */
const pace = { ports: "free", blockTime: 250, idleBlockTime: 2_000, slotTime: 50, finalitySlots: 4 } as const

const succeeded = ({ code, stderr, stdout }: Ended): string => {
  if (code !== 0) throw new Error(`The server's program ended with ${code}: ${stderr}`)
  return stdout
}

const runServer = (place: Place, ...args: ReadonlyArray<string>) =>
  Effect.map(Effect.scoped(Effect.flatMap(start(place, server, args), ({ ended }) => ended)), succeeded)

/** The variables in the lines for a shell. */
const variablesOf = (lines: string): Readonly<Record<string, string>> =>
  Object.fromEntries([...lines.matchAll(/^export (\w+)='(.*)'$/gm)].map(([, name = "", value = ""]) => [name, value]))

const make = Effect.gen(function* () {
  const { environment: own, folder } = yield* home
  const devnetFile = join(folder, ".geoswap", "devnet.json")
  const devnet = yield* Devnet.make({ ...pace, file: devnetFile })
  const bare: Place = { folder, environment: own }
  const config = JSON.parse(yield* runServer(bare, "devnet")) as {
    readonly chains: ReadonlyArray<object>
    readonly venue: { readonly prices: object }
  }
  // A hundred dollars of it move its price by almost 5%, whatever gas costs.
  const thin = { GEO: { usd: "0.5", depthUsd: "2000" } }
  const calls = { perSecond: 10_000, burst: 10_000 }
  writeFileSync(
    join(folder, "geoswap.json"),
    JSON.stringify({
      ...config,
      chains: config.chains.map((chain) => ({ ...chain, pollMillis: 50 })),
      venue: { ...config.venue, prices: { ...config.venue.prices, ...thin } },
      listen: { host: "127.0.0.1", port: 0 },
      limits: { quote: calls, delegation: calls, build: calls, submit: calls, status: calls, chains: calls }
    })
  )
  const place: Place = { folder, environment: { ...own, ...variablesOf(yield* runServer(bare, "devnet", "--env")) } }
  const apiKeys = [
    (yield* runServer(place, "keys", "create", "--account", "first")).trim(),
    (yield* runServer(place, "keys", "create", "--account", "second")).trim()
  ] as const
  const started = yield* start(place, server, ["serve"])
  yield* until(() => started.stdout().includes("\n") || started.process.exitCode !== null, "a server that listens")
  const [, url] = /listens on (http:\/\/[^\s/]+)/.exec(started.stdout()) ?? []
  if (url === undefined) return yield* Effect.die(new Error(`It does not listen. ${started.stderr()}`))
  const description = JSON.parse(readFileSync(devnetFile, "utf8")) as object
  writeFileSync(devnetFile, JSON.stringify({ ...description, service: { url, apiKeys } }))
  return {
    devnet,
    folder,
    devnetFile,
    url,
    apiKeys,
    server: started,
    place: Effect.map(home, ({ environment }) => ({ folder, environment }))
  }
})

/** A devnet with a server on it, for all tests of a file. */
export const layer: Layer.Layer<World> = Layer.effect(World, Effect.orDie(make))
