/** Asks the user of the MCP client to approve a swap. The policy decides whether the answer is accepted. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as McpSchema from "effect/ai/McpSchema"
import * as McpServer from "effect/ai/McpServer"
import type { ApprovalNeeded } from "../agent/AgentPolicy.js"
import type { Elicit } from "./backend.js"

const Answer = Schema.Struct({
  approve: Schema.Boolean.annotate({ title: "Approve", description: "Sign this swap, once, with exactly these terms" })
})

/** The exact terms, from the authenticated record. Amounts are in the smallest unit, as they are signed. */
const question = ({ reason, terms }: ApprovalNeeded): string =>
  [
    `Approve this swap? ${reason}`,
    `Pay ${terms.amount} units of ${terms.inputToken} on chain ${terms.originChain}`,
    `Receive at least ${terms.minOutput} units of ${terms.outputToken} on chain ${terms.destinationChain}`,
    `Recipient ${terms.recipient}`,
    `Fee (claimed) ${terms.feeBps} bps`
  ].join("\n")

/** Returns the function that asks the client of the current request. */
export const elicitApproval: Effect.Effect<Elicit, never, McpSchema.McpRequestContext> = Effect.gen(function* () {
  const { clientCapabilities } = yield* McpSchema.McpRequestContext
  const client = yield* Effect.serviceOption(McpSchema.McpServerClient)
  // Clients without a session answer in another request, which this server does not offer.
  if (clientCapabilities.elicitation === undefined || Option.isNone(client)) return () => Effect.succeed(false)
  return (needed) =>
    McpServer.elicit({ message: question(needed), schema: Answer }).pipe(
      Effect.map(({ approve }) => approve),
      Effect.catch(() => Effect.succeed(false)),
      Effect.provideService(McpSchema.McpServerClient, client.value)
    )
})
