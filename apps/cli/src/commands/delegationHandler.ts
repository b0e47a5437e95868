/** Handles `geoswap delegation`: shows whether the wallet is delegated on each EVM chain, and to which contract. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { formatDelegation, readDelegation } from "../chains/delegation.js"
import * as Directory from "../chains/Directory.js"
import { UsageError } from "../output/Exit.js"
import * as Keys from "../keys/Keys.js"
import * as Output from "../output/Output.js"
import * as Session from "../service/Session.js"

const showDelegations = Effect.fnUntraced(function* (named: Option.Option<string>) {
  const output = yield* Output.Output
  const { chains } = yield* Directory.Directory
  const only = Option.isSome(named) ? yield* Directory.resolveChain(named.value) : undefined
  if (only?.kind === "solana") {
    return yield* new UsageError({
      message: `${only.name} is a Solana chain, so there is nothing to delegate.`,
      next: "Pass an EVM chain, or omit the chain to list all EVM chains."
    })
  }
  const wallet = yield* Keys.addressOf("evm")
  if (wallet === undefined) {
    return yield* new Keys.KeyError({
      message: "No EVM wallet is configured.",
      next: "Pass --wallet <address>, or add a key with geoswap init."
    })
  }
  const chosen = only === undefined ? chains.filter(({ kind, served }) => kind === "evm" && served) : [only]
  const delegations = yield* Effect.forEach(chosen, (chain) => readDelegation(chain, wallet), { concurrency: 4 })
  yield* output.result({ wallet, delegations }, ({ dim }) =>
    [
      `Wallet ${wallet}`,
      Output.table(
        delegations.map((delegation) => [delegation.chain, formatDelegation(delegation), delegation.contract ?? ""]),
        { head: ["chain", "delegation", "contract"], style: dim }
      )
    ].join("\n")
  )
})

/** Shows the delegations. */
export const run = ({ chain }: { readonly chain: Option.Option<string> }) =>
  Effect.provide(showDelegations(chain), Session.reads)
