/** The built server in a separate process. */
import { readFileSync } from "node:fs"
import { NodeCrypto, NodeHttp, Secrets, Server, Storage } from "@geoswap/server"
import {
  Accounts,
  SwapSignals,
  Config,
  HttpApp,
  Pricing,
  RateLimits,
  Seal,
  Service,
  TableVenue
} from "@geoswap/service"
import * as Effect from "effect/Effect"
import * as Context from "effect/Context"
import { HttpServer } from "effect/http/HttpServer"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as References from "effect/References"
import * as Scope from "effect/Scope"
import { answer } from "./childProcess.ts"
import { type Database, storageOf } from "./database.ts"

interface Serve {
  readonly config: string
  readonly database: Database
  readonly kind: "whole" | "answering"
}

let changes: SwapSignals.SwapSignals | undefined

/** Answers requests and executes no swaps: the benchmark finishes them itself. */
const answering = (config: Config.Config, secrets: Secrets.Secrets, database: Storage.Database) => {
  if (config.venue.kind !== "table") throw new Error("A bench has a table of prices.")
  const pricing = Pricing.fromVenue(config, TableVenue.make(config.venue, Config.priceNames(config)))
  const base = Layer.mergeAll(
    Accounts.layer,
    RateLimits.layer(config.limits),
    Seal.layer({ environment: config.environment, keys: secrets.sealKeys })
  ).pipe(Layer.provideMerge(Storage.layer(database)))
  return Layer.unwrap(
    Effect.gen(function* () {
      const directory = { chains: yield* Server.chains(config, secrets), natives: new Map<number, string>() }
      const service = Service.layer({ directory, pricing, config })
      const http = Effect.gen(function* () {
        const { authenticate, recall } = yield* Accounts.Accounts
        const { hold, holds, take, takeNow } = yield* RateLimits.RateLimits
        changes = yield* SwapSignals.SwapSignals
        return HttpApp.layer({
          service: yield* Service.Service,
          authenticate,
          takeLimit: take,
          holdStatus: hold,
          recall,
          takeNow,
          holds,
          ready: Effect.succeed([]),
          origins: [],
          version: "0.0.0"
        }).pipe(Layer.provideMerge(NodeHttp.layer({ ...config.listen, onDrain: changes.drain })))
      })
      return Layer.unwrap(http).pipe(Layer.provide(service))
    })
  ).pipe(Layer.provide(base), Layer.provide(NodeCrypto.layer))
}

const serve = Effect.fnUntraced(function* ({ config: file, database: given, kind }: Serve) {
  const config = yield* Config.parse(readFileSync(file, "utf8"))
  const secrets = yield* Secrets.read(config, process.env)
  const database = storageOf(given)
  const scope = yield* Scope.make()
  const layer: Layer.Layer<HttpServer, unknown> =
    kind === "whole"
      ? Server.layer({ config, secrets, database, version: "0.0.0" })
      : answering(config, secrets, database)
  const context = yield* Layer.buildWithScope(layer, scope)
  const { address } = Context.get(context, HttpServer)
  return "port" in address ? address.port : 0
})

/** The default log level and format of production. */
const quiet = Layer.merge(Logger.layer([]), Layer.succeed(References.MinimumLogLevel, "Info"))

answer({
  serve: (options: Serve) => Effect.runPromise(serve(options).pipe(Effect.provide(quiet), Effect.orDie)),
  waiting: () => Effect.runPromise(changes?.waiting ?? Effect.succeed(0)),
  publish: (ids: ReadonlyArray<string>) =>
    Effect.runPromise(Effect.forEach(ids, (id) => changes?.publish(id) ?? Effect.void, { discard: true }))
})
