/** Describes errors to the user: what happened and what to do. */
import { isSwapError, type SwapError } from "@geoswap/core/promise"
import type { UseSwapResult } from "@geoswap/react"
import { text } from "../language/language.js"
import { type Coin, formatExactAmount } from "./amounts.js"
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
type FailedSwap = Pick<UseSwapResult, "events" | "resumable">

type ErrorOf<Tag extends SwapError["_tag"]> = Extract<SwapError, { readonly _tag: Tag }>

const warning = (title: string, advice: string): ErrorDescription => ({ title, text: advice, tone: "warning" })
const calm = (title: string, advice: string): ErrorDescription => ({ title, text: advice, tone: "calm" })

const describeSignerError = (
  error: ErrorOf<"SignerError">,
  wallet: string,
  swap: FailedSwap | undefined
): ErrorDescription => {
  const { errors, signed: words } = text
  const signed = (nothing?: string) => describeSigned(swap?.events ?? [], error, nothing)
  const unsent = () => signed(words.nothingSent)
  switch (error.reason) {
    case "rejected":
      return calm(errors.cancelled(signed()), errors.startAgain)
    case "incapable":
      return warning(errors.incapable(wallet), errors.incapableText(signed()))
    case "missing":
      return warning(...errors.noWallet)
    case "failed":
      if (/does not know the chain/.test(error.message)) {
        return warning(errors.unknownNetwork(wallet), errors.addNetwork(unsent()))
      }
      if (/is connected to chain \d+, but/.test(error.message)) {
        return warning(errors.otherNetwork(wallet), errors.switchNetwork(unsent()))
      }
      return warning(errors.couldNotSign(wallet), errors.unlock(unsent()))
    case "invalid":
      return warning(errors.invalidSignature(wallet), errors.turnOff(unsent()))
  }
}

const describeSwapError = (
  error: SwapError,
  wallet: string,
  swap: FailedSwap | undefined,
  input: Coin | undefined
): ErrorDescription => {
  const { errors } = text
  const signed = () => describeSigned(swap?.events ?? [], error)
  const amountIn = (amount: bigint | undefined) => amount !== undefined && input && formatExactAmount(amount, input)
  switch (error._tag) {
    case "SignerError":
      return describeSignerError(error, wallet, swap)
    case "InsufficientBalance": {
      const [title, advice] = errors.tags[error._tag]
      const [has, needs] = [amountIn(error.has), amountIn(error.needs)]
      return warning(title, has && needs ? `${errors.hasAndNeeds(has, needs)} ${advice}` : advice)
    }
    case "AmountTooSmall":
    case "AmountTooLarge": {
      const [title, advice] = errors.tags[error._tag]
      const isSmall = error._tag === "AmountTooSmall"
      const limit = amountIn(isSmall ? error.minimum : error.maximum)
      return warning(title, limit ? (isSmall ? errors.atLeast : errors.atMost)(limit) : advice)
    }
    case "Rejected":
      return warning(
        ...(error.code === "PAYMENT_METHOD_UNAVAILABLE" || error.code === "SLIPPAGE"
          ? errors.rejections[error.code]
          : errors.refused)
      )
    case "InvalidInput":
      return error.field === "flowId" ? calm(...errors.otherTab) : warning(...errors.invalidSwap)
    case "PolicyViolation":
      return error.rule === "onHighCost"
        ? calm(errors.lossDeclined(signed()), errors.smallerAmount)
        : warning(errors.policy, errors.changeSwap(signed()))
    case "UnsafeOperation":
      return { title: errors.unsafe, text: errors.unsafeText(signed()), tone: "danger" }
    case "Expired":
      return calm(error.what === "quote" ? errors.quoteExpired : errors.operationExpired, errors.expiredText)
    case "Declined":
      return calm(
        (error.what === "quote" ? errors.quoteDeclined : errors.delegationDeclined)(signed()),
        errors.startAgain
      )
    case "RateLimited": {
      const wait =
        error.retryAfter === undefined ? errors.aMoment : text.time.seconds(Math.ceil(error.retryAfter / 1000))
      return calm(errors.busy, errors.busyText(wait))
    }
    case "Unavailable":
      // Without a swap, the error comes from the form, which retries until it gets a response. A swap that was not
      // submitted has ended and is not retried.
      return warning(errors.unreachable, swap === undefined ? errors.retries : errors.tryAgain)
    case "ReaderError":
      return warning(errors.reader, errors.readerText(signed()))
    case "StoreError":
      if (swap?.resumable !== undefined) return warning(...errors.storeUnread)
      return swap?.events.some(({ event }) => event.type === "signed")
        ? warning(...errors.storeUnwritten)
        : warning(errors.store, errors.storeText(signed()))
    case "QuoteMoved":
    case "SwapInProgress":
    case "WaitTimeout":
      return calm(...errors.tags[error._tag])
    default:
      return warning(...errors.tags[error._tag])
  }
}

/**
 * Describes an error. `wallet` is the name of the paying wallet, `swap` is the swap that the error ended, and `input` is
 * the token to pay with.
 */
export const describeError = (
  error: unknown,
  wallet = text.errors.wallet,
  swap?: FailedSwap,
  input?: Coin
): ErrorDescription => {
  if (!isSwapError(error)) {
    const detail = error instanceof Error ? error.message : String(error)
    return { ...warning(...text.errors.page), detail }
  }
  return { ...describeSwapError(error, wallet, swap, input), detail: `${error._tag}: ${error.message}` }
}
