/**
 * Stores what a wallet must not forget: its open flows, what it has spent, and which idempotency keys were used. All
 * processes that sign for a wallet must share one store.
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { addressKey } from "./codecs/addressKey.js"
import { keccak256 } from "./codecs/keccak.js"
import type { FlowId } from "./Id.js"
import { RetrySettings } from "./RetrySettings.js"
import { Entry } from "./store/entry.js"
import { Flow, withoutSubmission } from "./store/flow.js"
import {
  fromPromise as recordsFromPromise,
  memoryRecords,
  type Records,
  toStoreError,
  type FlowsOnlyStore,
  type PromiseStore
} from "./store/records.js"
import * as Spending from "./store/spending.js"
import { StoreError } from "./SwapError.js"

export { Entry } from "./store/entry.js"
export { Flow, Identity, Signed } from "./store/flow.js"
export {
  type Change,
  type FlowLocks,
  type FlowsOnlyStore,
  type Locks,
  type PromiseStore,
  type Records,
  type Storage,
  type StorageOptions,
  storageStore
} from "./store/records.js"
export type { Exhausted, Limit, Reservation, ReservationId, Scope, Window } from "./store/spending.js"

/** Everything that is stored for one wallet. It changes as a whole. */
export const Wallet = /* @__PURE__ */ Schema.Struct({
  /** The address. EVM addresses are in lowercase. */
  address: Schema.String,
  /** The signed flows whose outcome is not yet known. */
  flows: /* @__PURE__ */ Schema.Array(Flow),
  /** What was spent of each token, and the number of swaps. */
  spent: /* @__PURE__ */ Schema.Array(Spending.Spent),
  /** The entries of `execute` calls without an idempotency key. */
  entries: /* @__PURE__ */ Schema.Array(Entry)
})
export type Wallet = typeof Wallet.Type

/** The open flows of all wallets. */
export interface Contents {
  /** The flows, oldest first. */
  readonly flows: ReadonlyArray<Flow>
  /** The records that cannot be read. They are kept, because a swap may depend on them. */
  readonly damaged: ReadonlyArray<{ readonly place: string; readonly error: StoreError }>
}

/** A flow whose outcome is not yet known. */
export interface OpenFlow {
  readonly flow: Flow
  /** Whether another living process works on the flow, if the records have flow locks. */
  readonly busy: boolean
}

/**
 * The methods of a store. Each update is atomic across all processes that share the store, and durable once it succeeds.
 * A change is a pure function that returns the new value and a result.
 */
export interface Store {
  /** Changes what is stored for a wallet. */
  readonly update: <A>(
    wallet: string,
    change: (document: Wallet, now: number) => readonly [Wallet, A]
  ) => Effect.Effect<A, StoreError>
  /** Changes what is stored for an idempotency key. Keys are unique across wallets. */
  readonly updateKey: <A>(
    key: string,
    change: (entry: Entry | undefined, now: number) => readonly [Entry | undefined, A]
  ) => Effect.Effect<A, StoreError>
  /** The open flows, and the records that cannot be read. */
  readonly contents: Effect.Effect<Contents, StoreError>
  /** The open flows, oldest first. Fails if a record cannot be read, unless the records have an `onDamaged` callback. */
  readonly flows: Effect.Effect<ReadonlyArray<Flow>, StoreError>
  /** The open flows of a wallet, and whether another living process works on them. */
  readonly openFlows: (wallet: string) => Effect.Effect<ReadonlyArray<OpenFlow>, StoreError>
  /** Claims an open flow for this process. Returns `false` if another living process has claimed it. */
  readonly claim: (flow: Flow) => Effect.Effect<boolean, StoreError>
  /** Lets other processes work on a flow that this process worked on. */
  readonly release: (flowId: FlowId) => Effect.Effect<void, StoreError>
  /** What the store is built on. Names of your own records start with a prefix of your own. */
  readonly records: Records
}

/** The store that the swap programs use. */
export const Store: Context.Service<Store, Store> = /* @__PURE__ */ Context.Service<Store>("@geoswap/core/Store")

/** The code of the error for a record that cannot be read. */
export const damagedCode = "STORE_DAMAGED"

/** Creates the error for a record that cannot be read. */
export const damaged = (place: string): StoreError =>
  new StoreError({
    code: damagedCode,
    message: `The record ${place} is damaged. It has been left in place because a swap or a budget may depend on it. Restore it, or remove it once you are sure that nothing can be spent or signed twice.`
  })

const decode = <A, I>(schema: Schema.Codec<A, I>, text: string): A | undefined =>
  Option.getOrUndefined(Schema.decodeUnknownOption(Schema.fromJsonString(schema))(text))

const encode = <A, I>(schema: Schema.Codec<A, I>, value: A): string =>
  Schema.encodeSync(Schema.fromJsonString(schema))(value)

const [walletPrefix, keyPrefix, flowPrefix] = ["wallet-", "key-", "flow-"]

