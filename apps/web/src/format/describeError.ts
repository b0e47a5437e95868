/** Describes errors to the user: what happened and what to do. */
import { isSwapError, type SwapError } from "@geoswap/core/promise"
import type { SwapState } from "@geoswap/react"
import { describeSigned } from "./describeSigned.js"

/** The description of an error. */
export interface ErrorDescription {
  readonly title: string
  readonly text: string
  /**
   * `danger` means that the service may be dishonest and the user must not retry. `calm` means that nothing is wrong.
   */
  readonly tone: "calm" | "warning" | "danger"
  /** The original error message. */
  readonly detail?: string
}

/** The swap that the error ended. */
type FailedSwap = Pick<SwapState, "events" | "resumable">

type ErrorOf<Tag extends SwapError["_tag"]> = Extract<SwapError, { readonly _tag: Tag }>

const warning = (title: string, text: string): ErrorDescription => ({ title, text, tone: "warning" })
const calm = (title: string, text: string): ErrorDescription => ({ title, text, tone: "calm" })

const describeSignerError = (
  error: ErrorOf<"SignerError">,
  wallet: string,
  swap: FailedSwap | undefined
): ErrorDescription => {
  const signed = (nothing?: string) => describeSigned(swap?.events ?? [], error, nothing)
  switch (error.reason) {
    case "rejected":
      return calm(`Cancelled. ${signed()}`, "Start again whenever you like.")
    case "incapable":
      return warning(
        `${wallet} cannot sign what this swap requires.`,
        `${signed()} Browser wallets do not sign EIP-7702 delegations for websites, and not every token offers another way to pay. Pay with a different token or wallet, or from a different chain.`
      )
    case "missing":
      return warning("None of the connected wallets can pay.", "Connect another wallet under “Wallets”.")
    case "failed":
      if (/does not know the chain/.test(error.message)) {
        return warning(
          `${wallet} does not know this network.`,
          `${signed("Nothing was sent.")} Add the network in the wallet, then try again.`
        )
      }
      if (/is connected to chain \d+, but/.test(error.message)) {
        return warning(
          `${wallet} is on another network.`,
          `${signed("Nothing was sent.")} Switch the network in the wallet, then try again.`
        )
      }
      return warning(`${wallet} could not sign.`, `${signed("Nothing was sent.")} Unlock the wallet, then try again.`)
    case "invalid":
      return warning(
        `${wallet} returned an invalid signature for this swap.`,
        `${signed("Nothing was sent.")} Turn off wallet settings that change transactions, such as a priority fee, or use a different wallet.`
      )
  }
}

const describeRejection = ({ code }: ErrorOf<"Rejected">): ErrorDescription => {
  switch (code) {
    case "NO_ROUTE":
      return warning("There is no route for this pair.", "Choose a different token or chain.")
    case "NEEDS_LARGER_SIZE":
      return warning("This amount is too small to cover the network cost.", "Try a larger amount.")
    case "INSUFFICIENT_BALANCE":
      return warning("The wallet does not have enough tokens.", "Lower the amount or pay with a different wallet.")
    case "PAYMENT_METHOD_UNAVAILABLE":
      return warning(
        "The wallet can no longer pay in this way.",
        "Nothing was paid. Get a new price and try again, or pay with a different token."
      )
    case "SLIPPAGE":
      return warning("The price moved by more than your slippage limit.", "Try again or allow more slippage.")
    default:
      return warning("The service refused this swap.", "Nothing was paid. Change the swap and try again.")
  }
}

const formatWait = (millis: number | undefined): string =>
  millis === undefined ? "a moment" : `${Math.ceil(millis / 1000)} s`

