/** Finds out how the connected wallet can pay before a quote is requested. */
import type { Delegation, IndicativeQuote, QuoteInput } from "@geoswap/core/promise"
import { type PayingWallet, useIndicativeQuote } from "@geoswap/react"
import { paymentOf } from "@geoswap/react/query"
import { useMemo, useState } from "react"
import type { Wallet } from "../wallets/Wallet.js"

/** What a wallet's ways to pay depend on, except for the amount. */
const pairOf = (request: QuoteInput) => {
  const { destinationChain, inputToken, originChain, outputToken, recipient, walletAddress } = request
  return JSON.stringify([originChain, inputToken, destinationChain, outputToken, walletAddress, recipient ?? null])
}

/** Whether a wallet may be unable to pay: it is not delegated to the service, and it cannot be. */
const isDoubtful = (wallet: Wallet | undefined, delegation: Delegation | undefined) =>
  wallet?.family === "evm" &&
  delegation !== undefined &&
  !delegation.delegated &&
  (delegation.delegationTarget === undefined || !wallet.signer.capabilities.authorization)

/** Checks how a wallet can pay with an indicative quote, which reserves nothing. */
export const usePaymentCheck = (
  wallet: Wallet | undefined,
  delegation: Delegation | undefined,
  request: QuoteInput | undefined
) => {
  const payer = useMemo<PayingWallet>(
    () => ({ signer: wallet?.family === "evm" ? wallet.signer : undefined, delegation }),
    [wallet, delegation]
  )
  const asked = isDoubtful(wallet, delegation) ? request : undefined
  const pair = asked && pairOf(asked)
  // The last answer is used while the amount changes, so that messages do not flicker.
  const [last, setLast] = useState<{ readonly pair: string; readonly data: IndicativeQuote }>()
  // Read again now and then, because the wallet may change its delegation or approve Permit2 elsewhere.
  const { data, error, failureReason } = useIndicativeQuote(asked, { query: { refetchInterval: 15_000 } })
  if (data !== undefined && pair !== undefined && last?.data !== data) setLast({ pair, data })
  const known = data ?? (last?.pair === pair ? last?.data : undefined)
  return {
    /** The wallet, as `paymentOf` needs it. */
    payer,
    /** How the wallet can pay, if that had to be found out. */
    payment: known && asked && paymentOf(known, asked, payer),
    // Whether the answer is not known yet. If the price cannot be read, the quote reports the same error.
    isPending: asked !== undefined && known === undefined && error === null && failureReason === null
  }
}
