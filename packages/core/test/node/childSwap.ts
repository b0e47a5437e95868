/** The swaps of a process that is killed or finds the disk full, with a store in files. */
import { join } from "node:path"
import { Client, Policy, RetrySettings, Signer, type SwapError, Transport } from "@geoswap/core"
import { AuthenticatedStore, FileStore } from "@geoswap/core/node"
import { ScriptedTransport, TestSigner } from "@geoswap/core/testing"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

const { evmRequest } = ScriptedTransport

interface Options {
  readonly folder: string
  /** How many swaps the budget covers. */
  readonly count: number
  readonly print: (line: string) => void
}

/** Swaps until the budget is spent, each time with new layers, and prints every submission just before it is sent. */
export const swap = ({ count, folder, print }: Options): Effect.Effect<void> => {
  const service = ScriptedTransport.make({ serial: process.pid * 1_000_000 })
  service.delegate(evmRequest.originChain, evmRequest.walletAddress)
  service.ends("settled", 0)
  const budget = {
    chainId: evmRequest.originChain,
    token: evmRequest.inputToken,
    amount: BigInt(count) * evmRequest.amount
  }
  const { transport } = service
  const submit: typeof transport.submit = (request) =>
    Effect.andThen(
      Effect.sync(() => print(`submit ${request.geoOpToken}`)),
      transport.submit(request)
    )
  const layer = Layer.mergeAll(
    Layer.succeed(Transport.Transport, { ...transport, submit }),
    Signer.layer({ evm: TestSigner.evm() }),
    Policy.layer({ network: service.network, budgets: [budget] }),
    FileStore.layer(folder, { lockTimeout: 600_000 })
  )
  // A process that was killed may have left a signed flow that blocks the wallet. A person forgets it, and its budget
  // stays spent.
  const forget = ({ flowId }: SwapError.UnfinishedSwap) => Client.forget(flowId)
  const swapOnce = Effect.catchTag(Client.execute(evmRequest), "UnfinishedSwap", forget)
  const one = Effect.provide(swapOnce, layer)
  return Effect.forever(one).pipe(
    Effect.catch((error) => Effect.sync(() => print(`${error._tag} ${"rule" in error ? error.rule : error.message}`)))
  )
}

/** A budget for one swap. What a failed call reserved without signing must be available again. */
const oneSwap = { chainId: evmRequest.originChain, token: evmRequest.inputToken, amount: evmRequest.amount }
const storeOptions = { id: "one", key: new Uint8Array(32).fill(7), lockTimeout: 600_000 }
const storeFile = (folder: string) => join(folder, "store.json")

/** Creates an authenticated store in a folder. */
export const createStore = (folder: string) => Effect.orDie(AuthenticatedStore.create(storeFile(folder), storeOptions))

/** Swaps with the key `order-17` and a new store object, and returns how that ended. */
const order = (folder: string, authenticated: boolean, transport: Transport.Transport, evm = TestSigner.evm()) => {
  const layer = Layer.mergeAll(
    Layer.succeed(Transport.Transport, transport),
    Signer.layer({ evm }),
    Policy.layer({ network: ScriptedTransport.make().network, budgets: [oneSwap] }),
    authenticated
      ? AuthenticatedStore.layer(storeFile(folder), storeOptions)
      : FileStore.layer(folder, { lockTimeout: 600_000 })
  )
  return Client.execute(evmRequest, { idempotencyKey: "order-17" }).pipe(
    Effect.provide(layer),
    // A flow that a dead process has left does not keep its key until its lease is over.
    Effect.timeout(RetrySettings.defaults.claimLease / 2),
    Effect.match({ onSuccess: ({ status }): string => status, onFailure: ({ _tag }) => _tag })
  )
}

/** How a first call ended, and what a second call with the same key found. */
export interface Repeated {
  readonly first: string
  readonly second: string
  readonly swaps: number
  readonly signatures: number
  /** How many calls to the file system the first call has made. */
  readonly steps: number
}

/** Swaps twice with the same key. The disk is full during the first call. */
export const swapAgain = Effect.fnUntraced(function* (
  folder: string,
  authenticated: boolean,
  fault: { readonly begin: () => void; readonly end: () => void }
) {
  const service = ScriptedTransport.make()
  service.delegate(evmRequest.originChain, evmRequest.walletAddress)
  service.ends("settled", 0)
  const inner = TestSigner.evm()
  let signatures = 0
  const evm: typeof inner = {
    ...inner,
    signOperation: (operation) => Effect.tap(inner.signOperation(operation), () => Effect.sync(() => void signatures++))
  }
  if (authenticated) yield* createStore(folder)
  const call = () => order(folder, authenticated, service.transport, evm)
  fault.begin()
  const first = yield* call()
  fault.end()
  const second = yield* call()
  return { first, second, swaps: service.swaps.length, signatures } satisfies Omit<Repeated, "steps">
})

/** Swaps once, with a service that outlives this process. */
export const swapOnce = (folder: string, authenticated: boolean, url: string) =>
  order(
    folder,
    authenticated,
    Transport.make((request) =>
      Effect.promise(async () => {
        const response = await fetch(url, { method: "POST", body: JSON.stringify(request) })
        return (await response.json()) as Transport.HttpResponse
      })
    )
  )
