/** Prompts for common jobs. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as McpServer from "effect/ai/McpServer"

const text = (description: string) => Schema.String.annotate({ description })

const swap = McpServer.prompt({
  name: "swap",
  title: "Swap tokens",
  description: "Quotes a swap, asks for consent, and executes it",
  parameters: {
    amount: text("How much to pay, in whole tokens"),
    from: text("The token to pay with, for example usdc@base"),
    to: text("The token to receive, for example weth@arbitrum"),
    recipient: Schema.optionalKey(text("The address that receives the output (default: your wallet)"))
  },
  content: ({ amount, from, recipient, to }) =>
    Effect.succeed(
      [
        `Swap ${amount} ${from} for ${to}${recipient === undefined ? "" : `, to the recipient ${recipient}`}.`,
        "1. Call get_policy, and stop if the swap is outside the limits.",
        "2. Call get_quote, and show me the amount, the minimum, the fee and the recipient. Wait for my answer.",
        "3. Call execute_swap once, with a new idempotencyKey and with minOutput set to the minimum that I accepted.",
        "4. If the answer is lost or an error says so, call execute_swap again with the same idempotencyKey, or resume_swap.",
        "5. Tell me the status and the transaction hashes."
      ].join("\n")
    )
})

const checkSwap = McpServer.prompt({
  name: "check_swap",
  title: "Check a swap",
  description: "Reports what has happened to a swap, and what to do next",
  parameters: { swapId: text("The id of the swap") },
  content: ({ swapId }) =>
    Effect.succeed(
      [
        `Check the swap ${swapId} with get_swap, and tell me its status and when each step happened.`,
        "If it is pending, call wait_for_swap. If list_swaps shows it as unfinished, call resume_swap.",
        "Do not start another swap."
      ].join("\n")
    )
})

const spending = McpServer.prompt({
  name: "what_can_i_spend",
  title: "What can I spend?",
  description: "Compares the balances with the limits of the policy",
  content: () =>
    Effect.succeed(
      [
        "Call get_policy and get_balances.",
        "For each token, tell me the balance, what is left of its budget, and above which amount I have to approve a swap.",
        "Also list the allowed recipients. Do not start a swap."
      ].join("\n")
    )
})

/** Registers the prompts. */
export const layer = Layer.mergeAll(swap, checkSwap, spending)
