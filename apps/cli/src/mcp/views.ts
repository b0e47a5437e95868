/** Policies and swaps in the history, as tools return them. */
import type { Chain } from "@geoswap/core"
import { identifierOf, type Names, sideView, type View } from "@geoswap/tools"
import type { PolicyView } from "../agent/AgentPolicy.js"
import type { Entry, Side } from "../swap/History.js"
import { nameOf } from "./names.js"

/** Converts a policy. */
export const policyView = (names: Names, view: PolicyView): View.Policy => ({
  wallet: view.wallet.address,
  family: view.wallet.family,
  boundary: view.boundary,
  chains: view.chains.map((id) => names.chains.find((chain) => chain.id === id)?.name ?? `${id}`),
  tokens: view.tokens.map(({ address, chainId }) => nameOf(names, chainId, address)),
  recipients: view.recipients,
  budgets: view.budgets.map(({ amount, chainId, left, spent, token, window }) => ({
    token: nameOf(names, chainId, token),
    window,
    amount,
    spent,
    left
  })),
  approveAbove: view.approveAbove.map(({ amount, chainId, left, token, window }) => ({
    token: nameOf(names, chainId, token),
    amount,
    window,
    left
  })),
  rates: view.pairs.map(({ input, maxLossBps, minRate, output }) => ({
    from: nameOf(names, input.chainId, input.token),
    to: nameOf(names, output.chainId, output.token),
    minRate,
    maxLossBps
  })),
  maxSlippageBps: view.maxSlippageBps,
  maxFeeBps: view.maxFeeBps,
  maxTotalCostBps: view.maxTotalCostBps,
  maxSwapsPerHour: view.maxSwapsPerHour,
  swapsLeftThisHour: view.swapsLeftThisHour,
  pendingApprovals: view.pendingApprovals,
  elicitation: view.elicitation
})

/** A wallet whose policy is missing or cannot be used. */
export const withoutPolicy = (
  family: Chain.Family,
  error: Error & { readonly next?: string },
  repeatFlags: (text: string) => string
): View.Policy => ({
  family,
  boundary: "none",
  chains: [],
  tokens: [],
  recipients: [],
  budgets: [],
  approveAbove: [],
  problem: repeatFlags(`${error.message} ${error.next ?? ""}`.trim())
})

/** Converts a swap in the history. Amounts in whole tokens are computed again, from the decimals of the policy. */
export const entryView = (names: Names, entry: Entry): View.Swap => {
  const {
    delivered,
    failureCode,
    from,
    networkCost: _,
    paymentMethod: __,
    refunded,
    to,
    updatedAt: ___,
    ...others
  } = entry
  const side = (one: Side | undefined) =>
    one && sideView(names, { chainId: one.chainId, token: one.token, amount: BigInt(one.raw) })
  return {
    ...others,
    from: side(from),
    to: side(to),
    delivered: side(delivered),
    refunded: side(refunded),
    originTxHash: identifierOf(entry.originTxHash),
    deliveryTxHash: identifierOf(entry.deliveryTxHash),
    refundTxHash: identifierOf(entry.refundTxHash),
    untrustedFailureCode: failureCode
  }
}
