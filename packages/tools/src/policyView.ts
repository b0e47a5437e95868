/** The limits of a client, as tools return them. */
import { formatAmount, type RuledClient } from "@geoswap/core/promise"
import * as Names from "./names.js"
import type * as View from "./views.js"

/** Converts the rules of a client for one of its wallets. */
export const policyView = async (
  names: Names.Names,
  { policy, remaining }: RuledClient["rules"],
  family: "evm" | "solana",
  wallet: string
): Promise<View.Policy> => {
  const left = await remaining(wallet)
  const complete = policy.budgets !== undefined && policy.allowedRecipients !== undefined
  const allowed = policy.allowedChains ?? names.chains.map(({ id }) => id)
  return {
    wallet,
    family,
    boundary: complete ? "advisory" : "none",
    chains: names.chains.flatMap(({ id, name }) => (allowed.includes(id) ? [name] : [])),
    tokens: (policy.allowedTokens ?? names.tokens.map(({ address, chainId }) => ({ chainId, token: address }))).map(
      ({ chainId, token }) => {
        const found = Names.tokenAt(names, chainId, token)
        return found === undefined ? `${token}@${chainId}` : Names.formatToken(found)
      }
    ),
    recipients: policy.allowedRecipients ?? [],
    budgets: (policy.budgets ?? []).flatMap(({ amount, chainId, token, window = "total" }, index) => {
      const found = Names.tokenAt(names, chainId, token)
      if (found === undefined || found.chain.family !== family) return []
      const rest = left.budgets[index] ?? 0n
      return [
        {
          token: Names.formatToken(found),
          window,
          amount: formatAmount(amount, found.token),
          spent: formatAmount(amount - rest, found.token),
          left: formatAmount(rest, found.token)
        }
      ]
    }),
    approveAbove: [],
    maxSlippageBps: policy.maxSlippageBps,
    maxFeeBps: policy.maxFeeBps,
    maxTotalCostBps: policy.maxTotalCostBps,
    maxSwapsPerHour: policy.maxSwapsPerHour,
    swapsLeftThisHour: left.swaps === undefined ? undefined : Number(left.swaps),
    ...(complete ? {} : { problem: "Set budgets and allowedRecipients in the client's policy." })
  }
}
