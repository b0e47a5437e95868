/** The errors of tools, and the conversion of this program's errors. */
import { SwapError } from "@geoswap/core"
import { ToolError } from "@geoswap/tools"
import { ApprovalNeeded } from "../agent/AgentPolicy.js"

const codeOf = (tag: string): string => tag.replaceAll(/\B[A-Z]/g, "_$&").toUpperCase()

/** This program's own errors have a tag, a message and a next step. None of them quotes the service. */
const isOurs = (error: unknown): error is Error & { readonly _tag: string; readonly next: string } =>
  error instanceof Error &&
  "_tag" in error &&
  typeof error._tag === "string" &&
  "next" in error &&
  typeof error.next === "string"

/**
 * Converts an error. The tools describe errors of the client themselves. `repeatFlags` adds the flags of the server to
 * the commands for the user.
 */
export const toToolError = (error: unknown, repeatFlags: (text: string) => string): unknown => {
  if (error instanceof ApprovalNeeded) {
    const { approvalId, expiresAt, reason } = error
    return new ToolError({
      code: "APPROVAL_NEEDED",
      message: `A person has to approve this swap: ${reason} Nothing was signed.`,
      nextStep: `Ask the user to run "${repeatFlags(`geoswap approve ${approvalId}`)}" in a terminal. Then call execute_swap again with the same arguments and the same idempotencyKey. You cannot approve it yourself.`,
      approvalId,
      expiresAt: new Date(expiresAt).toISOString()
    })
  }
  if (error instanceof ToolError || SwapError.isSwapError(error) || !isOurs(error)) return error
  return new ToolError({
    code: codeOf(error._tag),
    message: error.message,
    nextStep: `For the user: ${repeatFlags(error.next)}`,
    ...("flowId" in error && typeof error.flowId === "string" && { flowId: error.flowId })
  })
}
