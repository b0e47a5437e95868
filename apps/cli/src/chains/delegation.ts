/** An EVM wallet's EIP-7702 delegation on a chain, as reported by the service. */
import { Chain, Client, Operation } from "@geoswap/core"
import * as Effect from "effect/Effect"
import { Settings } from "../config/Settings.js"
import type { KnownChain } from "./Directory.js"

/**
 * Asks the service for the state of a wallet's delegation, and checks whether the delegate contract is pinned. The
 * delegate contract is the wallet's current delegate or, if the wallet is not delegated, the contract that the wallet
 * would authorize. A delegate contract whose address is invalid is discarded.
 */
export const readDelegation = Effect.fnUntraced(function* (chain: KnownChain, walletAddress: string) {
  const { deployments } = yield* Settings
  const { delegated, delegatedTo, delegationTarget, originReady } = yield* Client.delegation({
    chainId: chain.id,
    walletAddress
  })
  const named = delegated ? (delegatedTo ?? delegationTarget) : delegationTarget
  const contract = Chain.isAddress("evm", named) ? named : undefined
  const deployment = deployments[chain.id]
  // A wallet may stay delegated to an older contract, but it never delegates to one.
  const isPinned = (address: string) =>
    deployment !== undefined &&
    (delegated
      ? Operation.pinnedFor(deployment, address) !== undefined
      : (deployment.delegates ?? []).some((delegate) => Chain.sameAddress("evm", delegate, address)))
  return {
    chainId: chain.id,
    chain: chain.name,
    wallet: walletAddress,
    delegated,
    originReady,
    contract,
    /**
     * Whether the delegate contract is pinned. `undefined` if there is no delegate contract, or if the chain has no
     * pinned deployment to compare it with.
     */
    pinned: contract === undefined || deployment?.delegates === undefined ? undefined : isPinned(contract)
  }
})

type Delegation = Effect.Success<ReturnType<typeof readDelegation>>

/** Returns a human-readable description of a delegation. */
export const formatDelegation = ({ contract, delegated, originReady, pinned }: Delegation) => {
  if (delegated)
    return pinned === false ? `delegated to ${contract}, which is not pinned` : "delegated and ready to swap"
  if (originReady === false && contract === undefined)
    return "cannot be delegated: already delegated to another provider; it can pay with tokens that offer another way"
  return pinned === false
    ? `not delegated; the service requests a delegation to ${contract}, which is not pinned`
    : "not delegated yet; the first swap from this chain will delegate the wallet"
}

/** Determines whether a wallet still has to be delegated on a chain, and to which contract. */
export const readDelegationTerms = (chain: KnownChain, wallet: string) =>
  Effect.map(readDelegation(chain, wallet), ({ contract, delegated, pinned }) => ({
    needed: !delegated,
    contract,
    pinned
  }))

/** What the user needs to know about the delegation before signing. */
export type DelegationTerms = Effect.Success<ReturnType<typeof readDelegationTerms>>
