/** Formats a policy, its budgets and requests for approval for a terminal. */
import { Amount } from "@geoswap/core"
import { formatDecimal } from "../output/numbers.js"
import { fields, type Style, table } from "../output/Output.js"
import type { PolicyView } from "./AgentPolicy.js"
import type { Approval } from "./Approvals.js"
import type { AgentRules } from "./PolicyFile.js"
import { sameToken } from "./tokens.js"

const boundaries: Readonly<Record<PolicyView["boundary"], string>> = {
  enforced: "enforced: the key is in an encrypted keystore",
  advisory: "advisory: any program that can read the key can sign without this policy"
}

type Pinned = Pick<PolicyView, "tokens">

const symbolOf = ({ tokens }: Pinned, { chain, token }: { readonly chain: number; readonly token: string }): string =>
  `${tokens.find((one) => one.chain === chain && one.address.toLowerCase() === token.toLowerCase())?.symbol ?? token}@${chain}`

/** Formats a policy and what is left of it. */
export const formatView = (view: PolicyView, { bold, dim }: Style): string =>
  [
    fields(
      [
        ["Wallet", view.wallet.address],
        ["Boundary", boundaries[view.boundary]],
        ["Service", view.service],
        ["Chains", view.chains.join(", ")],
        ["Tokens", view.tokens.map(({ address, chain, symbol }) => `${symbol}@${chain} ${address}`).join(", ")],
        ["Recipients", view.recipients.join(", ")],
        [
          "Limits",
          [
            `slippage ${view.maxSlippageBps} bps`,
            `fee ${view.maxFeeBps} bps`,
            `total cost ${view.maxTotalCostBps} bps`
          ].join(", ")
        ],
        ["Swaps", `${view.swapsLeftThisHour} of ${view.maxSwapsPerHour} left this hour`],
        [
          "Approval",
          [
            ...view.approveAbove.map(
              ({ amount, chain, left, symbol, window }) =>
                `above ${formatDecimal(amount)} ${symbol}@${chain}${
                  left === undefined ? "" : ` per ${window} (${formatDecimal(left)} left)`
                }`
            ),
            "any pair without a price below"
          ].join(", ")
        ],
        ["Elicitation", view.elicitation ? "is an approval" : "is not an approval"],
        ["Outcomes", view.acceptClaims ? "may be claimed by the service only" : "must be proved by your nodes"]
      ],
      dim
    ),
    bold("Budgets"),
    table(
      view.budgets.map((budget) => [
        `${budget.symbol}@${budget.chain}`,
        budget.window,
        formatDecimal(budget.amount),
        formatDecimal(budget.spent),
        formatDecimal(budget.left)
      ]),
      { head: ["token", "window", "budget", "spent", "left"], right: [2, 3, 4], style: dim }
    ),
    bold("Prices"),
    view.pairs.length === 0
      ? "None: a person approves every swap."
      : table(
          view.pairs.map((pair) => [
            symbolOf(view, pair.input),
            symbolOf(view, pair.output),
            pair.minRate === undefined
              ? `price feeds, at most ${pair.maxLossBps} bps below`
              : `at least ${pair.minRate}`
          ]),
          { head: ["pay", "receive", "rate"], style: dim }
        )
  ].join("\n")

const amountOf = (rules: AgentRules, chain: number, token: string, raw: string): string => {
  const pinned = rules.tokens.find((one) =>
    sameToken(rules, { chain: one.chain, token: one.address }, { chain, token })
  )
  return pinned === undefined
    ? `${raw} units of ${token} on chain ${chain}`
    : `${formatDecimal(Amount.format(BigInt(raw), pinned.decimals))} ${pinned.symbol} (${raw} units of ${token}) on chain ${chain}`
}

/** Formats a request for approval with its exact terms. Every name comes from the policy. */
export const formatApproval = (
  { expiresAt, id, reason, state, terms }: Approval,
  rules: AgentRules,
  { dim }: Style
): string =>
  fields(
    [
      ["Request", `${id}, ${state}`],
      ["Why", reason],
      ["Pay", amountOf(rules, terms.originChain, terms.inputToken, terms.amount)],
      ["Receive", `at least ${amountOf(rules, terms.destinationChain, terms.outputToken, terms.minOutput)}`],
      ["Recipient", `${terms.recipient}${terms.recipient === terms.wallet ? ", the same wallet" : ""}`],
      ["Fee", `${terms.feeBps} bps, as the service reports it`],
      ["Wallet", terms.wallet],
      ["Service", terms.service],
      ["Vault", terms.vault],
      ["Delegates", terms.delegates.length === 0 ? "none" : terms.delegates.join(", ")],
      ["Expires", new Date(expiresAt).toISOString()]
    ],
    dim
  )
