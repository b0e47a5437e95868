/** A short description and a next step for every client error. */
import { type SwapError, SwapOutcome } from "@geoswap/core"
import { quoteArgument } from "./shellQuote.js"

const signer = {
  missing: {
    what: "There is no key for the origin chain.",
    next: "Add one with geoswap init, or check your setup with geoswap doctor."
  },
  incapable: {
    what: "This key cannot sign what the swap requires.",
    next: "Use a key that this program manages, or another --payment-method. To list the ways to pay, run 'geoswap quote'."
  },
  rejected: {
    what: "Signing was declined.",
    next: "Nothing was signed. Run the command again when you are ready."
  },
  failed: { what: "Signing failed.", next: "Nothing was submitted. Check the key with geoswap doctor." },
  invalid: { what: "The signature is not valid.", next: "Nothing was submitted. Check the key with geoswap doctor." }
}

/** Describes a policy violation. Most rules have their own field in the configuration. */
const describePolicyViolation = ({ approvalId, code, rule }: SwapError.PolicyViolation) => ({
  what: approvalId === undefined ? "Your policy does not allow this swap." : "A person has to approve this swap first.",
  next:
    approvalId !== undefined
      ? `Nothing was signed. Run geoswap approve ${approvalId} in a terminal, then start the same swap again.`
      : code === "AGENT_POLICY"
        ? "Nothing was signed. Change the request. To see what the wallet's policy for agents allows, run 'geoswap policy show'."
        : rule === "verification" || rule === "network"
          ? "Pin the contracts on the origin chain: geoswap init --deployment <file>"
          : rule === "paymentMethods"
            ? "Nothing was signed. Change --payment-method, or edit policy.paymentMethods in the configuration (geoswap config path)."
            : `Nothing was signed. Change the request, or edit policy.${rule} in the configuration (geoswap config path).`
})

const describeRejection = ({ code, status }: SwapError.Rejected) => {
  switch (code) {
    case "PAYMENT_METHOD_UNAVAILABLE":
      return {
        what: "The wallet can no longer pay in this way.",
        next: "Nothing was paid. Run the command again, or choose another --payment-method."
      }
    case "SWAP_NOT_FOUND":
      return {
        what: "The service has no record of this swap.",
        next: "Check the id: 'geoswap history' lists the swaps that were started on this machine. A swap is visible only with an API key of the account that started it. An unfinished swap that the service does not know can be closed by hand: 'geoswap forget <id>'."
      }
    default:
      return {
        what: "The service rejected the request.",
        next: status === 404 ? "Check the service URL: geoswap doctor" : "Change the request and try again."
      }
  }
}

const describeOutcomeUnknown = (error: SwapError.OutcomeUnknown) => {
  const flowId = quoteArgument(error.flowId)
  const resume = `geoswap resume ${flowId}`
  const descriptions = {
    unanswered: {
      what: "It is not yet known whether the service accepted the swap.",
      next: `Do not start the swap again. Resume it: ${resume}`
    },
    unrecorded: {
      what: "The service accepted the swap, and has no record of it now. It is not known how the swap ended.",
      next: `Do not start the swap again. Look for its payment in a block explorer. Once you know how it ended, run geoswap forget ${flowId}. To ask the service again: ${resume}`
    },
    unconfirmed: {
      what: "It is not known how the swap ended: your own node does not confirm what the service says.",
      next: `Do not start the swap again. Resume it: ${resume}`
    }
  }
  return descriptions[SwapOutcome.unknownReason(error)]
}

