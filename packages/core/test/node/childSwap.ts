/** The swaps of a process that is killed, with a journal and a ledger in files. */
import { join } from "node:path"
import { Client, Policy, Signer, Transport } from "@geoswap/core"
import { FileJournal, FileLedger } from "@geoswap/core/node"
import { ScriptedTransport, TestSigner } from "@geoswap/core/testing"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

interface Options {
  readonly folder: string
  /** How many swaps the budget covers. */
  readonly count: number
  readonly print: (line: string) => void
}

/** Swaps until the budget is spent, each time with new layers, and prints every signature before it is sent. */
export const swap = ({ count, folder, print }: Options): Effect.Effect<void> => {
  const { evmRequest } = ScriptedTransport
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
    Policy.layer({ deployments: service.deployments, budgets: [budget] }),
    FileJournal.layer(join(folder, "journal"), { lockTimeout: 600_000 }),
    FileLedger.layer(join(folder, "ledger"), { lockTimeout: 600_000 })
  )
  const onProgress = (event: { readonly type: string; readonly flowId?: string }) =>
    Effect.sync(() => (event.type === "signed" ? print(`submit ${event.flowId}`) : undefined))
  const one = Effect.provide(Client.execute(evmRequest, { onProgress }), layer)
  return Effect.forever(one).pipe(
    Effect.catch((error) => Effect.sync(() => print(`${error._tag} ${"rule" in error ? error.rule : error.message}`)))
  )
}
