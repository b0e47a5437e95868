/** `geoswap-server swaps close`: ends a swap whose order a vault has used for something else than the service owed. */
import { type Chains, Executor, Store } from "@geoswap/service"
import * as Effect from "effect/Effect"
import * as Server from "../Server.js"
import * as Storage from "../storage/Storage.js"
import { findSwap } from "../swaps/findSwap.js"
import * as Names from "../output/displayNames.js"
import { loadConfig, loadSecrets } from "../config/loadConfig.js"
import { type Failure } from "../output/Failure.js"
import { print } from "../output/print.js"

interface Flags {
  readonly swap: string
  readonly transaction: string
  readonly reason: string | undefined
  readonly json: boolean
}

/** Ends the swap as the vault's event says, and prints the proof. Without a proof it fails, and says why. */
export const closeSwap = Effect.fn("swaps close")(function* (
  { json, reason, swap: named, transaction }: Flags,
  configFile?: string
): Effect.fn.Return<
  void,
  | Failure
  | Executor.NotProven
  | Chains.ChainUnavailable
  | Store.Conflict
  | Store.StoreUnavailable
  | Storage.StorageError
> {
  const { config, database } = yield* loadConfig(configFile)
  const chains = yield* Server.chains(config, yield* loadSecrets(config))
  const names = Names.make(config)
  yield* Effect.gen(function* () {
    const store = yield* Store.Store
    const found = yield* findSwap(store, named)
    const { payment, swap } = yield* Executor.closePaid(chains, store, found, { hash: transaction, reason })
    const { amount, block, chainId, hash, inFull, kind, nodes, owed, to, token } = payment
    const proof = { kind, chainId, to, token, amount: `${amount}`, hash, block: `${block}`, nodes }
    yield* print(
      json
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