const walletName = (address: string): string => walletPrefix + keccak256(address)
const keyName = (key: string): string => keyPrefix + keccak256(key)

/** Whether a flow's submission has been stored for too long. */
const isStale = ({ createdAt, signedAt = createdAt, submission }: Flow, now: number, lifetime: number): boolean =>
  submission !== undefined && now - signedAt > lifetime

const emptyWallet = (address: string): Wallet => ({ address, flows: [], spent: [], entries: [] })

/** Returns the flows after a change that were not there before. */
const changedFlows = (before: Wallet, after: Wallet) => after.flows.filter((flow) => !before.flows.includes(flow))

/** Returns the flows that a change has removed. */
const removedFlows = (before: Wallet, after: Wallet) =>
  before.flows.filter(({ id }) => after.flows.every((flow) => flow.id !== id))

const missingLocks = () =>
  new StoreError({
    message: "This store has flows only, because it has no locks. Budgets and idempotency keys need locks."
  })

/** Creates a store. */
export const make = (records: Records): Store => {
  const { flowsOnly = false, locate = (name) => name, locks, onDamaged } = records
  // A copy of a record under another name could be read but not changed.
  const parseWallet = (name: string, text: string): Wallet => {
    const document = decode(Wallet, text)
    if (document === undefined || walletName(document.address) !== name) throw damaged(locate(name))
    return document
  }
  const parseFlow = (name: string, text: string): Flow => {
    const flow = decode(Flow, text)
    if (flow === undefined || flowPrefix + flow.id !== name) throw damaged(locate(name))
    return flow
  }
  const parseEntry = (name: string, text: string): Entry => {
    const entry = decode(Entry, text)
    if (entry === undefined || keyName(entry.key) !== name) throw damaged(locate(name))
    return entry
  }
  const read = (name: string) => records.read?.(name) ?? records.update(name, (text) => [text, text])
  // A process may have to wait for a record, so a time that was read before the update would be stale.
  const timed = <A>(use: (now: () => number, lifetime: number) => Effect.Effect<A, StoreError>) =>
    Effect.flatMap(Clock.Clock, (clock) =>
      Effect.flatMap(RetrySettings, ({ submissionLifetime }) =>
        use(() => clock.currentTimeMillisUnsafe(), submissionLifetime)
      )
    )
  const sweep = (document: Wallet, now: number, lifetime: number): Wallet =>
    document.flows.some((flow) => isStale(flow, now, lifetime))
      ? {
          ...document,
          flows: document.flows.map((flow) => (isStale(flow, now, lifetime) ? withoutSubmission(flow) : flow))
        }
      : document

  const readFlows = Effect.gen(function* () {
    const prefix = flowsOnly ? flowPrefix : walletPrefix
    const parse = (name: string, text: string) => (flowsOnly ? [parseFlow(name, text)] : parseWallet(name, text).flows)
    const flows: Array<Flow> = []
    const unreadable: Array<Contents["damaged"][number]> = []
    for (const name of (yield* records.names).filter((one) => one.startsWith(prefix))) {
      const reading = yield* Effect.result(
        Effect.flatMap(read(name), (text) =>
          Effect.try({ try: () => (text === undefined ? [] : parse(name, text)), catch: toStoreError })
        )
      )
      if (reading._tag === "Success") flows.push(...reading.success)
      else if (reading.failure.code === damagedCode) unreadable.push({ place: locate(name), error: reading.failure })
      else return yield* Effect.fail(reading.failure)
    }
    return {
      flows: flows.toSorted((one, other) => one.createdAt - other.createdAt || (one.id < other.id ? -1 : 1)),
      damaged: unreadable
    }
  })

  const updateWallet: Store["update"] = (wallet, change) =>
    timed((now, lifetime) =>
      Effect.suspend(() => {
        const address = addressKey(wallet)
        const name = walletName(address)
        return records.update(name, (text) => {
          const stored = text === undefined ? emptyWallet(address) : parseWallet(name, text)
          const before = sweep(stored, now(), lifetime)
          const [after, answer] = change(before, now())
          for (const { id } of changedFlows(before, after)) {
            // A flow is claimed before it becomes visible, so that no process mistakes it for an abandoned one.
            if (locks?.claim(id) === false) {
              throw new StoreError({ message: `Another process is working on flow ${id}.` })
            }
          }
          for (const { id } of removedFlows(before, after)) locks?.release(id)
          if (after === stored) return [text, answer]
          const isEmpty = after.flows.length + after.spent.length + after.entries.length === 0
          return [isEmpty ? undefined : encode(Wallet, after), answer]
        })
      })
    )

  /** Without locks, each flow has its own record, so that two processes never overwrite each other's flows. */
  const updateFlows: Store["update"] = (wallet, change) =>
    timed((now, lifetime) =>
      Effect.gen(function* () {
        const address = addressKey(wallet)
        const { flows } = yield* readFlows
        const own = flows.filter(({ request }) => addressKey(request.walletAddress) === address)
        const stored = { ...emptyWallet(address), flows: own }
        const [after, answer] = yield* Effect.try({
          try: () => change(sweep(stored, now(), lifetime), now()),
          catch: toStoreError
        })
        if (after.spent.length + after.entries.length > 0) return yield* missingLocks()
        for (const flow of changedFlows(stored, after)) {
          yield* records.update(flowPrefix + flow.id, () => [encode(Flow, flow), undefined])
        }
        for (const { id } of removedFlows(stored, after)) {
          yield* records.update(flowPrefix + id, () => [undefined, undefined])
        }
        return answer
      })
    )

  const update = flowsOnly ? updateFlows : updateWallet
  const contents = timed((now, lifetime) =>
    Effect.gen(function* () {
      const found = yield* readFlows
      const stale = found.flows.filter((flow) => isStale(flow, now(), lifetime))
      if (stale.length === 0) return found
      const wallets = new Set(stale.map(({ request }) => addressKey(request.walletAddress)))
      yield* Effect.forEach(wallets, (wallet) => update(wallet, (document) => [document, undefined]), { discard: true })
      return yield* readFlows
    })
  )
  return {
    update,
    updateKey: (key, change) =>
      flowsOnly
        ? Effect.fail(missingLocks())
        : timed((now) => {
            const name = keyName(key)
            return records.update(name, (text) => {
              const before = text === undefined ? undefined : parseEntry(name, text)
              const [after, answer] = change(before, now())
              return [after === before ? text : after && encode(Entry, after), answer]
            })
          }),
    contents,
    flows: Effect.flatMap(contents, ({ damaged: [first, ...others], flows }) => {
      if (first !== undefined && onDamaged === undefined) return Effect.fail(first.error)
      for (const { place } of first ? [first, ...others] : []) onDamaged?.(place)
      return Effect.succeed(flows)
    }),
    openFlows: (wallet) =>
      update(wallet, (document) => [
        document,
        document.flows.map((flow) => ({ flow, busy: locks?.isBusy(flow.id) === true }))
      ]),
    claim: ({ id, request }) =>
      update(request.walletAddress, (document) => [
        document,
        document.flows.some((flow) => flow.id === id) && (locks?.claim(id) ?? true)
      ]),
    release: (flowId) => Effect.try({ try: () => locks?.release(flowId), catch: toStoreError }),
    records
  }
}

