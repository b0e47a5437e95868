/** `GET /swap/delegation`, and the check that a wallet's operation can be executed. */
import { Chain as CoreChain, type Delegation } from "@geoswap/core"
import * as Effect from "effect/Effect"
import { chainRefusal } from "../chains/chainRefusal.js"
import type { EvmChain } from "../chains/Chains.js"
import { chainOfWallet } from "../chains/Directory.js"
import type { WalletState } from "../chains/Wallet.js"
import { type Refusal, refuse } from "../domain/Refusal.js"
import { authorizationFault } from "../operations/verifyAuthorization.js"
import type { Dependencies } from "./Dependencies.js"

export const delegation = ({ directory }: Dependencies) =>
  Effect.fn("Service.delegation")(function* (_: string, { chainId, walletAddress }: Delegation.DelegationQuery) {
    const chain = yield* chainOfWallet(directory.chains, { chainId, walletAddress })
    if (chain.family === "solana") return { chainId, walletAddress, delegated: true, originReady: true }
    const state = yield* Effect.mapError(chain.walletState(walletAddress), chainRefusal)
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

/** The delegate and vault for an operation, plus an authorization if the wallet is not delegated yet. */
interface Readiness {
  readonly delegate: string
  readonly vault: string
  readonly authorization?: Delegation.Authorization
}

/** Checks that the wallet's operation can be executed in the chain's current state. */
export const readiness = Effect.fnUntraced(function* (
  chain: EvmChain,
  wallet: string,
  authorization: Delegation.Authorization | undefined
): Effect.fn.Return<Readiness, Refusal> {
  const known = yield* Effect.mapError(chain.delegationOf(wallet), chainRefusal)
  if (known.delegation === "ours") {
    return { delegate: known.delegatedTo ?? chain.delegate, vault: known.vault ?? chain.vault }
  }
  // A wallet that may have been delegated since the latest known block is not refused.
  const state: WalletState = yield* Effect.mapError(chain.walletState(wallet), chainRefusal)
  switch (state.delegation) {
    case "ours":
      return { delegate: state.delegatedTo ?? chain.delegate, vault: state.vault ?? chain.vault }
    case "foreign":
      return yield* refuse(
        "UNSUPPORTED_DELEGATION",
        `The wallet's account on ${chain.name} already has other code, which the service never replaces. Use another wallet on this chain.`
      )
    case "none": {
      if (authorization === undefined) {
        return yield* refuse(
          "NEEDS_DELEGATION",
          `The wallet is not delegated on ${chain.name}. Call GET /swap/delegation, sign an authorization over the fields it returns, and attach it.`
        )
      }
      // An authorization for an older vault or an older version of the account is still accepted.
      const known = chain.accounts.find((one) => CoreChain.sameAddress("evm", one.delegate, authorization.address))
      const { delegate, vault } = known ?? { delegate: chain.delegate, vault: chain.vault }
      const fault = yield* authorizationFault(authorization, {
        chainId: chain.id,
        delegate,
        nonce: state.nonce,
        wallet
      })
      if (fault !== undefined) {
        return yield* refuse(
          "INVALID_AUTHORIZATION",
          `The authorization ${fault}. Nothing was executed. Call GET /swap/delegation again, sign a new authorization, and build again.`
        )
      }
      return { delegate, vault, authorization }
    }
  }
})
