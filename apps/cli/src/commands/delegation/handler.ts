/**
 * Handles `geoswap delegation`: shows whether the wallet is delegated on each EVM chain, and to which contract, and
 * removes the delegation on one chain.
 */
import { Client } from "@geoswap/core"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { signingSession } from "../../agent/signingSession.js"
import { formatDelegation, readDelegation } from "../../chains/delegation.js"
import * as Directory from "../../chains/Directory.js"
import { Declined, UsageError } from "../../output/Exit.js"
import * as Keys from "../../keys/Keys.js"
import * as Output from "../../output/Output.js"
import * as Session from "../../service/Session.js"
import * as StateFiles from "../../swap/stateFiles.js"
import * as Prompts from "../../terminal/Prompts.js"
import { Flags } from "../../flags/Flags.js"

/** Resolves an EVM chain. */
const evmChain = Effect.fnUntraced(function* (named: string, next: string) {
  const chain = yield* Directory.resolveChain(named)
  if (chain.kind === "evm") return chain
  return yield* new UsageError({
    message: `${chain.name} is a Solana chain, so there is nothing to delegate.`,
    next
  })
})

const evmWallet = Effect.flatMap(Keys.addressOf("evm"), (wallet) =>
  wallet === undefined
    ? Effect.fail(
        new Keys.KeyError({
          message: "No EVM wallet is configured.",
          next: "Pass --wallet <address>, or add a key with geoswap init."
        })
      )
    : Effect.succeed(wallet)
)

const showDelegations = Effect.fnUntraced(function* (named: Option.Option<string>) {
  const output = yield* Output.Output
  const { chains } = yield* Directory.Directory
  const only = Option.isSome(named)
    ? yield* evmChain(named.value, "Pass an EVM chain, or omit the chain to list all EVM chains.")
    : undefined
  const wallet = yield* evmWallet
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
export const show = ({ chain }: { readonly chain: Option.Option<string> }) =>
  Effect.provide(showDelegations(chain), Session.reads)

/** Asks whether to remove a delegation. Without a terminal, only `--yes` accepts. */
const confirmRevocation = Effect.fnUntraced(function* (question: string) {
  const { interactive } = yield* Output.Output
  const { yes } = yield* Flags
  if (!yes && !interactive) {
    return yield* new Declined({
      message: "Your confirmation is required, but no interactive terminal is available.",
      next: "Pass --yes if you are sure."
    })
  }
  if (yield* Prompts.confirm(question)) return
  return yield* new Declined({
    message: "Cancelled. Nothing was signed.",
    next: "Run the command again when you are ready."
  })
})

const revokeDelegation = Effect.fnUntraced(function* (named: string) {
  const output = yield* Output.Output
  const chain = yield* evmChain(named, "Pass an EVM chain. To list your delegations, run 'geoswap delegation show'.")
  const wallet = yield* evmWallet
  yield* confirmRevocation(`Remove the delegation of ${wallet} on ${Directory.formatChain(chain)}?`)
  const { changed, txHash } = yield* Effect.provide(
    Client.undelegate({ chainId: chain.id, walletAddress: wallet }),
    Layer.provide(signingSession(chain, Session.policyOf), StateFiles.layer)
  )
  yield* output.result({ wallet, chainId: chain.id, chain: chain.name, changed, txHash }, () =>
    changed
      ? [
          `Removed the delegation of ${wallet} on ${Directory.formatChain(chain)}.`,
          ...(txHash === undefined ? [] : [`  Transaction ${Output.stripControls(txHash)}`]),
          "The next swap from this chain will delegate the wallet again."
        ].join("\n")
      : `${wallet} is not delegated on ${Directory.formatChain(chain)}. There is nothing to remove.`
  )
})

/** Removes the delegation on one chain. */
export const revoke = ({ chain }: { readonly chain: string }) => Effect.provide(revokeDelegation(chain), Session.reads)