/** Creates a store in memory. */
export const makeMemory: Effect.Effect<Store> = Effect.sync(() => make(memoryRecords().records))

/** Creates a store from functions that return promises. */
export const fromPromise = (store: PromiseStore | FlowsOnlyStore): Store => make(recordsFromPromise(store))

/** Reserves an amount for a wallet, or returns the limit that the amount would exceed. */
export const reserve = (
  store: Store,
  reservation: Spending.Reservation
): Effect.Effect<Spending.Exhausted | undefined, StoreError> =>
  store.update(reservation.wallet, (wallet, now) => {
    const [spent, exhausted] = Spending.reserve(wallet.spent, reservation, now)
    return [spent === wallet.spent ? wallet : { ...wallet, spent }, exhausted]
  })

/**
 * Releases a reservation, unless it has been made permanent. Call this only if the signature for the reservation never
 * left the process.
 */
export const release = (store: Store, reservation: Spending.ReservationId): Effect.Effect<void, StoreError> =>
  store.update(reservation.wallet, (wallet) => {
    const spent = Spending.release(wallet.spent, reservation)
    return [spent === wallet.spent ? wallet : { ...wallet, spent }, undefined]
  })

/**
 * Makes a reservation permanent, and returns whether the reservation exists. Called before a process submits a signature
 * that another process made.
 */
export const keep = (store: Store, reservation: Spending.ReservationId): Effect.Effect<boolean, StoreError> =>
  store.update(reservation.wallet, (wallet) => {
    const [spent, exists] = Spending.keep(wallet.spent, reservation)
    return [spent === wallet.spent ? wallet : { ...wallet, spent }, exists]
  })

/** Returns what is left of a limit, besides the reservation `id`. Reserves nothing, because the amount exceeds the limit. */
export const left = (
  store: Store,
  scope: Spending.Scope,
  limit: Spending.Limit,
  id = "view"
): Effect.Effect<bigint, StoreError> =>
  Effect.map(
    reserve(store, { ...scope, id, amount: limit.amount + 1n, limits: [limit] }),
    (exhausted) => exhausted?.left ?? 0n
  )

/** A layer that provides a store. */
export const layer = (store: Store): Layer.Layer<Store> => Layer.succeed(Store, store)

/**
 * A layer that provides a store in memory. Build the layer only once, because every new store starts with no flows, no
 * spending and no keys.
 */
export const layerMemory: Layer.Layer<Store> = /* @__PURE__ */ Layer.effect(Store, makeMemory)
