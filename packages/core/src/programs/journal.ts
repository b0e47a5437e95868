/** The open flows of the store, as the swap programs use them. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { FlowId } from "../Id.js"
import { type Flow, Store } from "../Store.js"
import type { StoreError } from "../SwapError.js"
import type { Ledger } from "./ledger.js"

/** The methods on flows. `put` does not succeed before the flow is durable. */
export interface Journal {
  readonly put: (flow: Flow) => Effect.Effect<void, StoreError>
  readonly get: (id: FlowId) => Effect.Effect<Flow | undefined, StoreError>
  readonly remove: (id: FlowId) => Effect.Effect<void, StoreError>
  readonly list: Effect.Effect<ReadonlyArray<Flow>, StoreError>
  /** The open flows of a wallet, and whether another living process works on them. */
  readonly openFlows: Store["openFlows"]
  /** Lets other processes work on a flow that this process worked on. */
  readonly release: (id: FlowId) => Effect.Effect<void, StoreError>
}

/** Returns a store's methods on flows. */
export const makeJournal = (store: Store): Journal => {
  const get = (id: FlowId) =>
    Effect.flatMap(store.contents, ({ damaged: [unreadable], flows }) => {
      const found = flows.find((flow) => flow.id === id)
      return found === undefined && unreadable ? Effect.fail(unreadable.error) : Effect.succeed(found)
    })
  return {
    put: (flow) =>
      store.update(flow.request.walletAddress, (wallet) => {
        const isStored = wallet.flows.some(({ id }) => id === flow.id)
        const flows = isStored
          ? wallet.flows.map((other) => (other.id === flow.id ? flow : other))
          : [...wallet.flows, flow]
        return [{ ...wallet, flows }, undefined]
      }),
    get,
    remove: Effect.fnUntraced(function* (id) {
      const flow = yield* get(id)
      if (flow !== undefined) {
        yield* store.update(flow.request.walletAddress, (wallet) => [
          { ...wallet, flows: wallet.flows.filter((other) => other.id !== id) },
          undefined
        ])
      }
      // The flow may have been removed by another process.
      yield* store.release(id)
    }),
    list: store.flows,
    openFlows: store.openFlows,
    release: store.release
  }
}

/** What the swap programs use instead of the store's own methods, in tests of their recovery. */
export const Views = /* @__PURE__ */ Context.Reference<
  { readonly journal: Journal; readonly ledger: Ledger | undefined } | undefined
>("@geoswap/core/Views", { defaultValue: () => undefined })

/** The store's methods on flows. */
export const Journal: Effect.Effect<Journal, never, Store> = /* @__PURE__ */ Effect.flatMap(Views, (views) =>
  views ? Effect.succeed(views.journal) : Effect.map(Store, makeJournal)
)