const describeSwapError = (error: SwapError, wallet: string, swap: FailedSwap | undefined): ErrorDescription => {
  const signed = () => describeSigned(swap?.events ?? [], error)
  switch (error._tag) {
    case "SignerError":
      return describeSignerError(error, wallet, swap)
    case "Rejected":
      return describeRejection(error)
    case "InvalidInput":
      if (error.field === "flowId") return calm("This swap finished in another tab.", "See that tab for the result.")
      return warning("This swap is invalid.", "Nothing was sent. Change the swap and try again.")
    case "PolicyViolation":
      return error.rule === "onHighImpact"
        ? calm(`You did not accept the loss. ${signed()}`, "Try a smaller amount or a different pair.")
        : warning("This page's policy refused the swap.", `${signed()} Change the swap and try again.`)
    case "UnsafeOperation":
      return {
        title: "The operation does not match what you confirmed.",
        text: `${signed()} Do not try again: the service may be faulty or dishonest. Send the details below to its operator.`,
        tone: "danger"
      }
    case "NeedsDelegation":
    case "InvalidAuthorization":
      return warning("The wallet's delegation could not be set up.", "Nothing was paid. Try again.")
    case "Unsupported":
      return warning(
        "This wallet is delegated to another provider, and it cannot pay with this token on this chain.",
        "Nothing was paid. Pay with a different token or wallet, or from a different chain."
      )
    case "SwapInProgress":
      return calm(
        "A swap from this wallet is still running on this chain.",
        "Wait until that swap has finished, then try again."
      )
    case "Expired":
      return calm(`The ${error.what} has expired.`, "Nothing was paid. Get a new price and try again.")
    case "QuoteMoved":
      return calm("The price changed.", "Nothing was signed at the new price. Review the new price.")
    case "Declined":
      return calm(`You did not accept the ${error.what}. ${signed()}`, "Start again whenever you like.")
    case "InvalidToken":
      return warning("The service rejected its own quote.", "Nothing was paid. Try again with a new price.")
    case "Unauthorized":
      return warning("The service does not accept requests from this page.", "Contact this site's operator.")
    case "RateLimited":
      return calm("The service is busy.", `Wait ${formatWait(error.retryAfter)}, then try again.`)
    case "Unavailable":
      return warning(
        "The service cannot be reached.",
        // Without a swap, the error comes from the form, which retries until it gets a response. A swap that was not
        // submitted has ended and is not retried.
        swap === undefined
          ? "Check your connection. The page retries automatically."
          : "Nothing was paid. Check your connection, then try again."
      )
    case "ProtocolError":
      return warning("The service sent an invalid response.", "Try again later or contact its operator.")
    case "OutcomeUnknown":
      return warning(
        "It is not yet known whether the swap was accepted.",
        "Do not swap again. Resume this swap instead. Resuming signs nothing new and never pays twice."
      )
    case "WaitTimeout":
      return calm("The swap is taking longer than usual.", "It is still running. Do not swap again. Resume it later.")
    case "IdempotencyConflict":
      return warning(
        "This form has already been used for another swap.",
        "Nothing was signed. Go back and review the swap again."
      )
    case "ReaderError":
      return warning(
        "The node that checks swaps could not be reached.",
        `${signed()} Check your connection, then try again.`
      )
    case "LedgerError":
      return warning(
        "This browser does not let the page store what you sign.",
        `${signed()} Allow storage for this site or leave private browsing, then try again.`
      )
    case "JournalError":
      if (swap?.resumable !== undefined) {
        return warning(
          "The stored data for this swap could not be read.",
          "This does not stop the swap. Allow storage for this site, then resume the swap."
        )
      }
      return warning(
        "This browser does not let the page store the swap.",
        "Nothing was submitted. Allow storage for this site or leave private browsing, then try again."
      )
  }
}

/** Describes an error. `wallet` is the name of the paying wallet, and `swap` is the swap that the error ended. */
export const describeError = (error: unknown, wallet = "The wallet", swap?: FailedSwap): ErrorDescription => {
  if (!isSwapError(error)) {
    const detail = error instanceof Error ? error.message : String(error)
    return {
      ...warning("Something went wrong on this page.", "Reload the page. Swaps in progress are not lost."),
      detail
    }
  }
  return { ...describeSwapError(error, wallet, swap), detail: `${error._tag}: ${error.message}` }
}
