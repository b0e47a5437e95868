/** What happened, in the fewest words, and what to do about it, for every error of the protocol's client. */
import type { SwapError } from "@geoswap/core"
import { forShell } from "./shellQuote.js"

/** The two parts that the error itself does not say. */
export interface Advice {
  readonly what: string
  readonly next: string
}

const signer: Readonly<Record<SwapError.SignerError["reason"], Advice>> = {
  missing: { what: "There is no key for the origin chain.", next: "Run geoswap init, or see geoswap doctor." },
  incapable: {
    what: "This key cannot sign what is needed.",
    next: "Use a key of this program for the first swap on a chain."
  },
  rejected: { what: "The signature was refused.", next: "Nothing was signed. Run it again when you want to." },
  failed: { what: "Signing failed.", next: "Nothing was submitted. Check the key with geoswap doctor." },
  invalid: { what: "The signature is not valid.", next: "Nothing was submitted. Check the key with geoswap doctor." }
}

/** By rule of the policy: most have their own place in the configuration. */
const ofPolicy = ({ rule }: SwapError.PolicyViolation): Advice => ({
  what: "Your policy refuses this swap.",
  next:
    rule === "verification" || rule === "deployments"
      ? "Pin the deployment of the origin chain: geoswap init --deployment <file>"
      : `Nothing was signed. Change the request, or policy.${rule} in the configuration (geoswap config path).`
})

const ofRejected = ({ code, status }: SwapError.Rejected): Advice => {
  switch (code) {
    case "NO_ROUTE":
      return { what: "The service has no route for this swap.", next: "See geoswap chains and geoswap tokens." }
    case "NEEDS_LARGER_SIZE":
      return { what: "The amount is too small to pay for the network.", next: "Try a larger amount." }
    case "INSUFFICIENT_BALANCE":
      return { what: "The wallet does not hold that much.", next: "See geoswap balance." }
    case "SWAP_NOT_FOUND":
      return {
        what: "The service knows no such swap.",
        next: "Check the id and the API key: a swap is visible only to the account that made it."
      }
    default:
      return {
        what: "The service refuses this.",
        next: status === 404 ? "Check the service's URL: geoswap doctor" : "Change the request and try again."
      }
  }
}

/** What to say about an error, besides its own message. */
export const adviceOf = (error: SwapError.SwapError): Advice => {
  switch (error._tag) {
    case "InvalidInput":
      return { what: "This makes no sense to the client.", next: "Nothing was sent. Change the request." }
    case "PolicyViolation":
      return ofPolicy(error)
    case "UnsafeOperation":
      return {
        what: "What the service asks to sign is not what was agreed.",
        next: "Nothing was signed. Do not retry; tell the operator of the service, and check the pinned deployment."
      }
    case "SignerError":
      return signer[error.reason]
    case "NeedsDelegation":
    case "InvalidAuthorization":
      return {
        what: "The wallet's delegation could not be set up.",
        next: "See geoswap delegation, and run it again."
      }
    case "Unsupported":
      return {
        what: "The wallet is delegated to another provider on this chain.",
        next: "Use another wallet, or swap from another chain."
      }
    case "Expired":
      return { what: `The ${error.what} ran out of time.`, next: "Nothing was executed. Run it again." }
    case "QuoteMoved":
      return { what: "The price moved away.", next: "Nothing was signed at the new price. Run it again." }
    case "Declined":
      return { what: `The ${error.what} was not accepted.`, next: "Run it again when you want to." }
    case "InvalidToken":
      return { what: "The service does not accept its own token.", next: "Nothing was executed. Run it again." }
    case "Unauthorized":
      return {
        what: "The service does not accept the API key.",
        next: "Set GEOSWAP_API_KEY, or run geoswap init to store another key."
      }
    case "RateLimited":
      return {
        what: "Too many requests.",
        next: error.retryAfter === undefined ? "Wait a little." : `Wait ${Math.ceil(error.retryAfter / 1000)} s.`
      }
    case "Rejected":
      return ofRejected(error)
    case "Unavailable":
      return { what: "The service cannot be reached.", next: "Check the URL and the network: geoswap doctor" }
    case "ProtocolError":
      return {
        what: "The service answered something that is not the protocol.",
        next: "Check the service's URL: geoswap doctor"
      }
    case "OutcomeUnknown":
      return {
        what: "The swap may have been accepted. It is not known yet.",
        next: `Do not start it again. Resume it: geoswap resume ${forShell(error.flowId)}`
      }
    case "WaitTimeout":
      return {
        what: `The swap is still ${error.status}, and continues.`,
        next:
          error.flowId === undefined
            ? `Wait for its end: geoswap status ${forShell(error.swapId)} --watch`
            : `Do not start it again. Wait for its end: geoswap resume ${forShell(error.flowId)}`
      }
    case "JournalError":
      return {
        what: "The journal of swaps in progress cannot be used.",
        next: "Check the disk and the rights of the state folder: geoswap doctor"
      }
    case "LedgerError":
      return {
        what: "The ledger of budgets and idempotency keys cannot be used.",
        next: "Check the disk and the rights of the state folder: geoswap doctor"
      }
    case "IdempotencyConflict":
      return {
        what: "The idempotency key belongs to another swap.",
        next: "Nothing was sent. Use a new --idempotency-key for a new swap."
      }
    case "ReaderError":
      return { what: "Your node could not be read.", next: "Check the rpcUrl of the chain: geoswap config show" }
  }
}
