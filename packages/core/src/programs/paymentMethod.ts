/** Chooses how a wallet on an EVM chain pays. */
import * as Effect from "effect/Effect"
import { Families } from "../Chain.js"
import { sanitize } from "../codecs/decodeResponse.js"
import { compact } from "../codecs/compact.js"
import { canPayByAuthorization } from "../Operation.js"
import { inOrder, type Method, methods, offeredBy } from "../Payment.js"
import { Policy, violation } from "../Policy.js"
import type { Quote } from "../Quote.js"
import { type Evm, Signers } from "../Signer.js"
import { type CallError, type InvalidInput, SignerError, type SwapError, Unsupported } from "../SwapError.js"
import type { Transport } from "../Transport.js"
import { ensureDelegable } from "./authorize.js"
import type { PreparedRequest } from "./prepareRequest.js"

/** Whether a signer can pay without a delegation. */
const signsPayments = (evm: Evm | undefined): boolean =>
  evm?.capabilities?.typedData === true && evm.verifyPayment !== undefined && evm.signPayment !== undefined

const canAuthorize = (evm: Evm | undefined): boolean =>
  evm?.capabilities?.authorization === true && evm.signAuthorization !== undefined

const isPayment = (method: string): method is Exclude<Method, "delegation"> => methods.some((known) => known === method)

/** Returns the ways to pay that the service, the policy and the signer allow, with the preferred one first. */
export const usableMethods = Effect.fnUntraced(function* (
  { request, deployment }: PreparedRequest,
  quote: Quote
): Effect.fn.Return<ReadonlyArray<Method>, never, Policy | Signers> {
  const { evm } = yield* Signers
  const { paymentMethods: allowed } = yield* Policy
  const familyOf = yield* Families
  const listed = offeredBy(quote.paymentMethods)
  const ordered = allowed ?? inOrder(listed)
  const pays = signsPayments(evm) && deployment !== undefined
  const returns = familyOf(request.destinationChain) === "evm" && canPayByAuthorization(request)
  return ordered.filter(
    (method) => listed.includes(method) && (method === "delegation" || (pays && (method !== "eip3009" || returns)))
  )
})

const incapable = (message: string) => new SignerError({ reason: "incapable", message })

/** The quote's explanation of why the wallet cannot pay. */
const problemOf = ({ paymentProblem }: Quote): string =>
  paymentProblem?.message ? ` The service says: ${sanitize(paymentProblem.message, 300)}` : ""

/** Creates the error for a quote that cannot be paid. */
const unpayable = (quote: Quote, allowed: ReadonlyArray<Method> | undefined): SwapError => {
  const listed = offeredBy(quote.paymentMethods)
  if (listed.length === 0) {
    return new Unsupported(
      compact({
        code: quote.paymentProblem?.code,
        message: `This wallet cannot pay for this swap: use another wallet or token.${problemOf(quote)}`
      })
    )
  }
  return allowed !== undefined && !listed.some((method) => allowed.includes(method))
    ? violation("paymentMethods", allowed.join(", "), `that the wallet can only pay with ${listed.join(", ")}`)
    : incapable(`This signer cannot pay with ${listed.join(" or ")}. Use a signer that signs typed data.`)
}

/**
 * Fails early, before a quote is used, if the wallet needs a delegation that the signer cannot sign, and the signer
 * cannot pay in any other way.
 */
export const ensureCapable = Effect.fnUntraced(function* ({
  request
}: PreparedRequest): Effect.fn.Return<void, CallError | InvalidInput | SignerError, Transport | Signers | Policy> {
  const { evm } = yield* Signers
  const { paymentMethods: allowed } = yield* Policy
  if (signsPayments(evm) && (allowed === undefined || allowed.some(isPayment))) return
  if (allowed !== undefined && !allowed.includes("delegation")) {
    return yield* incapable(`This signer cannot pay with ${allowed.join(" or ")}. Use a signer that signs typed data.`)
  }
  return yield* ensureDelegable(request)
})

/** Fails before the caller is asked to accept a quote that the wallet cannot pay. */
export const ensurePayable = Effect.fnUntraced(function* (
  prepared: PreparedRequest,
  quote: Quote
): Effect.fn.Return<void, SwapError, Transport | Signers | Policy> {
  const usable = yield* usableMethods(prepared, quote)
  const { evm } = yield* Signers
  const { paymentMethods: allowed } = yield* Policy
  if (usable.length === 0) return yield* Effect.fail(unpayable(quote, allowed))
  // Without payments, `ensureCapable` has already checked this.
  if (signsPayments(evm) && !usable.some(isPayment)) yield* ensureDelegable(prepared.request)
})

/** Chooses the preferred way to pay that has not turned out to be unavailable. */
export const chooseMethod = Effect.fnUntraced(function* (
  prepared: PreparedRequest,
  quote: Quote,
  unavailable: ReadonlyArray<Method>
): Effect.fn.Return<Method, SwapError, Signers | Policy> {
  const usable = yield* usableMethods(prepared, quote)
  const { paymentMethods: allowed } = yield* Policy
  const method = usable.find((candidate) => !unavailable.includes(candidate))
  return method ?? (yield* Effect.fail(unpayable(quote, allowed)))
})

/** Whether a refused build call means that the wallet cannot pay in this way. */
export const isUnavailable = (method: Method, error: SwapError): Effect.Effect<boolean, never, Signers> =>
  Effect.map(
    Signers,
    ({ evm }) =>
      error._tag === "Unsupported" ||
      (error._tag === "Rejected" && error.code === "PAYMENT_METHOD_UNAVAILABLE") ||
      (error._tag === "NeedsDelegation" && method === "delegation" && !canAuthorize(evm))
  )
