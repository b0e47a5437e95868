/** Several processes that share a service and a store. */
import { assert } from "@effect/vitest"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { Client, type Signer, Store, SwapError } from "../src/index.js"
import { ScriptedTransport, TestSigner } from "../src/testing.js"
import { type FixtureOptions, makeFixture } from "./fixture.js"

const { evmRequest } = ScriptedTransport
const { originChain: chainId } = evmRequest

const delegated = () => {
  const service = ScriptedTransport.make()
  service.delegate(chainId, evmRequest.walletAddress)
  return service
}

/** A service with the store that all processes share. `flowsOnly`: the store has no locks. */
export const makeShared = ({
  flowsOnly = false,
  ...options
}: FixtureOptions & { readonly flowsOnly?: boolean } = {}) => {
  const service = delegated()
  const memory = Effect.runSync(Store.makeMemory)
  const store = flowsOnly ? Store.make({ ...memory.records, flowsOnly }) : memory
  /** The layers of one process. */
  const process = (own: FixtureOptions = {}) => makeFixture({ service, store, ...options, ...own }).layer
  return { service, store, process }
}

/** The error of a store that loses its connection. */
export const lost = new SwapError.StoreError({ message: "The connection was lost." })

type Document = Pick<Store.Wallet, "flows" | "spent">
const documentOf = (text: string | undefined): Document =>
  text === undefined ? { flows: [], spent: [] } : (JSON.parse(text) as Document)

/** What an update changes: the state that a flow gets and its number of signatures, or another word. */
const stepOf = (name: string, before: string | undefined, after: string | undefined): string => {
  if (name.startsWith("key-")) return before === after ? "read the key" : "write the key"
  if (before === after) return "read"
  const [old, now] = [documentOf(before).flows, documentOf(after).flows]
  const changed = now.find((flow) => JSON.stringify(flow) !== JSON.stringify(old.find(({ id }) => id === flow.id)))
  if (changed === undefined) return now.length < old.length ? "remove" : "reserve"
  const earlier = old.find(({ id }) => id === changed.id)
  if ((changed.signatures ?? 0) < (earlier?.signatures ?? 0)) return "withdraw"
  return changed.signatures === undefined ? changed.state : `${changed.state} ${changed.signatures}`
}

/** Makes single updates of a store slow or fail. A step is named after what the update changes, such as `signed 1`. */
export type Alter = <A>(
  step: string,
  update: Effect.Effect<A, SwapError.StoreError>
) => Effect.Effect<A, SwapError.StoreError>

/** A store as one process sees it. */
export const altered = (store: Store.Store, alter: Alter): Store.Store =>
  Store.make({
    ...store.records,
    update: (name, change) =>
      Effect.suspend(() => {
        let step = "read"
        // Changes are pure, so one can be tried first.
        const trying = store.records.update(name, (text) => {
          const [after] = change(text)
          step = stepOf(name, text, after)
          return [text, undefined]
        })
        return Effect.andThen(
          Effect.ignore(trying),
          Effect.suspend(() => alter(step, store.records.update(name, change)))
        )
      })
  })

/** A store that reports a step late: before or after it takes effect. */
export const slowStep = (
  store: Store.Store,
  slow: string,
  delay: Duration.Input,
  order: "before" | "after" = "after"
) => {
  const seen = { step: false }
  const alter: Alter = (step, update) => {
    if (step !== slow || (order === "after" && seen.step)) return update
    if (order === "before")
      return Effect.andThen(
        Effect.sync(() => (seen.step = true)),
        Effect.delay(update, delay)
      )
    return Effect.tap(update, () => Effect.suspend(() => ((seen.step = true), Effect.sleep(delay))))
  }
  return { store: altered(store, alter), seen }
}

/** A store in which a step fails once, and takes effect later. */
export const lateStep = (store: Store.Store, late: string, delay: Duration.Input): Store.Store => {
  let isFirst = true
  return altered(store, (step, update) => {
    if (step !== late || !isFirst) return update
    isFirst = false
    return Effect.andThen(Effect.forkDetach(Effect.delay(update, delay)), Effect.fail(lost))
  })
}

/** A store in which a step never ends and takes no effect, because its process died before it. */
export const deadAt = (store: Store.Store, last: string): Store.Store =>
  altered(store, (step, update) => (step === last ? Effect.never : update))

/** A store that loses the response to a step. */
export const deafTo = (store: Store.Store, unheard: string): Store.Store =>
  altered(store, (step, update) => (step === unheard ? Effect.andThen(update, Effect.fail(lost)) : update))

/** What a store keeps for an idempotency key. */
export const keyIn = (store: Store.Store, key: string) => store.updateKey(key, (stored) => [stored, stored])

/** The only flow of a store, signed or not, as it is stored. */
export const flowIn = (store: Store.Store) =>
  store.update(evmRequest.walletAddress, (wallet) => [wallet, wallet.flows[0]])

export const execute = (idempotencyKey: string | undefined) => Client.execute(evmRequest, { idempotencyKey })

/** The body of a submit request. */
export const submissionOf = (service: ScriptedTransport.ScriptedTransport, index: number) =>
  service.seen("submit")[index]?.body

/** Advances the clock until something is true, for at most ten minutes. */
export const until = (condition: () => boolean) =>
  Effect.gen(function* () {
    for (let step = 0; step < 12_000 && !condition(); step++) yield* TestClock.adjust(50)
    assert.isTrue(condition(), "the interleaving was not reached")
  })

/** A service that lies in its responses to submit and status requests: it invents a swap with this status. */
export const lyingSend =
  (
    service: ScriptedTransport.ScriptedTransport,
    { status, submitDelay = 0, statusDelay = 0 }: { status: string; submitDelay?: number; statusDelay?: number }
  ): ScriptedTransport.ScriptedTransport["send"] =>
  (request) => {
    const { endpoint } = request
    const isSubmit = endpoint === "submit" || endpoint === "submit-solana"
    if (!isSubmit && endpoint !== "status") return service.send(request)
    const body = JSON.stringify({ swapId: "lie", status: isSubmit ? "pending" : status })
    return Effect.delay(Effect.succeed({ status: 200, headers: {}, body }), isSubmit ? submitDelay : statusDelay)
  }

/** A wallet that takes 20 seconds for its second signature. */
export const slowSecondSignature = () => {
  const inner = TestSigner.evm()
  const signed = { operations: 0 }
  const evm: Signer.Evm = {
    ...inner,
    signOperation: (operation) =>
      Effect.delay(inner.signOperation(operation), ++signed.operations === 2 ? "20 seconds" : 0)
  }
  return { evm, signed }
}
