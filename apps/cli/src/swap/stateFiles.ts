/** State on disk: the stores of swaps in progress, budgets and idempotency keys. */
import { existsSync } from "node:fs"
import { Store } from "@geoswap/core"
import { AuthenticatedStore, FileStore } from "@geoswap/core/node"
import { fetchTransport } from "@geoswap/transport-fetch/promise"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as PolicyFile from "../agent/PolicyFile.js"
import { addressKey } from "../agent/tokens.js"
import { Settings } from "../config/Settings.js"
import * as Keys from "../keys/Keys.js"
import { userKeys } from "../keys/KeySource.js"

/** The files of the stores of the user's policies. */
const policyStores = Effect.gen(function* () {
  const paths = yield* Effect.forEach(
    yield* userKeys,
    Effect.fnUntraced(function* ({ family, source }) {
      const address = yield* Effect.orElseSucceed(Keys.addressOfSource(family, source), () => undefined)
      return (yield* PolicyFile.pathsOf(source, address ?? "")).store
    })
  )
  return [...new Set(paths)].filter(existsSync)
})

const openFlows = Effect.fnUntraced(function* (store: Store.Store) {
  const { damaged, flows } = yield* store.contents
  const wallets = new Set(flows.map(({ request }) => request.walletAddress))
  return { damaged, flows: (yield* Effect.forEach(wallets, store.openFlows)).flat() }
})

/** Lists the flows of a policy's store without the wallet's key. A file that cannot be read does not hide other flows. */
const listPolicyStore = (place: string) =>
  Effect.catch(openFlows(AuthenticatedStore.makeUnverified(place)), (error) =>
    Effect.succeed({ damaged: [{ place, error }], flows: [] })
  )

/**
 * Opens the store of this machine, and lists the flows of all stores. All services share the store; otherwise a new URL
 * would reset the budgets. A wallet with a policy for agents has its own store, whose flows are listed without the
 * wallet's key, and resumed with it.
 */
export const make = Effect.gen(function* () {
  const environment = yield* Effect.context<Effect.Services<typeof policyStores>>()
  const { storeFolder, url } = yield* Settings
  const service = url === undefined ? undefined : fetchTransport({ baseUrl: url }).service
  const store: Store.Store = FileStore.make(storeFolder, { lockTimeout: 60_000 })
  // A policy may be created while this process runs.
  const all = Effect.gen(function* () {
    const places = yield* Effect.provideContext(policyStores, environment)
    const found = [yield* openFlows(store), ...(yield* Effect.forEach(places, listPolicyStore))]
    return {
      damaged: found.flatMap(({ damaged }) => damaged),
      flows: found.flatMap(({ flows }) => flows).toSorted((one, other) => one.flow.createdAt - other.flow.createdAt)
    }
  })
  return {
    store,
    /**
     * The open flows of the configured service, and the files that cannot be read. They are kept, because a swap may
     * depend on them.
     */
    contents: Effect.map(all, ({ damaged, flows }) => ({
      unfinished: flows.filter(({ flow }) => flow.service === service),
      damaged: damaged.map(({ place }) => place)
    })),
    /** Returns an open flow of any service. Fails if it may be in a file that cannot be read. */
    find: (flowId: string) =>
      Effect.flatMap(all, ({ damaged: [unreadable], flows }) => {
        const found = flows.find(({ flow }) => flow.id === flowId)?.flow
        return found === undefined && unreadable ? Effect.fail(unreadable.error) : Effect.succeed(found)
      }),
    /** The open flows of a wallet, of any service. */
    ofWallet: (address: string) =>
      Effect.map(all, ({ flows }) =>
        flows.map(({ flow }) => flow).filter(({ request }) => addressKey(request.walletAddress) === addressKey(address))
      )
  }
})

/** The store of this machine, and the flows of all stores. */
export type LocalStore = Effect.Success<typeof make>
export const LocalStore = /* @__PURE__ */ Context.Service<LocalStore>("@geoswap/cli/LocalStore")

/** Provides the store for this program and for core. */
export const layer = Layer.effectContext(
  Effect.map(make, (local) => Context.add(Context.make(LocalStore, local), Store.Store, local.store))
)
