/** `geoswap delegation`: whether the wallet is set up on its origin chains, and whom it is delegated to. */
import { Chain, Client } from "@geoswap/core"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Directory from "../chains/Directory.js"
import { UsageError } from "../output/Exit.js"
import * as Keys from "../keys/Keys.js"
import * as Output from "../output/Output.js"
import * as Session from "../service/Session.js"
import { Settings } from "../config/Settings.js"

/**
 * What the service says about a wallet on a chain, and whether the contract is one that is pinned: the contract that the
 * wallet would sign for, or that it is delegated to already. Anything but an address is not shown.
 */
export const delegationOn = Effect.fnUntraced(function* (chain: Directory.KnownChain, walletAddress: string) {
  const { deployments } = yield* Settings
  const { delegated, delegatedTo, delegationTarget, originReady } = yield* Client.delegation({
    chainId: chain.id,
    walletAddress
  })
  const named = delegated ? (delegatedTo ?? delegationTarget) : delegationTarget
  const contract = Chain.isAddress("evm", named) ? named : undefined
  const delegates = deployments[chain.id]?.delegates
  return {
    chainId: chain.id,
    chain: chain.name,
    wallet: walletAddress,
    delegated,
    originReady,
    contract,
    /** Absent where there is no contract or no deployment to compare it with. */
    pinned:
      contract === undefined || delegates === undefined
        ? undefined
        : delegates.some((delegate) => Chain.sameAddress("evm", delegate, contract))
  }
})

type State = Effect.Success<ReturnType<typeof delegationOn>>

/** The state in words. */
export const delegationWords = ({ contract, delegated, originReady, pinned }: State): string => {
  if (delegated) return pinned === false ? `delegated to ${contract}, which is not pinned` : "delegated: ready to swap"
  if (originReady === false && contract === undefined) return "cannot be delegated: delegated to another provider"
  return pinned === false
    ? `not delegated; the service asks for ${contract}, which is not pinned`
    : "not delegated yet: the first swap from here does it"
}

const tell = Effect.fnUntraced(function* (named: Option.Option<string>) {
  const output = yield* Output.Output
  const { chains } = yield* Directory.Directory
  const only = Option.isSome(named) ? yield* Directory.resolveChain(named.value) : undefined
  if (only?.kind === "solana") {
    return yield* new UsageError({
      message: `${only.name} is a Solana chain: there is nothing to delegate.`,
      next: "Name an EVM chain, or none for all of them."
    })
  }
  const wallet = yield* Keys.addressOf("evm")
  if (wallet === undefined) {
    return yield* new Keys.KeyError({
      message: "There is no EVM wallet to look at.",
      next: "Name one with --wallet <address>, or a key with geoswap init."
    })
  }
  const chosen = only === undefined ? chains.filter(({ kind, served }) => kind === "evm" && served) : [only]
  const states = yield* Effect.forEach(chosen, (chain) => delegationOn(chain, wallet), { concurrency: 4 })
  yield* output.answer({ wallet, delegations: states }, ({ dim }) =>
    [
      `Wallet ${wallet}`,
      Output.table(
        states.map((state) => [state.chain, delegationWords(state), state.contract ?? ""]),
        { head: ["chain", "delegation", "contract"], style: dim }
      )
    ].join("\n")
  )
})

/** Tells the delegations. */
export const run = ({ chain }: { readonly chain: Option.Option<string> }) => Effect.provide(tell(chain), Session.reads)
