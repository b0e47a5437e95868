/** A scripted service with the layers of a client, and a clock that advances automatically. */
import * as Effect from "effect/Effect"
import type * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import { ChainReader, Client, Policy, RetrySettings, Signer, Store, Transport } from "../src/index.js"
import { pumpClock, ScriptedTransport, TestSigner } from "../src/testing.js"

export interface FixtureOptions {
  readonly service?: ScriptedTransport.ScriptedTransport
  readonly policy?: Policy.Options
  readonly signers?: Signer.Signers["Service"]
  /** The store (default: in memory). */
  readonly store?: Store.Store
  readonly readers?: ChainReader.ChainReader
}

/** The layers of a client around a service. */
export const makeFixture = (options: FixtureOptions = {}) => {
  const service = options.service ?? ScriptedTransport.make()
  const layer = Layer.mergeAll(
    Layer.succeed(Transport.Transport, service.transport),
    Signer.layer(options.signers ?? { evm: TestSigner.evm(), solana: TestSigner.solana() }),
    Policy.layer({ network: service.network, ...options.policy }),
    options.store ? Store.layer(options.store) : Store.layerMemory,
    ChainReader.layer(options.readers ?? {})
  )
  return { service, layer }
}

/** Runs an effect while the test clock advances in steps of 250 ms, for at most one hour. */
export const passing = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<Exit.Exit<A, E>, never, R> =>
  Effect.exit(pumpClock(effect, TestClock.adjust(250)))

/** Runs an effect that must succeed while the clock advances. */
export const succeeding = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.flatMap(passing(effect), (exit) => exit)

/** Runs an effect that must fail while the clock advances, and returns its error. */
export const failing = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<E, A, R> =>
  Effect.flip(succeeding(effect))

/** Waits until every operation that has been built is past its deadline. */
export const passDeadline: Effect.Effect<void> = TestClock.adjust("91 seconds")

/** Settings with which `execute` waits for proof until a refused operation has expired. */
export const patient = Layer.succeed(RetrySettings.RetrySettings, { ...RetrySettings.defaults, proofTimeout: 100_000 })

/** An EVM signer that counts its signatures. */
export const countingSigner = (inner: Signer.Evm = TestSigner.evm()) => {
  const signed = { operations: 0, payments: 0, authorizations: 0 }
  const signer: Signer.Evm = {
    ...inner,
    signOperation: (operation) => {
      signed.operations++
      return inner.signOperation(operation)
    },
    ...(inner.signPayment && {
      signPayment: (payment) => {
        signed.payments++
        return inner.signPayment?.(payment) ?? Effect.die("unreachable")
      }
    }),
    ...(inner.signAuthorization && {
      signAuthorization: (authorization) => {
        signed.authorizations++
        return inner.signAuthorization?.(authorization) ?? Effect.die("unreachable")
      }
    })
  }
  return { signer, signed }
}

/** An EVM reader that returns this state for every operation, and records the queries. */
export const evmReader = (
  state: ChainReader.SignedState,
  queries: Array<ChainReader.OperationQuery> = []
): ChainReader.Evm => ({
  operationState: (operation) => Effect.sync(() => (queries.push(operation), state)),
  paymentState: () => Effect.succeed(state),
  accountNonce: () => Effect.succeed(0),
  token: () => Effect.succeed({ decimals: 6 })
})

/** Forgets all open flows, as a person may who knows how their swaps ended. */
export const forgetAll = Effect.flatMap(Client.pending, (flows) =>
  Effect.forEach(flows, ({ id }) => Client.forget(id), { discard: true })
)
