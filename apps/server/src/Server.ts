/** The complete server: chains, venue, storage, execution and HTTP, built from the configuration and the secrets. */
import {
  Accounts,
  ChainError,
  Chains,
  Config,
  EvmChain,
  Executor,
  HttpApp,
  HttpVenue,
  Metrics,
  Pricing,
  QuorumMonitor,
  RateLimits,
  Seal,
  Service,
  SolanaChain,
  Store,
  SwapSignals,
  TableVenue,
  VenueBreaker
} from "@geoswap/service"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type { HttpServer } from "effect/http/HttpServer"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import * as Admin from "./admin/Admin.js"
import * as NodeCrypto from "./crypto/NodeCrypto.js"
import { clientAddress } from "./http/clientAddress.js"
import * as NodeHttp from "./http/NodeHttp.js"
import type { Secrets } from "./secrets/Secrets.js"
import type * as Sqlite from "./storage/Sqlite.js"
import * as Storage from "./storage/Storage.js"
import * as VisitorPseudonym from "./web/visitorPseudonym.js"
import * as Web from "./web/Web.js"

export interface Options {
  readonly config: Config.Config
  readonly secrets: Secrets
  readonly database: Storage.Database
  /** The program version, for the API description. */
  readonly version: string
  /** Devnet wallets. The page offers them to visitors and shows their keys to everyone. */
  readonly wallets?: ReadonlyArray<Web.BurnerWallet> | undefined
}

/**
 * Creates the configured chains without sending requests to their nodes. Nodes announce their blocks only within a
 * scope.
 */
export const chains = Effect.fnUntraced(function* (config: Config.Config, secrets: Secrets, scope?: Scope.Scope) {
  const made = yield* Effect.forEach(config.chains, (chain): Effect.Effect<Chains.Chain> => {
    if (chain.kind === "evm") {
      const [first, ...others] = Config.relayerKeysOf(chain)
      const keyOf = (name: string) => Option.fromUndefinedOr(secrets.evm.get(name))
      const keys = Option.all([keyOf(first), Option.all(others.map(keyOf))])
      return Option.match(keys, {
        onNone: () => missing([first, ...others].join(" or ")),
        onSome: ([key, more]) => EvmChain.make({ config: chain, keys: [key, ...more], ...(scope && { scope }) })
      })
    }
    const relayer = secrets.solana.get(chain.keys.relayer)
    const vault = secrets.solana.get(chain.keys.vault)
    return relayer === undefined || vault === undefined
      ? missing(`${chain.keys.relayer} or ${chain.keys.vault}`)
      : SolanaChain.make({ config: chain, relayer, vault })
  })
  return new Map(made.map((chain) => [chain.id, chain]))
})

const missing = (name: string) => Effect.die(`the secret ${name} was not read`)

/** The configured venue. */
const venueOf = (config: Config.Config, { venueToken }: Secrets) =>
  config.venue.kind === "http"
    ? HttpVenue.make(config.venue, venueToken)
    : TableVenue.make(config.venue, Config.priceNames(config))

/**
 * Verifies that the chains match the configuration. A mismatch prevents the server from starting. An unreachable chain
 * only causes a warning, because the chain may be available again before it is needed.
 */
const verify = Effect.fnUntraced(function* (all: ReadonlyMap<number, Chains.Chain>) {
  const found = yield* Effect.forEach(
    all.values(),
    (chain) =>
      chain.verify.pipe(
        Effect.as([] as ReadonlyArray<string>),
        Effect.catchTags({
          ChainUnavailable: ({ message }) =>
            Effect.as(Effect.logWarning(`chain ${chain.id} could not be checked: ${message}`), []),
          Misconfigured: ({ problems }) => Effect.succeed(problems)
        })
      ),
    { concurrency: "unbounded" }
  )
  const problems = found.flat()
  if (problems.length > 0) return yield* new ChainError.Misconfigured({ problems })
})

/** The timeout for health checks, which is shorter than the timeout for database statements. */
const readyMillis = 3_000

/** The problems that keep the server from serving requests. */
const ready = (store: Store.Store, quorums: QuorumMonitor.QuorumMonitor): Effect.Effect<ReadonlyArray<string>> =>
  // On a timeout, only the wait is cancelled. The statement itself runs to completion.
  Effect.flatMap(Effect.forkDetach(store.apiKey("ready")), Fiber.join).pipe(
    Effect.timeout(readyMillis),
    Effect.match({ onSuccess: () => [], onFailure: () => ["The storage did not respond."] }),
    Effect.zipWith(quorums.problems, (storage, chains) => [...storage, ...chains])
  )

