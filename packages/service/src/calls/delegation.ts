/** `GET /swap/delegation`, and the check that a wallet's operation can be executed. */
import { Chain as CoreChain, type Delegation } from "@geoswap/core"
import * as Effect from "effect/Effect"
import type { EvmChain } from "../chains/Chains.js"
import { chainOfWallet } from "../chains/Directory.js"
import type { WalletDelegation } from "../chains/Wallet.js"
import { refuse } from "../domain/Refusal.js"
import { authorizationFault } from "../operations/verifyAuthorization.js"
import { call } from "./call.js"
import type { Dependencies } from "./Dependencies.js"

export const delegation = ({ directory }: Dependencies) =>
  call(
    "Service.delegation",
    Effect.fnUntraced(function* (_: string, { chainId, walletAddress }: Delegation.DelegationQuery) {
      const chain = yield* chainOfWallet(directory.chains, { chainId, walletAddress })
      if (chain.family === "solana") return { chainId, walletAddress, delegated: true, originReady: true }
      const state = yield* chain.walletState(walletAddress)
      const delegated = state.delegation === "ours"
      return {
        chainId,
        walletAddress,
        delegated,
        originReady: delegated,
        ...(state.delegatedTo !== undefined && { delegatedTo: state.delegatedTo }),
        // A wallet that is delegated to a different contract gets nothing to sign, because the service never replaces
        // that delegation. A wallet that is delegated to our contract needs the nonce to remove its delegation.
        ...(state.delegation === "none" && { delegationTarget: chain.delegate as `0x${string}` }),
        ...(state.delegation !== "foreign" && { accountNonce: state.nonce })
      } satisfies Delegation.Delegation
    })
  )

/** Refuses an authorization that is not valid for a wallet at its current nonce. `then` says what to do instead. */
export const checkAuthorization = (
  authorization: Delegation.Authorization,
  expected: Parameters<typeof authorizationFault>[1],
  then: string
) =>
  Effect.flatMap(authorizationFault(authorization, expected), (fault) =>
    fault === undefined
      ? Effect.void
      : Effect.fail(refuse("INVALID_AUTHORIZATION", `The authorization ${fault}. ${then}`))
  )

/**
 * Checks that the wallet's operation can be executed in the chain's current state. Returns the delegate and the vault,
 * and the authorization if the wallet is not delegated yet.
 */
export const readiness = Effect.fnUntraced(function* (
  chain: EvmChain,
  wallet: string,
  authorization: Delegation.Authorization | undefined
) {
  const ready = ({ delegatedTo, vault = chain.vault }: WalletDelegation) => ({
    delegate: delegatedTo ?? chain.delegate,
    vault,
    authorization: undefined
  })
  const known = yield* chain.delegationOf(wallet)
  if (known.delegation === "ours") return ready(known)
  // A wallet that may have been delegated since the latest known block is not refused.
  const state = yield* chain.walletState(wallet)
  if (state.delegation === "ours") return ready(state)
  if (state.delegation === "foreign") {
    return yield* refuse(
      "UNSUPPORTED_DELEGATION",
      `The wallet's account on ${chain.name} already has other code, which the service never replaces. Use another wallet on this chain.`
    )
  }
  if (authorization === undefined) {
    return yield* refuse(
      "NEEDS_DELEGATION",
      `The wallet is not delegated on ${chain.name}. Call GET /swap/delegation, sign an authorization over the fields it returns, and attach it.`
    )
  }
  // An authorization for an older vault or an older version of the account is still accepted.
  const account = chain.accounts.find((one) => CoreChain.sameAddress("evm", one.delegate, authorization.address))
  const { delegate, vault } = account ?? chain
  yield* checkAuthorization(
    authorization,
    { chainId: chain.id, delegate, nonce: state.nonce, wallet },
    "Nothing was executed. Call GET /swap/delegation again, sign a new authorization, and build again."
  )
  return { delegate, vault, authorization }
})
