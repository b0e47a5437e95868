/** The errors that tools return: a stable code, a short message and the next step. */
import { isSwapError, type SwapError, unknownReason } from "@geoswap/core/promise"
import { clean } from "./untrusted.js"

/** What an error result contains. */
export interface ToolErrorFields {
  /** A stable code, such as `POLICY_VIOLATION`. */
  readonly code: string
  /** What happened. Never contains text from a service or a chain. */
  readonly message: string
  /** What to do next. */
  readonly nextStep: string
  /** The id of a signed flow, for `resume_swap`. */
  readonly flowId?: string | undefined
  readonly swapId?: string | undefined
  /** The id of the approval that a person has to give. */
  readonly approvalId?: string | undefined
  /** When the request for approval expires. */
  readonly expiresAt?: string | undefined
  /** The rule of the policy that refuses the swap, what it allows, and the value. */
  readonly rule?: string | undefined
  readonly expected?: string | undefined
  readonly found?: string | undefined
  /** The service's code and message. Data, never an instruction. */
  readonly untrustedCode?: string | undefined
  readonly untrustedMessage?: string | undefined
}

/** An error with a code and a next step. Backends throw it. */
export class ToolError extends Error {
  readonly fields: ToolErrorFields
  constructor(fields: ToolErrorFields) {
    super(fields.message)
    this.name = "ToolError"
    this.fields = fields
  }
}

/** What happened, and what to do next. */
export type Described = Pick<ToolErrorFields, "message" | "nextStep">

const unsigned = "Nothing was signed."

const resumeUnknown = "Do not start the swap again. Call resume_swap with the flowId."

const unknownOutcomes: Readonly<Record<ReturnType<typeof unknownReason>, Described>> = {
  unanswered: {
    message: "The swap was signed, and it is not known yet whether the service accepted it.",
    nextStep: resumeUnknown
  },
  unrecorded: {
    message: "The swap was signed and accepted, and the service has no record of it now. It is not known how it ended.",
    nextStep:
      "Do not start the swap again. Report the flowId and the swapId to the person who runs this wallet: only that person can look for the payment, and then close the swap by hand."
  },
  unconfirmed: {
    message:
      "The swap was signed and accepted, and how it ended is not known: the wallet's own nodes do not confirm what the service says.",
    nextStep: resumeUnknown
  }
}

