/** The swap form of the page: its choices, its price, and whether the wallet can pay at all. */
import type { Delegation, SwapError } from "@geoswap/core/promise"
import { type SwapForm, useDelegation, useSwapForm } from "@geoswap/react"
import { useQueryClient } from "@tanstack/react-query"
import { useEffect, useMemo, useRef, useState } from "react"
import { balanceIn, useBalances } from "../balances.js"
import { pinnedOf } from "../config.js"
import { usePage } from "../page.js"
import { familyOf } from "../trip.js"
import { type Obstacle, obstacleOf } from "./obstacle.js"

/** The form of the hooks, with what this page adds. */
export interface PageForm extends SwapForm {
  /** Why the connected wallet cannot pay from the chosen chain. */
  readonly obstacle: Obstacle | undefined
  /** Whether it is not known yet if the wallet has to sign a delegation. */
  readonly unsure: boolean
  /** Why it is not known. */
  readonly doubt: SwapError | null
  /** Asks once more whether it has to. */
  readonly recheck: () => void
  readonly delegation: Delegation | undefined
  /** What the receiving wallet holds already. */
  readonly received: bigint | undefined
  /** Whether the balances of the paying and of the receiving wallet are being read, and there are none to show. */
  readonly reading: Readonly<Record<"paid" | "received", boolean>>
}

/** The form; `paused` while something else is under way and no price is needed. */
export const useForm = (paused: boolean): PageForm => {
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
    quote: { enabled: !paused && payable }
  })
  const { destination, origin, outputToken, wallet } = form
  const paid = useBalances(origin?.id, wallet)
  const receiver = destination && addresses[destination.kind]
  const received = useBalances(destination?.id, receiver)
  const asked = origin?.kind === "evm" && wallet !== undefined
  const { delegation, error, refetch } = useDelegation(
    asked ? { chainId: origin.id, walletAddress: wallet } : undefined
  )
  const payer = origin && wallets[origin.kind]
  const obstacle = obstacleOf(payer, origin, asked ? delegation : undefined, config)
  const unsure = asked && delegation === undefined
  // A wallet that cannot sign a delegation gets no price before it is known to need none.
  const waits = unsure && payer?.family === "evm" && !payer.signer.capabilities.authorization
  const able = obstacle === undefined && !waits

  useEffect(() => setPayable(able), [able])
  // The swap that was under way may have delegated the wallet.
  const was = useRef(paused)
  useEffect(() => {
    if (was.current && !paused) refetch()
    was.current = paused
  }, [paused, refetch])
  // The code that signs is there before it is needed.
  useEffect(() => payer?.warmUp(), [payer])

  return {
    ...form,
    canReview: form.canReview && able && !unsure,
    obstacle,
    unsure,
    doubt: unsure ? error : null,
    recheck: refetch,
    delegation: asked ? delegation : undefined,
    received: outputToken && destination && balanceIn(client, destination.id, receiver, outputToken.address),
    reading: { paid, received }
  }
}
