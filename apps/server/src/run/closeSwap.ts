/** `geoswap-server swaps close`: ends a swap whose order a vault has used for something else than the service owed. */
import { type Chains, Executor, Store } from "@geoswap/service"
import * as Effect from "effect/Effect"
import * as Server from "../Server.js"
import * as Storage from "../storage/Storage.js"
import { find } from "./swaps/findSwap.js"
import type { Flags } from "../commands/parseArgs.js"
import * as Names from "../terminal/names.js"
import { type Failure, load, loadSecrets, say } from "../config/loadConfig.js"

/** Ends the swap as the vault's event says, and prints the proof. Without a proof it fails, and says why. */
export const close = Effect.fn("swaps close")(function* (
  { config: path, json, reason, transaction }: Pick<Flags, "config" | "json" | "reason" | "transaction">,
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
  const { config, database } = yield* load(path)
  const chains = yield* Server.chains(config, yield* loadSecrets(config))
  const names = Names.make(config)
  yield* Effect.gen(function* () {
    const store = yield* Store.Store
    const found = yield* find(store, named)
    const { payment, swap } = yield* Executor.closePaid(chains, store, found, { hash: transaction, reason })
    const { amount, block, chainId, hash, inFull, kind, nodes, owed, to, token } = payment
    const proof = { kind, chainId, to, token, amount: `${amount}`, hash, block: `${block}`, nodes }
    yield* say(
      json === true
        ? JSON.stringify({
            id: swap.id,
            state: swap.state,
            inFull,
            proof,
            owed: { ...owed, amount: `${owed.amount}` }
          })
        : [
            `Swap ${swap.id} is ${swap.state}.`,
            `Proof: the vault's ${kind} of ${names.amount(chainId, token, amount)} to ${to} with ${hash},`,
            `in final block ${block} of ${names.chain(chainId)}, according to ${nodes.join(", ")}.`,
            ...(inFull ? [] : [`Owed were ${owed.amount} of ${owed.token} to ${owed.to}: the rest is yours to pay.`])
          ].join("\n")
    )
  }).pipe(Effect.provide(Storage.store(database)))
})
