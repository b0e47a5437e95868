/** Asks the user of the MCP client to approve a swap. The policy decides whether the answer is accepted. */
import { type Names, sideView } from "@geoswap/tools"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as McpSchema from "effect/ai/McpSchema"
import * as McpServer from "effect/ai/McpServer"
import type { Approval } from "../agent/Approvals.js"
import { termRows } from "../agent/formatPolicy.js"

/** Asks a person to approve a swap in the client, if the client and the policy allow that. */
export type Elicit = (needed: Approval, names: Names) => Effect.Effect<boolean>

const Answer = Schema.Struct({
  approve: Schema.Boolean.annotate({ title: "Approve", description: "Sign this swap, once, with exactly these terms" })
})

/** The exact terms. An amount is in whole tokens, and in the smallest unit, as it is signed. */
const question = (approval: Approval, names: Names) =>
  [
    `Approve this swap? ${approval.reason}`,
    ...termRows(approval, ({ chainId, token }, units) => {
      const { amount, token: name } = sideView(names, { chainId, token, amount: BigInt(units) })
      return amount === undefined
        ? `${units} units of ${token} on chain ${chainId}`
        : `${amount} ${name} (${units} units)`
    }).map((row) => row.join(" "))
  ].join("\n")

/** Returns the function that asks the client of the current request. */
export const elicitApproval = Effect.gen(function* () {
  const { clientCapabilities } = yield* McpSchema.McpRequestContext
  const client = yield* Effect.serviceOption(McpSchema.McpServerClient)
  // Clients without a session answer in another request, which this server does not offer.
  if (clientCapabilities.elicitation === undefined || Option.isNone(client)) return () => Effect.succeed(false)
  return (needed: Approval, names: Names) =>
    McpServer.elicit({ message: question(needed, names), schema: Answer }).pipe(
      Effect.map(({ approve }) => approve),
      // A question that the user closes interrupts the effect, and an answer in another form is a defect.
      Effect.catchCause(() => Effect.succeed(false)),
      Effect.provideService(McpSchema.McpServerClient, client.value)
    )
})
