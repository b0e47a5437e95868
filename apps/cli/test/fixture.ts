/** A devnet with the built server: real processes, and the devnet file. */
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { Devnet } from "@geoswap/devnet"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import { type Ended, home, type Workspace, start, type Started, until } from "./runCli.js"

const server = fileURLToPath(new URL("dist/cli.js", import.meta.resolve("@geoswap/server/package.json")))

/** The running devnet and server. */
export interface Shape {
  readonly devnet: Devnet.Devnet
  /** The folder of `.geoswap/devnet.json`. */
  readonly folder: string
  readonly devnetFile: string
  readonly url: string
  /** The API keys of two accounts. */
  readonly apiKeys: readonly [string, string]
  /** The process of the server. */
  readonly server: Started
  /** A new home folder for the program, in the folder of the devnet. */
  readonly workspace: Effect.Effect<Workspace, never, Scope.Scope>
}

/** A devnet with a server. */
export class Fixture extends Context.Service<Fixture, Shape>()("@geoswap/cli/test/World") {}

/** Fast blocks, so that tests finish quickly. */
const pace = { ports: "free", blockTime: 250, idleBlockTime: 2_000, slotTime: 50, finalitySlots: 4 } as const

const succeeded = ({ code, stderr, stdout }: Ended): string => {
  if (code !== 0) throw new Error(`The server exited with ${code}: ${stderr}`)
  return stdout
}

const runServer = (workspace: Workspace, ...args: ReadonlyArray<string>) =>
  Effect.map(Effect.scoped(Effect.flatMap(start(workspace, server, args), ({ ended }) => ended)), succeeded)

/** Parses `export` lines. */
const variablesOf = (lines: string): Readonly<Record<string, string>> =>
  Object.fromEntries([...lines.matchAll(/^export (\w+)='(.*)'$/gm)].map(([, name = "", value = ""]) => [name, value]))

const make = Effect.gen(function* () {
  const { environment: own, folder } = yield* home
  const devnetFile = join(folder, ".geoswap", "devnet.json")
  const devnet = yield* Devnet.make({ ...pace, file: devnetFile })
  const bare: Workspace = { folder, environment: own }
  const config = JSON.parse(yield* runServer(bare, "devnet")) as {
    readonly chains: ReadonlyArray<object>
    readonly venue: { readonly prices: object }
  }
  // A swap of $100 moves its price by almost 5%, whatever gas costs.
  const thin = { GEO: { usd: "0.5", depthUsd: "2000" } }
  const calls = { perSecond: 10_000, burst: 10_000 }
  writeFileSync(
    join(folder, "geoswap.json"),
    JSON.stringify({
      ...config,
      chains: config.chains.map((chain) => ({ ...chain, pollMillis: 50 })),
      venue: { ...config.venue, prices: { ...config.venue.prices, ...thin } },
      listen: { host: "127.0.0.1", port: 0 },
      limits: {
        quote: calls,
        indicative: calls,
        delegation: calls,
        build: calls,
        submit: calls,
        status: calls,
        chains: calls
      }
    })
  )
  const workspace: Workspace = {
    folder,
    environment: { ...own, ...variablesOf(yield* runServer(bare, "devnet", "--env")) }
  }
  const apiKeys = [
    (yield* runServer(workspace, "keys", "create", "--account", "first")).trim(),
    (yield* runServer(workspace, "keys", "create", "--account", "second")).trim()
  ] as const
  const started = yield* start(workspace, server, ["serve"])
  yield* until(() => started.stdout().includes("\n") || started.process.exitCode !== null, "the server to listen")
  const [, url] = /\bon (http:\/\/[^\s/]+)/.exec(started.stdout()) ?? []
  if (url === undefined) return yield* Effect.die(new Error(`The server does not listen. ${started.stderr()}`))
  const description = JSON.parse(readFileSync(devnetFile, "utf8")) as object
  writeFileSync(devnetFile, JSON.stringify({ ...description, service: { url, apiKeys } }))
  return {
    devnet,
    folder,
    devnetFile,
    url,
    apiKeys,
    server: started,
    workspace: Effect.map(home, ({ environment }) => ({ folder, environment }))
  }
})

/** Provides a devnet with a server for all tests of a file. */
export const layer: Layer.Layer<Fixture> = Layer.effect(Fixture, Effect.orDie(make))
