/** Why a wallet cannot pay, checked before a quote is requested. */
import type { Delegation } from "@geoswap/core/promise"
import type { Config } from "../config.js"
import { shortenAddress } from "../format/amounts.js"
import type { Wallet } from "../wallets/Wallet.js"

/** The reason why a wallet cannot pay, and what the user can do about it. */
export interface PaymentBlocker {
  readonly title: string
  readonly text: string
}

interface Origin {
  readonly id: number
  readonly name: string
}

/** Returns why a wallet cannot pay from a chain. `delegation` is `undefined` if the wallet's delegation is unknown. */
export const paymentBlocker = (
  wallet: Wallet | undefined,
  origin: Origin | undefined,
  delegation: Delegation | undefined,
  config: Config
): PaymentBlocker | undefined => {
  if (wallet?.family !== "evm" || origin === undefined || delegation === undefined || delegation.delegated) {
    return undefined
  }
  const { delegatedTo, delegationTarget } = delegation
  // If there is no delegation target, the wallet is delegated to another provider, and the service does not replace
  // that delegation.
  if (delegationTarget === undefined) {
    return {
      title: `${wallet.name} is delegated to another provider${delegatedTo === undefined ? "" : ` (${shortenAddress(delegatedTo)})`} on ${origin.name}.`,
      text: "It can receive but not pay on this chain. Pay with a different wallet or from a different chain."
    }
  }
  if (wallet.signer.capabilities.authorization) return undefined
  const testWallet = config.devnet === undefined ? "" : " a test wallet or"
  return {
    title: `${wallet.name} can receive but not pay on ${origin.name}.`,
    text: `Browser wallets do not sign EIP-7702 delegations for websites. Use${testWallet} a wallet that is already delegated, or pay from Solana.`
  }
}
