/** Why a wallet cannot pay, before anybody asks for a price. */
import type { Delegation } from "@geoswap/core/promise"
import type { Config } from "../config.js"
import { shortenAddress } from "../format/amounts.js"
import type { Wallet } from "../wallets/Wallet.js"

/** What is in the way, and what to do about it. */
export interface PaymentBlocker {
  readonly title: string
  readonly text: string
}

interface Origin {
  readonly id: number
  readonly name: string
}

/** What is in the way of paying from a chain; `delegation` is absent where it is not known. */
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
  // Nothing to sign over: somebody else's code is there, which nobody replaces.
  if (delegationTarget === undefined) {
    return {
      title: `${wallet.name} is delegated to another provider${delegatedTo === undefined ? "" : ` (${shortenAddress(delegatedTo)})`} on ${origin.name}.`,
      text: "It cannot pay from this chain. Pay with another wallet, or from another chain. It can still receive."
    }
  }
  if (wallet.signer.capabilities.authorization) return undefined
  const play = config.devnet === undefined ? "" : " a play wallet,"
  return {
    title: `${wallet.name} can receive here, but cannot pay.`,
    text: `Browser wallets do not sign EIP-7702 delegations for pages. Use${play} a wallet that is already delegated, or pay from Solana.`
  }
}