/** Why a server failed to start. */
export type StartError =
  | ChainError.Misconfigured
  | NodeHttp.ListenFailed
  | Seal.InvalidKeys
  | Sqlite.DatabaseInUse
  | Storage.StorageError
  | Web.InvalidPage

/**
 * A server that runs until the layer is released. The `HttpServer` service exposes the server's address. Each server
 * has a separate metrics registry, which is shared by the layers built on top of this layer.
 */
export const layer = (
  options: Options
): Layer.Layer<Admin.Admin | HttpServer | Service.Service | Executor.Executor, StartError> => {
  const { web } = options.config
  if (web === undefined) return layerWith(options, undefined)
  // A missing page must be reported before anything else starts.
  return Layer.unwrap(Effect.map(Web.readPage(web.folder), (page) => layerWith(options, { web, page })))
}

const layerWith = (
  { config, database, secrets, version, wallets }: Options,
  served: Pick<Web.Options, "page" | "web"> | undefined
): Layer.Layer<Admin.Admin | HttpServer | Service.Service | Executor.Executor, StartError> => {
  const natives = new Map(config.chains.map(({ id, native }) => [id, native.symbol]))
  const base = Layer.mergeAll(
    Accounts.layer,
    RateLimits.layer(config.limits),
    Seal.layer({ environment: config.environment, keys: secrets.sealKeys })
  ).pipe(Layer.provideMerge(Storage.layer(database)))

  const core = Layer.unwrap(
    Effect.gen(function* () {
      const directory = { chains: yield* chains(config, secrets, yield* Effect.scope), natives }
      yield* verify(directory.chains)
      const venue = venueOf(config, secrets)
      // The circuit breaker keeps callers from waiting for a failing venue. The executor does not use the breaker, so
      // it keeps querying the venue, at its own pace, for swaps whose input has arrived.
      const guarded = config.venue.kind === "http" ? VenueBreaker.make(venue) : venue
      return Layer.mergeAll(
        Layer.succeed(Chains.Chains, directory.chains),
        QuorumMonitor.layer(directory.chains),
        Service.layer({ directory, pricing: Pricing.fromVenue(config, guarded), config }),
        Executor.layer({
          directory,
          pricing: Pricing.fromVenue(config, venue),
          config,
          exclusive: Storage.isExclusive(database)
        })
      )
    })
  )

  const admin = Layer.unwrap(
    Effect.gen(function* () {
      if (config.admin === undefined) return Admin.none
      const store = yield* Store.Store
      const parts = { store, signals: yield* SwapSignals.SwapSignals, executor: yield* Executor.Executor }
      const { sampleMillis } = config.admin
      const watch = Metrics.watch({ ...parts, sampleMillis, directory: { chains: yield* Chains.Chains, natives } })
      const quorums = yield* QuorumMonitor.QuorumMonitor
      const health = { ready: ready(store, quorums), degraded: quorums.degraded }
      const listener = Admin.layer({ ...config.admin, ...health, version })
      // Without an admin listener, chains are not polled for metrics.
      return Layer.effectDiscard(watch).pipe(Layer.provideMerge(listener))
    })
  )

  const http = Layer.unwrap(
    Effect.gen(function* () {
      const { authenticate, recall } = yield* Accounts.Accounts
      const { drain } = yield* SwapSignals.SwapSignals
      const { hold, holds, take, takeNow } = yield* RateLimits.RateLimits
      const service = yield* Service.Service
      const store = yield* Store.Store
      const quorums = yield* QuorumMonitor.QuorumMonitor
      const pseudonym = VisitorPseudonym.make(config.environment, secrets.sealKeys)
      const parts = { config, pseudonym, service, store, chains: yield* Chains.Chains, wallets }
      const failedAuth = RateLimits.forFailures(config.limits.failedAuth)
      const app = HttpApp.layer({
        service,
        authenticate,
        failedAuth: (request) => failedAuth(clientAddress(request, config.listen.trustedProxies)),
        takeLimit: take,
        holdStatus: hold,
        recall,
        takeNow,
        holds,
        ready: ready(store, quorums),
        degraded: quorums.degraded,
        origins: config.cors.origins,
        version,
        paths: served === undefined ? undefined : yield* Web.paths({ ...parts, ...served })
      })
      return app.pipe(Layer.provideMerge(NodeHttp.layer({ ...config.listen, onDrain: drain })))
    })
  )
  return http.pipe(
    // The admin listener stops only after the requests in progress have finished.
    Layer.provideMerge(admin),
    Layer.provideMerge(core),
    Layer.provide(base),
    Layer.provideMerge(Layer.merge(Layer.fresh(Metrics.layerRegistry), NodeCrypto.layer))
  )
}
