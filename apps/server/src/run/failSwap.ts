/** `geoswap-server swaps fail`: ends a swap whose input provably never arrived. */
import { type Chains, Executor, Store } from "@geoswap/service"
import * as Effect from "effect/Effect"
import * as Server from "../Server.js"
import * as Storage from "../storage/Storage.js"
import { find } from "./swaps/findSwap.js"
import type { Flags } from "../commands/parseArgs.js"
import * as Names from "../terminal/names.js"
import { Failure, load, loadSecrets, say } from "../config/loadConfig.js"
import { iso } from "../terminal/time.js"

/** Ends the swap as failed, and prints the proof. Without a proof it fails, and says why. */
export const fail = Effect.fn("swaps fail")(function* (
  flags: Pick<Flags, "config" | "json">,
  named: string
): Effect.fn.Return<
  void,
  | Failure
  | Executor.NotProven
  | Chains.ChainUnavailable
  | Store.Conflict
  | Store.StoreUnavailable
  | Storage.StorageError
> {
  const { config, database } = yield* load(flags.config)
  const chains = yield* Server.chains(config, yield* loadSecrets(config))
  const names = Names.make(config)
  yield* Effect.gen(function* () {
    const store = yield* Store.Store
    const found = yield* find(store, named)
    if (!chains.has(found.originChain)) {
      return yield* new Failure({ message: `Chain ${found.originChain} of swap ${found.id} is not configured.` })
    }
    const { proof, swap } = yield* Executor.failUncollected(chains, store, found)
    const [block, time, chain] = [`${proof.block}`, iso(proof.time * 1_000), names.chain(swap.originChain)]
    yield* say(
      flags.json === true
        ? JSON.stringify({ id: swap.id, state: swap.state, proof: { block, time, nodes: proof.nodes } })
        : [
            `Swap ${swap.id} is failed: nothing moved, and nothing can.`,
            `Proof: block ${block} of ${chain} is final, its time ${time} is past the deadline of the operation,`,
            `and the vault has no Collected event of order ${swap.orderId}, according to ${proof.nodes.join(", ")}.`
          ].join("\n")
    )
  }).pipe(Effect.provide(Storage.store(database)))
})
