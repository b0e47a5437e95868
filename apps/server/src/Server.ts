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
  const made = yield* Effect.forEach(
    config.chains,
    Effect.fnUntraced(function* (chain): Effect.fn.Return<Chains.Chain> {
      if (chain.kind === "evm") {
        const [first, ...others] = Config.relayerKeysOf(chain)
        const keyOf = (name: string) => secretOf(secrets.evm, name)
        const keys = [yield* keyOf(first), ...(yield* Effect.forEach(others, keyOf))] as const
        return yield* EvmChain.make({ config: chain, keys, ...(scope && { scope }) })
      }
      const relayer = yield* secretOf(secrets.solana, chain.keys.relayer)
      return yield* SolanaChain.make({
        config: chain,
        relayer,
        vault: yield* secretOf(secrets.solana, chain.keys.vault)
      })
    })
  )
  return new Map(made.map((chain) => [chain.id, chain]))
})

const secretOf = <A>(secrets: ReadonlyMap<string, A>, name: string) => {
  const secret = secrets.get(name)
  return secret === undefined ? Effect.die(`the secret ${name} was not read`) : Effect.succeed(secret)
}

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
export const layer = ({
  config,
  database,
  secrets,
  version,
  wallets
}: Options): Layer.Layer<Admin.Admin | HttpServer | Service.Service | Executor.Executor, StartError> => {
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

  const healthOf = Effect.gen(function* () {
    const quorums = yield* QuorumMonitor.QuorumMonitor
    return { ready: ready(yield* Store.Store, quorums), degraded: quorums.degraded }
  })

  const admin = Layer.unwrap(
    Effect.gen(function* () {
      if (config.admin === undefined) return Admin.none
      const watch = Metrics.watch({
        store: yield* Store.Store,
        signals: yield* SwapSignals.SwapSignals,
        executor: yield* Executor.Executor,
        sampleMillis: config.admin.sampleMillis,
        directory: { chains: yield* Chains.Chains, natives }
      })
      const listener = Admin.layer({ ...config.admin, ...(yield* healthOf), version })
      // Without an admin listener, chains are not polled for metrics.
      return Layer.effectDiscard(watch).pipe(Layer.provideMerge(listener))
    })
  )

  const serve = (page: Web.Page | undefined) =>
    Layer.unwrap(
      Effect.gen(function* () {
        const { authenticate, recall } = yield* Accounts.Accounts
        const { drain } = yield* SwapSignals.SwapSignals
        const { hold, holds, take, takeNow } = yield* RateLimits.RateLimits
        const service = yield* Service.Service
        const failedAuth = RateLimits.forFailures(config.limits.failedAuth)
        const paths =
          config.web &&
          page &&
          (yield* Web.paths({
            config,
            web: config.web,
            page,
            pseudonym: VisitorPseudonym.make(config.environment, secrets.sealKeys),
            service,
            store: yield* Store.Store,
            chains: yield* Chains.Chains,
            wallets
          }))
        const app = HttpApp.layer({
          service,
          authenticate,
          failedAuth: (request) => failedAuth(clientAddress(request, config.listen.trustedProxies)),
          takeLimit: take,
          holdStatus: hold,
          recall,
          takeNow,
          holds,
          ...(yield* healthOf),
          origins: config.cors.origins,
          version,
          paths
        })
        return app.pipe(Layer.provideMerge(NodeHttp.layer({ ...config.listen, onDrain: drain })))
      })
    )

  // A missing page must be reported before anything else starts.
  return Layer.unwrap(
    Effect.map(config.web === undefined ? Effect.undefined : Web.readPage(config.web.folder), (page) =>
      serve(page).pipe(
        // The admin listener stops only after the requests in progress have finished.
        Layer.provideMerge(admin),
        Layer.provideMerge(core),
        Layer.provide(base),
        Layer.provideMerge(Layer.merge(Layer.fresh(Metrics.layerRegistry), NodeCrypto.layer))
      )
    )
  )
}
