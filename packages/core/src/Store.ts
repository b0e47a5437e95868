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
import { Flow } from "./store/flow.js"
import { Key } from "./store/key.js"
import {
  damaged,
  damagedCode,
  fromPromise as recordsFromPromise,
  memoryRecords,
  type Records,
  toStoreError,
  type FlowsOnlyStore,
  type PromiseStore
} from "./store/records.js"
import { RunningFlows } from "./store/runningFlows.js"
import * as Spending from "./store/spending.js"
import { checkStates, isStale, sweep, type UpdateContext, type IsBusy, Wallet } from "./store/wallet.js"
import { StoreError } from "./SwapError.js"

export { Flow } from "./store/flow.js"
export { Key } from "./store/key.js"
export { type Change, type FlowsOnlyStore, type PromiseStore, type Records } from "./store/records.js"
export { Wallet } from "./store/wallet.js"
export type { Exhausted, Limit, Reservation, Scope } from "./store/spending.js"

/** The signed flows of all wallets. */
interface Contents {
  /** The flows, oldest first. */
  readonly flows: ReadonlyArray<Flow>
  /** The records that cannot be read. They are kept, because a swap may depend on them. */
  readonly damaged: ReadonlyArray<{ readonly place: string; readonly error: StoreError }>
}

/** A signed flow whose outcome is not yet known. */
export interface OpenFlow {
  readonly flow: Flow
  /** Whether a living process works on the flow, as far as this is known. */
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
    change: (document: Wallet, now: number, isBusy: IsBusy) => readonly [Wallet, A]
  ) => Effect.Effect<A, StoreError>
  /** Changes what is stored for an idempotency key. Keys are unique across wallets. */
  readonly updateKey: <A>(
    key: string,
    change: (stored: Key | undefined) => readonly [Key | undefined, A]
  ) => Effect.Effect<A, StoreError>
  /** The signed flows, and the records that cannot be read. */
  readonly contents: Effect.Effect<Contents, StoreError>
  /** The signed flows, oldest first. Fails if a record cannot be read, unless the records have an `onDamaged` callback. */
  readonly flows: Effect.Effect<ReadonlyArray<Flow>, StoreError>
  /** The signed flows of a wallet, and whether a living process works on them. */
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

const decode = <A, I>(schema: Schema.Codec<A, I>, text: string): A | undefined =>
  Option.getOrUndefined(Schema.decodeUnknownOption(Schema.fromJsonString(schema))(text))

const encode = <A, I>(schema: Schema.Codec<A, I>, value: A): string =>
  Schema.encodeSync(Schema.fromJsonString(schema))(value)

const [walletPrefix, keyPrefix, flowPrefix] = ["wallet-", "key-", "flow-"]

const walletName = (address: string): string => walletPrefix + keccak256(address)
const keyName = (key: string): string => keyPrefix + keccak256(key)

const isSigned = ({ state }: Flow): boolean => state !== "signing"

