/** Whether a wallet can pay for a swap. This is known before a quote is requested. */
import type { PromiseEvmSigner, QuoteInput } from "@geoswap/core/promise"
import { useDelegation, useIndicativeQuote } from "@geoswap/react"
import { paymentOf } from "@geoswap/react/query"

/** `ready`, or why the wallet cannot pay. */
export type PayerState = "checking" | "ready" | "cannot-pay" | "unknown"

/** A payer's state, and a function that checks it again. */
export interface Payer {
  readonly state: PayerState
  /** Why the wallet cannot pay. */
  readonly problem?: string | undefined
  readonly check: () => void
}

/**
 * Browser wallets do not sign delegations (EIP-7702) for web pages. They pay with tokens that accept another signature,
 * such as USDC, or if they are already delegated. An indicative quote says how the wallet can pay, and reserves nothing.
 */
export const usePayer = (signer: PromiseEvmSigner, chainId: number, request: QuoteInput | undefined): Payer => {
  const delegation = useDelegation({ chainId, walletAddress: signer.address })
  const price = useIndicativeQuote(request)
  const check = () => void Promise.all([delegation.refetch(), request && price.refetch()])
  if (delegation.data === undefined) return { state: delegation.isError ? "unknown" : "checking", check }
  if (request === undefined) return { state: "ready", check }
  // If the price cannot be read, the quote reports why.
  if (price.data === undefined) return { state: price.failureReason === null ? "checking" : "ready", check }
  const { problem } = paymentOf(price.data, request, { signer, delegation: delegation.data })
  return { state: problem === undefined ? "ready" : "cannot-pay", problem: problem?.message, check }
}
