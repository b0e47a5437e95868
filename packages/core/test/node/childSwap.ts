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

/** Swaps until the budget is spent, each time with new layers, and prints every signature before it is sent. */
export const swap = ({ count, folder, print }: Options): Effect.Effect<void> => {
  const service = ScriptedTransport.make({ serial: process.pid * 1_000_000 })
  service.delegate(evmRequest.originChain, evmRequest.walletAddress)
  service.ends("settled", 0)
  const budget = {
    chain: evmRequest.originChain,
    token: evmRequest.inputToken,
    amount: BigInt(count) * evmRequest.amount
  }
  const layer = Layer.mergeAll(
    Layer.succeed(Transport.Transport, service.transport),
    Signer.layer({ evm: TestSigner.evm() }),
    Policy.layer({ network: service.network, budgets: [budget] }),
    FileStore.layer(folder, { lockTimeout: 600_000 })
  )
  const onProgress = (event: { readonly type: string; readonly flowId?: string }) =>
    Effect.sync(() => (event.type === "signed" ? print(`submit ${event.flowId}`) : undefined))
  // A process that was killed may have left a flow that blocks the wallet. A person forgets it, and its budget stays spent.
  const forget = ({ flowId }: SwapError.UnfinishedSwap) => Client.forget(flowId)
  const swapOnce = Effect.catchTag(Client.execute(evmRequest, { onProgress }), "UnfinishedSwap", forget)
  const one = Effect.provide(swapOnce, layer)
  return Effect.forever(one).pipe(
    Effect.catch((error) => Effect.sync(() => print(`${error._tag} ${"rule" in error ? error.rule : error.message}`)))
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
  // What cannot be released on a full disk stays spent.
  const budget = { chain: evmRequest.originChain, token: evmRequest.inputToken, amount: 4n * evmRequest.amount }
  const file = join(folder, "store.json")
  const options = { id: "one", key: new Uint8Array(32).fill(7), lockTimeout: 600_000 }
  if (authenticated) yield* Effect.orDie(AuthenticatedStore.create(file, options))
  const layer = () =>
    Layer.mergeAll(
      Layer.succeed(Transport.Transport, service.transport),
      Signer.layer({ evm }),
      Policy.layer({ network: service.network, budgets: [budget] }),
      authenticated ? AuthenticatedStore.layer(file, options) : FileStore.layer(folder, { lockTimeout: 600_000 }),
      // A claim that cannot be withdrawn on a full disk expires.
      Layer.succeed(RetrySettings.RetrySettings, { ...RetrySettings.defaults, claimLease: 500 })
    )
  const call = () =>
    Client.execute(evmRequest, { idempotencyKey: "order-17" }).pipe(
      Effect.provide(layer()),
      Effect.match({ onSuccess: ({ status }): string => status, onFailure: ({ _tag }) => _tag })
    )
  fault.begin()
  const first = yield* call()
  fault.end()
  const second = yield* call()
  return { first, second, swaps: service.swaps.length, signatures } satisfies Omit<Repeated, "steps">
})
