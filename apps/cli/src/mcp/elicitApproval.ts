/** Asks the user of the MCP client to approve a swap. The policy decides whether the answer is accepted. */
import { Amount } from "@geoswap/core"
import type { Names } from "@geoswap/tools"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as McpSchema from "effect/ai/McpSchema"
import * as McpServer from "effect/ai/McpServer"
import type { ApprovalNeeded } from "../agent/AgentPolicy.js"
import { findToken } from "./names.js"

/** Asks a person to approve a swap in the client, if the client and the policy allow that. */
export type Elicit = (needed: ApprovalNeeded, names: Names) => Effect.Effect<boolean>

const Answer = Schema.Struct({
  approve: Schema.Boolean.annotate({ title: "Approve", description: "Sign this swap, once, with exactly these terms" })
})

/** An amount in whole tokens of the policy, and in the smallest unit, as it is signed. */
const formatUnits = (names: Names, chain: number, address: string, units: string): string => {
  const found = findToken(names, chain, address)
  return found === undefined
    ? `${units} units of ${address} on chain ${chain}`
    : `${Amount.format(BigInt(units), found.decimals)} ${found.name} (${units} units)`
}

/** The exact terms, from the authenticated record. */
const question = ({ reason, terms }: ApprovalNeeded, names: Names): string =>
  [
    `Approve this swap? ${reason}`,
    `Pay ${formatUnits(names, terms.originChain, terms.inputToken, terms.amount)}`,
    `Receive at least ${formatUnits(names, terms.destinationChain, terms.outputToken, terms.minOutput)}`,
    `Recipient ${terms.recipient}`,
    `Fee ${terms.feeBps} bps, as the service reports it`,
    `Wallet ${terms.wallet}`,
    `Service ${terms.service}`,
    `Vault ${terms.vault}`,
    `Delegates ${terms.delegates.join(", ") || "none"}`
  ].join("\n")

/** Returns the function that asks the client of the current request. */
export const elicitApproval: Effect.Effect<Elicit, never, McpSchema.McpRequestContext> = Effect.gen(function* () {
  const { clientCapabilities } = yield* McpSchema.McpRequestContext
  const client = yield* Effect.serviceOption(McpSchema.McpServerClient)
  // Clients without a session answer in another request, which this server does not offer.
  if (clientCapabilities.elicitation === undefined || Option.isNone(client)) return () => Effect.succeed(false)
  return (needed: ApprovalNeeded, names: Names) =>
    McpServer.elicit({ message: question(needed, names), schema: Answer }).pipe(
      Effect.map(({ approve }) => approve),
      // A question that the user closes interrupts the effect, and an answer in another form is a defect.
      Effect.catchCause(() => Effect.succeed(false)),
      Effect.provideService(McpSchema.McpServerClient, client.value)
    )
})
