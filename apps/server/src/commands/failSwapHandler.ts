/** Ends a swap whose input provably never arrived. */
import { type ChainError, Executor, Store, type StoreError } from "@geoswap/service"
import * as Effect from "effect/Effect"
import { loadConfig, loadSecrets } from "../config/loadConfig.js"
import * as Names from "../output/displayNames.js"
import { Failure } from "../output/Failure.js"
import { print } from "../output/print.js"
import { formatTime } from "../output/time.js"
import * as Server from "../Server.js"
import * as Storage from "../storage/Storage.js"
import { findSwap } from "../swaps/findSwap.js"

interface Flags {
  readonly swap: string
  readonly json: boolean
}

/** Ends the swap as failed and prints the proof. Fails with the reason if there is no proof. */
export const failSwap = Effect.fn("swaps fail")(function* (
  flags: Flags,
  configFile?: string
): Effect.fn.Return<
  void,
  | Failure
  | Executor.NotProven
  | ChainError.ChainUnavailable
  | StoreError.Conflict
  | StoreError.StoreUnavailable
  | Storage.StorageError
> {
  const { config, database } = yield* loadConfig(configFile)
  const chains = yield* Server.chains(config, yield* loadSecrets(config))
  const names = Names.make(config)
  yield* Effect.gen(function* () {
    const store = yield* Store.Store
    const found = yield* findSwap(store, flags.swap)
    if (!chains.has(found.originChain)) {
      return yield* new Failure({
        message: `Chain ${found.originChain}, the origin of swap ${found.id}, is not configured. Add it to the configuration.`
      })
    }
    const { proof, swap } = yield* Executor.failUncollected(chains, store, found)
    const [block, time, chain] = [`${proof.block}`, formatTime(proof.time * 1_000), names.chain(swap.originChain)]
    yield* print(
      flags.json
        ? JSON.stringify({ id: swap.id, state: swap.state, proof: { block, time, nodes: proof.nodes } })
        : [
            `Swap ${swap.id} has failed. No tokens moved, and none can.`,
            `Proof: block ${block} on ${chain} is final, its timestamp ${time} is past the operation's deadline,`,
            `and the vault emitted no Collected event for order ${swap.orderId}, according to ${proof.nodes.join(", ")}.`
          ].join("\n")
    )
  }).pipe(Effect.provide(Storage.store(database)))
})
