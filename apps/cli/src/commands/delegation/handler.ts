/**
 * Handles `geoswap delegation`: shows whether the wallet is delegated on each EVM chain, and to which contract, and
 * removes the delegation on one chain.
 */
import { Client } from "@geoswap/core"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { signingSession } from "../../agent/signingSession.js"
import { formatDelegation, readDelegation } from "../../chains/delegation.js"
import * as Directory from "../../chains/Directory.js"
import { usage, declined } from "../../output/Exit.js"
import * as Keys from "../../keys/Keys.js"
import * as Output from "../../output/Output.js"
import * as Session from "../../service/Session.js"
import * as StateFiles from "../../swap/stateFiles.js"
import * as Prompts from "../../terminal/Prompts.js"

/** Resolves an EVM chain. */
const evmChain = Effect.fnUntraced(function* (named: string, next: string) {
  const chain = yield* Directory.resolveChain(named)
  if (chain.family === "evm") return chain
  return yield* usage(`${chain.name} is a Solana chain, so there is nothing to delegate.`, next)
})

/** Shows the delegations. */
export const show = Effect.fnUntraced(function* ({ chain: named }: { readonly chain: string | undefined }) {
  const { chains } = yield* Directory.Directory
  const chosen =
    named === undefined
      ? chains.filter(({ family, served }) => family === "evm" && served)
      : [yield* evmChain(named, "Pass an EVM chain, or omit the chain to list all EVM chains.")]
  const wallet = yield* Keys.walletAddress("evm")
  const delegations = yield* Effect.forEach(chosen, (chain) => readDelegation(chain, wallet), { concurrency: 4 })
  yield* Output.result({ wallet, delegations }, ({ dim }) =>
    [
      `Wallet ${wallet}`,
      Output.table(
        delegations.map((delegation) => [delegation.chain, formatDelegation(delegation), delegation.contract ?? ""]),
        { head: ["chain", "delegation", "contract"], style: dim }
      )
    ].join("\n")
  )
}, Effect.provide(Session.reads))

/** Removes the delegation on one chain. */
export const revoke = Effect.fnUntraced(function* ({ chain: named }: { readonly chain: string }) {
  const chain = yield* evmChain(named, "Pass an EVM chain. To list your delegations, run 'geoswap delegation show'.")
  const wallet = yield* Keys.walletAddress("evm")
  const where = Directory.formatChain(chain)
  if (!(yield* Prompts.confirm(`Remove the delegation of ${wallet} on ${where}?`))) {
    return yield* declined("Cancelled. Nothing was signed.", "Run the command again when you are ready.")
  }
  const { changed, txHash } = yield* Effect.provide(
    Client.undelegate({ chainId: chain.id, walletAddress: wallet }),
    Layer.provide(signingSession(chain, Session.policyOf), StateFiles.layer)
  )
  yield* Output.result({ wallet, chainId: chain.id, chain: chain.name, changed, txHash }, () =>
    changed
      ? [
          `Removed the delegation of ${wallet} on ${where}.`,
          ...(txHash === undefined ? [] : [`  Transaction ${Output.stripControls(txHash)}`]),
          "The next swap from this chain will delegate the wallet again."
        ].join("\n")
      : `${wallet} is not delegated on ${where}. There is nothing to remove.`
  )
}, Effect.provide(Session.reads))
