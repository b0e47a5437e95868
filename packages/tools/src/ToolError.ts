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
const report = "Report this to the person who runs this wallet."
const resumeUnknown = "Do not start the swap again. Call resume_swap with the flowId."

type Tag = SwapError["_tag"]
type Text = readonly [message: string, nextStep: string]

const unknownOutcomes: Readonly<Record<ReturnType<typeof unknownReason>, Text>> = {
  unanswered: ["The swap was signed, and it is not known yet whether the service accepted it.", resumeUnknown],
  unrecorded: [
    "The swap was signed and accepted, and the service has no record of it now. It is not known how it ended.",
    "Do not start the swap again. Report the flowId and the swapId to the person who runs this wallet: only that person can look for the payment, and then close the swap by hand."
  ],
  unconfirmed: [
    "The swap was signed and accepted, and how it ended is not known: the wallet's own nodes do not confirm what the service says.",
    resumeUnknown
  ]
}

const delegationFailed: Text = [
  "The wallet's delegation could not be set up.",
  "Nothing was executed. Check get_delegation, and then retry with the same idempotencyKey."
]

const expired: Text = [
  "The quote expired before the swap was accepted.",
  "Nothing was executed. Retry with the same idempotencyKey."
]

/** The errors of the client. An error's own message may quote the service, so it is not used. */
const texts: {
  readonly [T in Tag]: Text | ((error: Extract<SwapError, { readonly _tag: T }>) => Text)
} = {
  // This message quotes only the caller.
  InvalidInput: ({ message }) => [
    `The request is invalid: ${clean(message)}`,
    "Nothing was sent. Correct the request."
  ],
  PolicyViolation: ({ approvalId, expected, found, rule }) =>
    approvalId === undefined
      ? [
          `The policy refuses this swap: ${rule} allows ${clean(expected)}, got ${clean(found)}.`,
          `${unsigned} Read the limits with get_policy and stay within them. Only a person can change the policy. Do not retry the same swap.`
        ]
      : [
          "A person has to approve this swap.",
          `${unsigned} Ask the person who runs this wallet to give the approval. Then call execute_swap again with the same arguments and the same idempotencyKey. You cannot approve it yourself.`
        ],
  UnsafeOperation: [
    "The service asked for a signature that does not match the accepted quote.",
    `${unsigned} Do not retry. ${report}`
  ],
  SignerError: ["The wallet's key could not sign.", `${unsigned} ${report}`],
  NeedsDelegation: delegationFailed,
  InvalidAuthorization: delegationFailed,
  Unsupported: [
    "The wallet cannot pay with this token on this chain.",
    `${unsigned} Use another token, or swap from another chain.`
  ],
  SwapInProgress: [
    "A swap of this wallet is in progress on this chain.",
    "Nothing was changed. Wait for the swap with wait_for_swap, and then try again."
  ],
  Expired: expired,
  InvalidToken: expired,
  QuoteMoved: [
    "The price moved below the accepted minimum.",
    "Nothing was signed at the new price. Ask for a new quote with get_quote."
  ],
  Declined: ["The quote was not accepted.", `${unsigned} Ask for a new quote with get_quote.`],
  Unauthorized: ["The service does not accept the API key.", report],
  RateLimited: ({ retryAfter = 5_000 }) => [
    "The service limits the rate of requests.",
    `Wait ${Math.ceil(retryAfter / 1000)} seconds, and then retry with the same arguments.`
  ],
  NoRoute: [
    "The service has no route for this swap.",
    "Choose other tokens or another amount. list_chains lists the tokens."
  ],
  InsufficientBalance: [
    "The wallet's balance is too low.",
    "Read the balance with get_balances, and use a smaller amount."
  ],
  AmountTooSmall: ["The amount is too small to cover the network cost.", "Use a larger amount."],
  AmountTooLarge: ["The amount is too large to swap at once.", "Use a smaller amount."],
  Rejected: ({ code }) =>
    code === "SWAP_NOT_FOUND"
      ? ["The service has no record of this swap.", "Check the id with list_swaps."]
      : ["The service rejected the request.", "Change the request. The service's reason is in untrustedMessage."],
  Unavailable: [
    "The service cannot be reached.",
    "Wait, and then retry with the same arguments and the same idempotencyKey."
  ],
  ProtocolError: ["The service sent an invalid response.", `Do not retry. ${report}`],
  OutcomeUnknown: (error) => unknownOutcomes[unknownReason(error)],
  UnfinishedSwap: [
    "An earlier swap of this wallet was signed, and its outcome is not proved. Nothing was signed now, because it could be a second payment.",
    "Call resume_swap with the flowId until the outcome is proved. Do not try the swap in another way. Only the person who runs this wallet can decide to forget the earlier swap."
  ],
  WaitTimeout: ["The swap has not finished yet.", "Call wait_for_swap with the swapId."],
  StoreError: ["The record of swaps and budgets could not be read or written.", `${report} Do not start other swaps.`],
  IdempotencyConflict: [
    "The idempotencyKey belongs to a swap with other arguments.",
    "Nothing was sent. Use a new idempotencyKey for a new swap."
  ],
  ReaderError: ["The wallet's own node could not be read.", "Wait, and then try again."]
}

const describe = (error: SwapError): Described => {
  const text = texts[error._tag]
  const [message, nextStep] = typeof text === "function" ? text(error as never) : text
  return { message, nextStep }
}

const codeOf = (tag: string): string => tag.replaceAll(/\B[A-Z]/g, "_$&").toUpperCase()

/** The messages of these errors come from the client. All others may quote the service. */
const own = new Set<Tag>([
  "Declined",
  "IdempotencyConflict",
  "InvalidInput",
  "OutcomeUnknown",
  "PolicyViolation",
  "QuoteMoved",
  "ReaderError",
  "SignerError",
  "StoreError",
  "UnfinishedSwap",
  "WaitTimeout"
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
    ...(!own.has(error._tag) && { untrustedCode: error.code, untrustedMessage: error.message })
  }
}
