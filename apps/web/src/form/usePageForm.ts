/** The page's swap form: the headless form plus the balances, the delegation, and whether the wallet can pay. */
import type { Delegation, SwapError } from "@geoswap/core/promise"
import { type SwapForm, useDelegation, useSwapForm } from "@geoswap/react"
import { useQueryClient } from "@tanstack/react-query"
import { useEffect, useMemo, useState } from "react"
import { balanceIn, useBalances } from "../balances.js"
import { familyOf, pinnedOf } from "../config.js"
import { usePage } from "../pageContext.js"
import { type PaymentBlocker, paymentBlocker } from "./paymentBlocker.js"

/** The headless form, with this page's additions. */
export interface PageForm extends SwapForm {
  /** Why the connected wallet cannot pay from the selected chain. */
  readonly blocker: PaymentBlocker | undefined
  /** Whether it is still unknown if the wallet has to sign a delegation. */
  readonly delegationUnknown: boolean
  /** Why the delegation could not be read. */
  readonly delegationError: SwapError | null
  readonly refetchDelegation: () => void
  readonly delegation: Delegation | undefined
  readonly receiverBalance: bigint | undefined
  /** Whether a balance is being read for the first time, in which case there is no balance to show. */
  readonly balancesLoading: Readonly<Record<"payer" | "receiver", boolean>>
}

/** Returns the form. While `paused` is true, the form requests no quotes. */
export const usePageForm = (paused: boolean): PageForm => {
  const { config, wallets } = usePage()
  const client = useQueryClient()
  const [payable, setPayable] = useState(true)
  const pinned = useMemo(() => pinnedOf(config), [config])
  const policy = useMemo(() => ({ highImpactBps: config.highImpactBps }), [config])
  const addresses = { evm: wallets.evm?.address, solana: wallets.solana?.address }
  const form = useSwapForm({
    wallets: addresses,
    balances: (chainId, token) => balanceIn(client, chainId, addresses[familyOf(config, chainId)], token),
    ...pinned,
    policy,
    quote: { query: { enabled: !paused && payable } }
  })
  const { destination, origin, outputToken, wallet } = form
  const payerLoading = useBalances(origin?.id, wallet)
  const receiver = destination && addresses[destination.kind]
  const receiverLoading = useBalances(destination?.id, receiver)
  const needsDelegation = origin?.kind === "evm" && wallet !== undefined
  const {
    data: delegation,
    error,
    failureReason,
    refetch
  } = useDelegation(needsDelegation ? { chainId: origin.id, walletAddress: wallet } : undefined)
  const payer = origin && wallets[origin.kind]
  const blocker = paymentBlocker(payer, origin, delegation, config)
  const delegationUnknown = needsDelegation && delegation === undefined
  // If the wallet cannot sign a delegation, request no quote until it is known that the swap does not need one.
  const mustWait = delegationUnknown && payer?.family === "evm" && !payer.signer.capabilities.authorization
  const canPay = blocker === undefined && !mustWait

  useEffect(() => setPayable(canPay), [canPay])
  // Load the signing code before it is needed.
  useEffect(() => payer?.preload(), [payer])

  return {
    ...form,
    canReview: form.canReview && canPay && !delegationUnknown,
    blocker,
    delegationUnknown,
    delegationError: delegationUnknown ? (failureReason ?? error) : null,
    refetchDelegation: () => void refetch(),
    delegation,
    receiverBalance: outputToken && destination && balanceIn(client, destination.id, receiver, outputToken.address),
    balancesLoading: { payer: payerLoading, receiver: receiverLoading }
  }
}
