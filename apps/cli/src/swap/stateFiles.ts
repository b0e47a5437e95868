/** State on disk: the store of swaps in progress, budgets and idempotency keys. */
import { Store, type SwapError } from "@geoswap/core"
import { FileStore } from "@geoswap/core/node"
import { fetchTransport } from "@geoswap/transport-fetch/promise"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Settings } from "../config/Settings.js"

/** The open flows of the configured service. */
interface Contents {
  readonly unfinished: ReadonlyArray<Store.OpenFlow>
  /** The files that cannot be read. They are kept, because a swap may depend on them. */
  readonly damaged: ReadonlyArray<string>
}

/** The store of this machine. All services share it; otherwise a new URL would reset the budgets. */
export interface LocalStore {
  readonly store: Store.Store
  readonly contents: Effect.Effect<Contents, SwapError.StoreError>
  /** Returns an open flow of any service. Fails if it may be in a file that cannot be read. */
  readonly find: (flowId: string) => Effect.Effect<Store.Flow | undefined, SwapError.StoreError>
  /** The open flows that this process has worked on. */
  readonly own: Effect.Effect<ReadonlyArray<Store.Flow>>
}

export const LocalStore: Context.Service<LocalStore, LocalStore> =
  /* @__PURE__ */ Context.Service<LocalStore>("@geoswap/cli/LocalStore")

/** Opens the store. */
export const make = ({ storeFolder, url }: Pick<Settings, "storeFolder" | "url">): LocalStore => {
  const service = url === undefined ? undefined : fetchTransport({ baseUrl: url }).service
  const records = FileStore.makeRecords(storeFolder, { lockTimeout: 60_000 })
  const { locks } = records
  const claimed = new Set<string>()
  const claim = (flowId: string): boolean => {
    const isOwn = locks?.claim(flowId) !== false
    if (isOwn) claimed.add(flowId)
    return isOwn
  }
  const store = Store.make({ ...records, locks: locks && { ...locks, claim } })
  return {
    store,
    contents: Effect.gen(function* () {
      const { damaged, flows } = yield* store.contents
      const wallets = new Set(flows.map(({ request }) => request.walletAddress))
      const open = yield* Effect.forEach(wallets, store.openFlows)
      return {
        unfinished: open
          .flat()
          .filter(({ flow }) => flow.service === service)
          .toSorted((one, other) => one.flow.createdAt - other.flow.createdAt),
        damaged: damaged.map(({ place }) => place)
      }
    }),
    find: (flowId) =>
      Effect.flatMap(store.contents, ({ damaged: [unreadable], flows }) => {
        const found = flows.find(({ id }) => id === flowId)
        return found === undefined && unreadable ? Effect.fail(unreadable.error) : Effect.succeed(found)
      }),
    own: Effect.match(store.contents, {
      onFailure: () => [],
      onSuccess: ({ flows }) => flows.filter(({ id }) => claimed.has(id))
    })
  }
}

/** Provides the store for this program and for core. */
export const layer: Layer.Layer<LocalStore | Store.Store, never, Settings> = Layer.effectContext(
  Effect.map(Settings, (settings) => {
    const local = make(settings)
    return Context.add(Context.make(LocalStore, local), Store.Store, local.store)
  })
)
