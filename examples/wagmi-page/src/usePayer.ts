/** Whether a wallet can pay from a chain. This is known before a quote is requested. */
import type { PromiseEvmSigner } from "@geoswap/core/promise"
import { useDelegation } from "@geoswap/react"

/** `ready`, or why the wallet cannot pay. */
export type PayerState = "checking" | "ready" | "needs-delegation" | "other-delegate" | "unknown"

/** A payer's state, and a function that checks it again. */
export interface Payer {
  readonly state: PayerState
  readonly check: () => void
}

/**
 * A wallet's first payment on a chain requires a delegation (EIP-7702). Browser wallets do not sign delegations for web
 * pages, so a browser wallet can pay only if it is already delegated. A wallet client with a local account, for example
 * from an embedded wallet, can sign the delegation.
 */
export const usePayer = (signer: PromiseEvmSigner, chainId: number): Payer => {
  const { data, isError, refetch } = useDelegation({ chainId, walletAddress: signer.address })
  const check = () => void refetch()
  if (data === undefined) return { state: isError ? "unknown" : "checking", check }
  if (data.delegated) return { state: "ready", check }
  // Without a target, the wallet is delegated to a contract of another provider, which the service does not replace.
  if (data.delegationTarget === undefined) return { state: "other-delegate", check }
  return { state: signer.capabilities.authorization ? "ready" : "needs-delegation", check }
}
