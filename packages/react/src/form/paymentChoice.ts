/** How a wallet on an EVM chain can pay for a quote, and why it cannot. */
import { Operation, Payment } from "@geoswap/core"
import type { Delegation, PaymentMethod, PromiseEvmSigner, Quote, QuoteInput } from "@geoswap/core/promise"

/** The signer of the paying wallet, as far as it determines how the wallet can pay. */
interface PayingSigner {
  readonly capabilities: PromiseEvmSigner["capabilities"]
  readonly verifyPayment?: unknown
  readonly signPayment?: unknown
}

/** What is known about the wallet that pays. */
export interface PayingWallet {
  /** The wallet's EVM signer. If omitted, the signer is treated as one that can sign everything. */
  readonly signer?: PayingSigner | undefined
  /** The wallet's delegation, from `useDelegation`. If it is unknown, an offered delegation is treated as usable. */
  readonly delegation?: Pick<Delegation, "delegated" | "delegationTarget"> | undefined
  /** The `paymentMethods` of the client's policy. */
  readonly paymentMethods?: ReadonlyArray<PaymentMethod> | undefined
}

/** How a wallet can pay for a quote. */
export interface PaymentChoice {
  /** What the quote offers, with the service's preference first. A service that lists nothing knows only delegations. */
  readonly offered: ReadonlyArray<PaymentMethod>
  /** The offered ways that the policy and the signer allow, in the order in which the client tries them. */
  readonly usable: ReadonlyArray<PaymentMethod>
  /** The way that the client tries first. */
  readonly method: PaymentMethod | undefined
  /**
   * Why no way is usable, with a message that you can show to the user as it is. The reason is one of:
   *
   * - `service`: the service offers this wallet no way to pay with this token;
   * - `policy`: the policy does not allow any of the ways that the service offers;
   * - `signer`: the wallet's signer cannot use any of the ways that the service offers.
   */
  readonly problem: { readonly reason: "service" | "policy" | "signer"; readonly message: string } | undefined
}

/** Removes control characters from the service's text, and limits its length. */
const clean = (text: string): string =>
  text
    .replaceAll(/[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu, " ")
    .trim()
    .slice(0, 600)

const canDelegate = ({ delegation, signer }: PayingWallet): boolean => {
  if (delegation === undefined || delegation.delegated) return true
  return (signer?.capabilities.authorization ?? true) && delegation.delegationTarget !== undefined
}

const canSignPayments = ({ signer }: PayingWallet): boolean =>
  signer === undefined ||
  (signer.capabilities.typedData === true && signer.verifyPayment !== undefined && signer.signPayment !== undefined)

const problemOf = (
  { paymentProblem }: Pick<Quote, "paymentProblem">,
  offered: ReadonlyArray<PaymentMethod>,
  allowed: ReadonlyArray<PaymentMethod>
): PaymentChoice["problem"] => {
  if (offered.length === 0) {
    const message = clean(paymentProblem?.message ?? "")
    return { reason: "service", message: message || "The service offers this wallet no way to pay with this token." }
  }
  const list = offered.join(", ")
  return offered.some((method) => allowed.includes(method))
    ? {
        reason: "signer",
        message: `This wallet cannot sign for any of the ways to pay that the service offers: ${list}.`
      }
    : { reason: "policy", message: `The policy allows none of the ways to pay that the service offers: ${list}.` }
}

/**
 * Returns how a wallet on an EVM chain can pay for a quote. The client makes the same choice when it swaps, except that
 * it tries the next way if the service can no longer build the first one.
 */
export const paymentOf = (
  quote: Pick<Quote, "paymentMethods" | "paymentProblem">,
  request: Pick<QuoteInput, "outputToken" | "recipient" | "walletAddress">,
  payer: PayingWallet = {}
): PaymentChoice => {
  const offered = Payment.offeredBy(quote.paymentMethods)
  const allowed = payer.paymentMethods ?? Payment.inOrder(offered)
  const returns = Operation.canPayByAuthorization({
    ...request,
    recipient: request.recipient ?? request.walletAddress
  })
  const isUsable = (method: PaymentMethod): boolean =>
    method === "delegation" ? canDelegate(payer) : canSignPayments(payer) && (method !== "eip3009" || returns)
  const usable = allowed.filter((method) => offered.includes(method) && isUsable(method))
  const [method] = usable
  return { offered, usable, method, problem: method === undefined ? problemOf(quote, offered, allowed) : undefined }
}