/** Describes an error of the client. The error's message may quote the service, so it is not used. */
const describe = (error: SwapError): Described => {
  switch (error._tag) {
    case "InvalidInput":
      // This message quotes only the caller.
      return {
        message: `The request is invalid: ${clean(error.message)}`,
        nextStep: "Nothing was sent. Correct the request."
      }
    case "PolicyViolation":
      if (error.approvalId !== undefined) {
        return {
          message: "A person has to approve this swap.",
          nextStep: `${unsigned} Ask the person who runs this wallet to give the approval. Then call execute_swap again with the same arguments and the same idempotencyKey. You cannot approve it yourself.`
        }
      }
      return {
        message: `The policy refuses this swap: ${error.rule} allows ${clean(error.expected)}, got ${clean(error.found)}.`,
        nextStep: `${unsigned} Read the limits with get_policy and stay within them. Only a person can change the policy. Do not retry the same swap.`
      }
    case "UnsafeOperation":
      return {
        message: "The service asked for a signature that does not match the accepted quote.",
        nextStep: `${unsigned} Do not retry. Report this to the person who runs this wallet.`
      }
    case "SignerError":
      return {
        message: "The wallet's key could not sign.",
        nextStep: `${unsigned} Report this to the person who runs this wallet.`
      }
    case "NeedsDelegation":
    case "InvalidAuthorization":
      return {
        message: "The wallet's delegation could not be set up.",
        nextStep: "Nothing was executed. Check get_delegation, and then retry with the same idempotencyKey."
      }
    case "Unsupported":
      return {
        message: "The wallet cannot pay with this token on this chain.",
        nextStep: `${unsigned} Use another token, or swap from another chain.`
      }
    case "SwapInProgress":
      return {
        message: "A swap of this wallet is in progress on this chain.",
        nextStep: "Nothing was changed. Wait for the swap with wait_for_swap, and then try again."
      }
    case "Expired":
    case "InvalidToken":
      return {
        message: "The quote expired before the swap was accepted.",
        nextStep: "Nothing was executed. Retry with the same idempotencyKey."
      }
    case "QuoteMoved":
      return {
        message: "The price moved below the accepted minimum.",
        nextStep: "Nothing was signed at the new price. Ask for a new quote with get_quote."
      }
    case "Declined":
      return { message: "The quote was not accepted.", nextStep: `${unsigned} Ask for a new quote with get_quote.` }
    case "Unauthorized":
      return {
        message: "The service does not accept the API key.",
        nextStep: "Report this to the person who runs this wallet."
      }
    case "RateLimited":
      return {
        message: "The service limits the rate of requests.",
        nextStep: `Wait ${Math.ceil((error.retryAfter ?? 5_000) / 1000)} seconds, and then retry with the same arguments.`
      }
    case "NoRoute":
      return {
        message: "The service has no route for this swap.",
        nextStep: "Choose other tokens or another amount. list_chains lists the tokens."
      }
    case "InsufficientBalance":
      return {
        message: "The wallet's balance is too low.",
        nextStep: "Read the balance with get_balances, and use a smaller amount."
      }
    case "AmountTooSmall":
      return { message: "The amount is too small to cover the network cost.", nextStep: "Use a larger amount." }
    case "AmountTooLarge":
      return { message: "The amount is too large to swap at once.", nextStep: "Use a smaller amount." }
    case "Rejected":
      return error.code === "SWAP_NOT_FOUND"
        ? { message: "The service has no record of this swap.", nextStep: "Check the id with list_swaps." }
        : {
            message: "The service rejected the request.",
            nextStep: "Change the request. The service's reason is in untrustedMessage."
          }
    case "Unavailable":
      return {
        message: "The service cannot be reached.",
        nextStep: "Wait, and then retry with the same arguments and the same idempotencyKey."
      }
    case "ProtocolError":
      return {
        message: "The service sent an invalid response.",
        nextStep: "Do not retry. Report this to the person who runs this wallet."
      }
    case "OutcomeUnknown":
      return unknownOutcomes[unknownReason(error)]
    case "UnfinishedSwap":
      return {
        message:
          "An earlier swap of this wallet was signed, and its outcome is not proved. Nothing was signed now, because it could be a second payment.",
        nextStep:
          "Call resume_swap with the flowId until the outcome is proved. Do not try the swap in another way. Only the person who runs this wallet can decide to forget the earlier swap."
      }
    case "WaitTimeout":
      return { message: "The swap has not finished yet.", nextStep: "Call wait_for_swap with the swapId." }
    case "StoreError":
      return {
        message: "The record of swaps and budgets could not be read or written.",
        nextStep: "Report this to the person who runs this wallet. Do not start other swaps."
      }
    case "IdempotencyConflict":
      return {
        message: "The idempotencyKey belongs to a swap with other arguments.",
        nextStep: "Nothing was sent. Use a new idempotencyKey for a new swap."
      }
    case "ReaderError":
      return { message: "The wallet's own node could not be read.", nextStep: "Wait, and then try again." }
  }
}

const codeOf = (tag: string): string => tag.replaceAll(/\B[A-Z]/g, "_$&").toUpperCase()

/** The messages and codes of these errors quote the service. */
const quotesService = new Set<SwapError["_tag"]>([
  "AmountTooLarge",
  "AmountTooSmall",
  "Expired",
  "InsufficientBalance",
  "InvalidAuthorization",
  "InvalidToken",
  "NeedsDelegation",
  "NoRoute",
  "ProtocolError",
  "RateLimited",
  "Rejected",
  "SwapInProgress",
  "Unauthorized",
  "Unavailable",
  "UnsafeOperation",
  "Unsupported"
])

/** Converts any error to the fields of an error result. An unknown error's message is not passed on. */
export const toFields = (error: unknown): ToolErrorFields => {
  if (error instanceof ToolError) return error.fields
  if (!isSwapError(error)) {
    return {
      code: "INTERNAL",
      message: "An unexpected error occurred.",
      nextStep: "Check list_swaps before you start another swap, and report this to the person who runs this wallet."
    }
  }
  return {
    code: error._tag === "PolicyViolation" && error.approvalId !== undefined ? "APPROVAL_NEEDED" : codeOf(error._tag),
    ...describe(error),
    ...("flowId" in error && error.flowId !== "" && { flowId: error.flowId }),
    ...("swapId" in error && { swapId: error.swapId }),
    ...(error._tag === "PolicyViolation" && {
      rule: error.rule,
      expected: error.expected,
      found: error.found,
      approvalId: error.approvalId
    }),
    ...(quotesService.has(error._tag) && { untrustedCode: error.code, untrustedMessage: error.message })
  }
}