const emptyWallet = (address: string): Wallet => ({ address, flows: [], spent: [] })

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
  const parseKey = (name: string, text: string): Key => {
    const stored = decode(Key, text)
    if (stored === undefined || keyName(stored.key) !== name) throw damaged(locate(name))
    return stored
  }
  const read = (name: string) => records.read?.(name) ?? records.update(name, (text) => [text, text])
  const inContext = <A>(use: (context: UpdateContext) => Effect.Effect<A, StoreError>) =>
    Effect.gen(function* () {
      const clock = yield* Clock.Clock
      const { submissionLifetime: lifetime } = yield* RetrySettings
      const running = yield* RunningFlows
      return yield* use({
        // A process may have to wait for a record, so a time that was read before the update would be stale.
        now: () => clock.currentTimeMillisUnsafe(),
        lifetime,
        isBusy: (flowId) => running.has(flowId) || locks?.isBusy(flowId)
      })
    })
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
    inContext((context) =>
      Effect.suspend(() => {
        const { isBusy, now } = context
        const address = addressKey(wallet)
        const name = walletName(address)
        return records.update(name, (text) => {
          const stored = text === undefined ? emptyWallet(address) : parseWallet(name, text)
          const before = sweep(stored, context)
          const [after, answer] = change(before, now(), isBusy)
          checkStates(before, after)
          // A flow is claimed before it becomes visible, so that no process mistakes it for an abandoned one.
          for (const { id } of changedFlows(before, after)) {
            if (locks?.claim(id) === false && before.flows.every((flow) => flow.id !== id)) {
              throw new StoreError({ message: `Another process is working on flow ${id}.` })
            }
          }
          for (const { id } of removedFlows(stored, after)) locks?.release(id)
          if (after === stored) return [text, answer]
          const isEmpty = after.flows.length + after.spent.length === 0
          return [isEmpty ? undefined : encode(Wallet, after), answer]
        })
      })
    )

  /** Without locks, each flow has its own record, so that two processes never overwrite each other's flows. */
  const updateFlows: Store["update"] = (wallet, change) =>
    inContext((context) =>
      Effect.gen(function* () {
        const address = addressKey(wallet)
        const flows = yield* readFlows
        const own = flows.flows.filter(({ request }) => addressKey(request.walletAddress) === address)
        const stored = { ...emptyWallet(address), flows: own }
        const [after, answer] = yield* Effect.try({
          try: () => {
            const before = sweep(stored, context)
            const changed = change(before, context.now(), context.isBusy)
            checkStates(before, changed[0])
            return changed
          },
          catch: toStoreError
        })
        if (after.spent.length > 0) return yield* missingLocks()
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
  const signedFlows = Effect.map(readFlows, ({ flows, ...found }) => ({ ...found, flows: flows.filter(isSigned) }))
  const contents = inContext(({ lifetime, now }) =>
    Effect.gen(function* () {
      const found = yield* signedFlows
      const stale = found.flows.filter((flow) => isStale(flow, now(), lifetime))
      if (stale.length === 0) return found
      const wallets = new Set(stale.map(({ request }) => addressKey(request.walletAddress)))
      yield* Effect.forEach(wallets, (wallet) => update(wallet, (document) => [document, undefined]), { discard: true })
      return yield* signedFlows
    })
  )
  return {
    update,
    updateKey: (key, change) =>
      flowsOnly
        ? Effect.fail(missingLocks())
        : Effect.suspend(() => {
            const name = keyName(key)
            return records.update(name, (text) => {
              const before = text === undefined ? undefined : parseKey(name, text)
              const [after, answer] = change(before)
              return [after === before ? text : after && encode(Key, after), answer]
            })
          }),
    contents,
    flows: Effect.flatMap(contents, ({ damaged: [first, ...others], flows }) => {
      if (first !== undefined && onDamaged === undefined) return Effect.fail(first.error)
      for (const { place } of first ? [first, ...others] : []) onDamaged?.(place)
      return Effect.succeed(flows)
    }),
    openFlows: (wallet) =>
      update(wallet, (document, _, isBusy) => [
        document,
        document.flows.filter(isSigned).map((flow) => ({ flow, busy: isBusy(flow.id) === true }))
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
  wallet: string,
  reservation: Spending.Reservation
): Effect.Effect<Spending.Exhausted | undefined, StoreError> =>
  store.update<Spending.Exhausted | undefined>(wallet, (document, now) => {
    const spent = Spending.reserve(document.spent, reservation, now)
    return "left" in spent ? [document, spent] : [{ ...document, spent }, undefined]
  })

/** Returns what is left of a limit of a wallet, besides the reservation `id`. */
export const left = (
  store: Store,
  wallet: string,
  scope: Spending.Scope,
  limit: Spending.Limit,
  id?: string
): Effect.Effect<bigint, StoreError> =>
  store.update(wallet, (document, now) => [document, Spending.left(document.spent, scope, limit, now, id)])

/** A layer that provides a store. */
export const layer = (store: Store): Layer.Layer<Store> => Layer.succeed(Store, store)

/**
 * A layer that provides a store in memory. Build the layer only once, because every new store starts with no flows, no
 * spending and no keys.
 */
export const layerMemory: Layer.Layer<Store> = /* @__PURE__ */ Layer.effect(Store, makeMemory)
