/** Formats a policy, its budgets and requests for approval for a terminal. */
import { Amount } from "@geoswap/core"
import { formatDecimal } from "../output/numbers.js"
import { fields, type Style, table } from "../output/Output.js"
import type { PolicyView } from "./AgentPolicy.js"
import type { Approval } from "./Approvals.js"
import type { AgentRules, TokenRef } from "./PolicyFile.js"
import { pinnedAt } from "./tokens.js"

const boundaries = {
  enforced: "enforced: the key is in an encrypted keystore",
  advisory: "advisory: any program that can read the key can sign without this policy"
}

const symbolOf = (policy: Pick<PolicyView, "tokens">, ref: TokenRef) =>
  `${pinnedAt(policy, ref)?.symbol ?? ref.token}@${ref.chainId}`

/** Formats a policy and what is left of it. */
export const formatView = (view: PolicyView, { bold, dim }: Style) =>
  [
    fields(
      [
        ["Wallet", view.wallet.address],
        ["Boundary", boundaries[view.boundary]],
        ["Service", view.service],
        ["Chains", view.chains.join(", ")],
        ["Tokens", view.tokens.map(({ address, chainId, symbol }) => `${symbol}@${chainId} ${address}`).join(", ")],
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
              ({ amount, chainId, left, symbol, window }) =>
                `above ${formatDecimal(amount)} ${symbol}@${chainId}${
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
        `${budget.symbol}@${budget.chainId}`,
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

type Rows = Parameters<typeof fields>[0]

/** The exact terms of a request for approval, from the authenticated record. */
export const termRows = (
  { terms }: Pick<Approval, "terms">,
  formatUnits: (ref: TokenRef, units: string) => string
): Rows => [
  ["Pay", formatUnits({ chainId: terms.originChain, token: terms.inputToken }, terms.amount)],
  [
    "Receive",
    `at least ${formatUnits({ chainId: terms.destinationChain, token: terms.outputToken }, terms.minOutput)}`
  ],
  ["Recipient", `${terms.recipient}${terms.recipient === terms.wallet ? ", the same wallet" : ""}`],
  ["Fee", `${terms.feeBps} bps, as the service reports it`],
  ["Wallet", terms.wallet],
  ["Service", terms.service],
  ["Vault", terms.vault],
  ["Delegates", terms.delegates.join(", ") || "none"]
]

/** Formats a request for approval. Every name comes from the policy. */
export const formatApproval = (approval: Approval, rules: AgentRules, { dim }: Style) => {
  const { expiresAt, id, reason, state } = approval
  const formatUnits = (ref: TokenRef, units: string) => {
    const { decimals, symbol } = pinnedAt(rules, ref) ?? {}
    return decimals === undefined
      ? `${units} units of ${ref.token} on chain ${ref.chainId}`
      : `${formatDecimal(Amount.format(BigInt(units), decimals))} ${symbol} (${units} units of ${ref.token}) on chain ${ref.chainId}`
  }
  return fields(
    [
      ["Request", `${id}, ${state}`],
      ["Why", reason],
      ...termRows(approval, formatUnits),
      ["Expires", new Date(expiresAt).toISOString()]
    ],
    dim
  )
}
