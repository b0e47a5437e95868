/** Every error in plain words: what happened, and what to do about it. */
import { isSwapError, type SwapError } from "@geoswap/core/promise"
import type { SwapState } from "@geoswap/react"
import { describeSigned } from "./describeSigned.js"

/** What a person is told about an error. */
export interface ErrorDescription {
  readonly title: string
  readonly text: string
  /** `danger`: somebody may be lying, never try again; `calm`: nothing is wrong. */
  readonly tone: "calm" | "warning" | "danger"
  /** What the error itself says, for whoever wants to know. */
  readonly detail?: string
}

/** The swap that an error ended, as far as it had come. */
type Ended = Pick<SwapState, "events" | "resumable">

type Of<Tag extends SwapError["_tag"]> = Extract<SwapError, { readonly _tag: Tag }>

const warning = (title: string, text: string): ErrorDescription => ({ title, text, tone: "warning" })
const calm = (title: string, text: string): ErrorDescription => ({ title, text, tone: "calm" })

const ofSigner = (error: Of<"SignerError">, wallet: string, swap: Ended | undefined): ErrorDescription => {
  const signed = (nothing?: string) => describeSigned(swap?.events ?? [], error, nothing)
  switch (error.reason) {
    case "rejected":
      return calm(`You said no. ${signed()}`, "Start again whenever you like.")
    case "incapable":
      return warning(
        `${wallet} cannot sign the delegation that the first swap on this chain needs.`,
        `${signed()} Browser wallets do not sign EIP-7702 delegations for pages: pay with a wallet that is already delegated, or from another chain.`
      )
    case "missing":
      return warning("No wallet is connected that could pay.", "Connect one under “Wallets”.")
    case "failed":
      return warning(`${wallet} could not sign.`, `${signed("Nothing was sent.")} Unlock the wallet, then try again.`)
    case "invalid":
      return warning(
        `What ${wallet} gave back is no valid signature for this swap.`,
        `${signed("Nothing was sent.")} Turn off settings that change transactions (such as a priority fee), or use another wallet.`
      )
  }
}

const ofRejected = ({ code }: Of<"Rejected">): ErrorDescription => {
  switch (code) {
    case "NO_ROUTE":
      return warning("There is no route for this pair.", "Choose another token or chain.")
    case "NEEDS_LARGER_SIZE":
      return warning("This amount is too small to pay for the network.", "Try a larger amount.")
    case "INSUFFICIENT_BALANCE":
      return warning("The wallet does not hold that much.", "Lower the amount, or pay with another wallet.")
    case "SLIPPAGE":
      return warning("The price moves more than your slippage allows.", "Try again, or allow a little more slippage.")
    default:
      return warning("The service refuses this swap.", "Nothing was paid. Change it and try again.")
  }
}

const waitOf = (millis: number | undefined): string =>
  millis === undefined ? "a moment" : `${Math.ceil(millis / 1000)} s`

const ofSwapError = (error: SwapError, wallet: string, swap: Ended | undefined): ErrorDescription => {
  const signed = () => describeSigned(swap?.events ?? [], error)
  switch (error._tag) {
    case "SignerError":
      return ofSigner(error, wallet, swap)
    case "Rejected":
      return ofRejected(error)
    case "InvalidInput":
      if (error.field === "flowId") return calm("This swap has ended elsewhere.", "Another tab followed it to its end.")
      return warning("This swap makes no sense.", "Nothing was sent. Change it and try again.")
    case "PolicyViolation":
      return error.rule === "onHighImpact"
        ? calm(`You did not accept the loss. ${signed()}`, "Try a smaller amount, or another pair.")
        : warning("This page's rules refuse the swap.", `${signed()} Change the swap and try again.`)
    case "UnsafeOperation":
      return {
        title: "What was to be signed is not what was agreed.",
        text: `${signed()} Do not try again: the service may be broken or dishonest. Tell its operator what is written below.`,
        tone: "danger"
      }
    case "NeedsDelegation":
    case "InvalidAuthorization":
      return warning("The wallet's delegation could not be set up.", "Nothing was paid. Try again.")
    case "Unsupported":
      return warning(
        "This wallet is delegated to another provider on this chain.",
        "Nothing was paid. Pay with another wallet, or from another chain."
      )
    case "Expired":
      return calm(`The ${error.what} ran out of time.`, "Nothing was paid. Get a fresh price and try again.")
    case "QuoteMoved":
      return calm("The price moved away.", "Nothing was signed at the new price. Look at the new one and decide again.")
    case "Declined":
      return calm(`You did not accept the ${error.what}. ${signed()}`, "Start again whenever you like.")
    case "InvalidToken":
      return warning("The service does not accept its own price.", "Nothing was paid. Try again with a fresh price.")
    case "Unauthorized":
      return warning("The service does not accept this page.", "Tell the operator of this site.")
    case "RateLimited":
      return calm("The service has too much to do.", `Wait ${waitOf(error.retryAfter)}, then try again.`)
    case "Unavailable":
      return warning(
        "The service cannot be reached.",
        // What the form asks is asked until there is an answer; a swap that was not submitted has ended.
        swap === undefined
          ? "Check your connection. It goes on by itself once it is back."
          : "Nothing was paid. Check your connection, then try again."
      )
    case "ProtocolError":
      return warning("The service answered something that makes no sense.", "Try again later, or tell its operator.")
    case "OutcomeUnknown":
      return warning(
        "Nobody knows yet whether the swap was accepted.",
        "Do not swap again. Resume it: that signs nothing new for it, and never pays twice."
      )
    case "WaitTimeout":
      return calm("It takes longer than usual.", "The swap continues. Do not swap again: resume it later.")
    case "IdempotencyConflict":
      return warning(
        "This form was used for another swap already.",
        "Nothing was signed. Go back and review the swap again."
      )
    case "ReaderError":
      return warning("The node that checks swaps cannot be read.", `${signed()} Check your connection, then try again.`)
    case "LedgerError":
      return warning(
        "This browser does not let the page remember what it signs.",
        `${signed()} Allow storage for this site, or leave private browsing, and try again.`
      )
    case "JournalError":
      if (swap?.resumable !== undefined) {
        return warning(
          "What this browser remembers of the swap cannot be read.",
          "That does not stop the swap. Allow storage for this site, then resume it."
        )
      }
      return warning(
        "This browser does not let the page remember the swap.",
        "Nothing was submitted. Allow storage for this site, or leave private browsing, and try again."
      )
  }
}

/** What to tell about an error; `wallet` is what the paying wallet is called, `swap` the one that the error ended. */
export const describeError = (error: unknown, wallet = "The wallet", swap?: Ended): ErrorDescription => {
  if (!isSwapError(error)) {
    const detail = error instanceof Error ? error.message : String(error)
    return { ...warning("Something went wrong in this page.", "Reload it. Swaps under way are not lost."), detail }
  }
  return { ...ofSwapError(error, wallet, swap), detail: `${error._tag}: ${error.message}` }
}
