/** Several processes that share a service and a store. */
import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { Client, type Signer, Store, SwapError } from "../src/index.js"
import * as Journal from "./views/Journal.js"
import * as Ledger from "./views/Ledger.js"
import { ScriptedTransport, TestSigner } from "../src/testing.js"
import { type FixtureOptions, makeFixture } from "./fixture.js"

const { evmRequest } = ScriptedTransport
const { originChain: chain } = evmRequest

const delegated = () => {
  const service = ScriptedTransport.make()
  service.delegate(chain, evmRequest.walletAddress)
  return service
}

/** A service with the store that all processes share, which has flows only. */
export const makeJournaled = (options: FixtureOptions = {}) => {
  const service = delegated()
  const journal = Effect.runSync(Journal.makeMemory)
  /** The layers of one process. */
  const process = (own: FixtureOptions = {}) => makeFixture({ service, journal, ...options, ...own }).layer
  return { service, journal, process }
}

/** A service with the store that all processes share. */
export const makeShared = (options: FixtureOptions = {}) => {
  const service = delegated()
  const store = Effect.runSync(Store.makeMemory)
  const [journal, ledger] = [Journal.make(store), Ledger.make(store)]
  /** The layers of one process. */
  const process = (own: FixtureOptions = {}) => makeFixture({ service, journal, ledger, ...options, ...own }).layer
  return { service, store, journal, ledger, process }
}

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

/** The error of a store that loses its connection. */
export const lost = new SwapError.StoreError({ message: "The connection was lost." })

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