/** Returns a description of an error and a next step, which supplement the error's own message. */
export const describeSwapError = (error: SwapError.SwapError) => {
  switch (error._tag) {
    case "InvalidInput":
      return { what: "The request is invalid.", next: "Nothing was sent. Change the request." }
    case "PolicyViolation":
      return describePolicyViolation(error)
    case "UnsafeOperation":
      return {
        what: "The service asked for a signature that does not match the accepted quote.",
        next: "Nothing was signed. Do not retry. Contact the service operator, and check the pinned contracts."
      }
    case "SignerError":
      return signer[error.reason]
    case "NeedsDelegation":
    case "InvalidAuthorization":
      return {
        what: "The wallet's delegation could not be set up.",
        next: "Run 'geoswap delegation' to check the delegation, and then run the command again."
      }
    case "Unsupported":
      return {
        what: "The wallet is delegated to another provider, and it cannot pay with this token on this chain.",
        next: "Use another token or wallet, or swap from another chain. To list the ways to pay, run 'geoswap quote'."
      }
    case "SwapInProgress":
      return {
        what: "A swap of this wallet is in progress on this chain.",
        next: "Nothing was changed. Wait until the swap has finished ('geoswap history' lists it), then run the command again."
      }
    case "Expired":
      return { what: `The ${error.what} has expired.`, next: "Nothing was executed. Run the command again." }
    case "QuoteMoved":
      return { what: "The price changed.", next: "Nothing was signed at the new price. Run the command again." }
    case "Declined":
      return { what: `The ${error.what} was not accepted.`, next: "Run the command again when you are ready." }
    case "InvalidToken":
      return {
        what: "The service rejected a sealed token that it had issued itself.",
        next: "Nothing was executed. Run the command again."
      }
    case "Unauthorized":
      return {
        what: "The service does not accept the API key.",
        next: "Set GEOSWAP_API_KEY, or run geoswap init to store another key."
      }
    case "RateLimited":
      return {
        what: "Too many requests.",
        next:
          error.retryAfter === undefined
            ? "Wait a moment, then try again."
            : `Try again in ${Math.ceil(error.retryAfter / 1000)} s.`
      }
    case "NoRoute":
      return {
        what: "The service has no route for this swap.",
        next: "To list the chains and tokens that you can swap, run 'geoswap chains' and 'geoswap tokens'."
      }
    case "InsufficientBalance":
      return {
        what: "The wallet balance is too low.",
        next: "To see your balances, run 'geoswap balance'. To see a price without a wallet, use quote --indicative."
      }
    case "AmountTooSmall":
      return { what: "The amount is too small to cover the network cost.", next: "Try a larger amount." }
    case "AmountTooLarge":
      return { what: "The amount is too large to swap at once.", next: "Try a smaller amount." }
    case "Rejected":
      return describeRejection(error)
    case "Unavailable":
      return {
        what: "The service cannot be reached.",
        next: "Check the URL and your internet connection: geoswap doctor"
      }
    case "ProtocolError":
      return {
        what: "The service sent an invalid response.",
        next: "Check the service URL: geoswap doctor"
      }
    case "UnfinishedSwap":
      return {
        what: "An earlier swap from this wallet was signed, and how it ended is not proved.",
        next: `Run geoswap resume ${quoteArgument(error.flowId)} first. If you know how that swap ended, run geoswap forget ${quoteArgument(error.flowId)}.`
      }
    case "OutcomeUnknown":
      return describeOutcomeUnknown(error)
    case "WaitTimeout":
      return {
        what: `The swap is still ${error.status}.`,
        next:
          error.flowId === undefined
            ? `Keep waiting with: geoswap status --watch ${quoteArgument(error.swapId)}`
            : `Do not start the swap again. Keep waiting with: geoswap resume ${quoteArgument(error.flowId)}`
      }
    case "StoreError":
      return {
        what: "The store of swaps, budgets and idempotency keys could not be read or written.",
        next: "Check the disk and the state folder permissions: geoswap doctor"
      }
    case "IdempotencyConflict":
      return {
        what: "The idempotency key belongs to another swap.",
        next: "Nothing was sent. Use a new --idempotency-key for a new swap."
      }
    case "ReaderError":
      return {
        what: "The data could not be read from your node.",
        next: "Check the chain's rpcUrl: geoswap config show"
      }
  }
}
