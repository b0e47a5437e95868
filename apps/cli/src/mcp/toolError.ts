/** The errors of tools, and the conversion of this program's errors. */
import { SwapError } from "@geoswap/core"
import { ToolError } from "@geoswap/tools"
import type { Approval } from "../agent/Approvals.js"
import { isOurs } from "../output/Exit.js"

const codeOf = (tag: string) => tag.replaceAll(/\B[A-Z]/g, "_$&").toUpperCase()

/** A person has to approve a swap. `repeatFlags` adds the flags of the server to the command for the user. */
export const approvalNeeded = ({ expiresAt, id, reason }: Approval, repeatFlags: (text: string) => string) =>
  new ToolError({
    code: "APPROVAL_NEEDED",
    message: `A person has to approve this swap: ${reason} Nothing was signed.`,
    nextStep: `Ask the user to run "${repeatFlags(`geoswap approve ${id}`)}" in a terminal. Then call execute_swap again with the same arguments and the same idempotencyKey. You cannot approve it yourself.`,
    approvalId: id,
    expiresAt: new Date(expiresAt).toISOString()
  })

/** Converts an error. The tools describe errors of the client themselves. */
export const toToolError = (error: unknown, repeatFlags: (text: string) => string) =>
  error instanceof ToolError || SwapError.isSwapError(error) || !isOurs(error)
    ? error
    : new ToolError({
        code: codeOf(error._tag),
        message: error.message,
        nextStep: `For the user: ${repeatFlags(error.next)}`,
        ...("flowId" in error && typeof error.flowId === "string" && { flowId: error.flowId })
      })
