/** Verifies an operation before it is signed, and the signature afterwards. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { isHex } from "../Hex.js"
import {
  type Agreement,
  type BuiltOperation,
  type BuiltTransaction,
  compare,
  comparePayment,
  type GeoOp,
  pinnedFor,
  unsafe
} from "../Operation.js"
import type { Method, Payment } from "../Payment.js"
import { Policy } from "../Policy.js"
import { minOutputOf } from "../Quote.js"
import type * as Signer from "../Signer.js"
import { type OperationToSign, type PaymentToSign, Signers, type TransactionToSign } from "../Signer.js"
import { type SignError, SignerError, type UnsafeOperation } from "../SwapError.js"
import type { PaymentPreview } from "../SwapEvent.js"
import { compact } from "../codecs/compact.js"
import { redactedSpan } from "./redactedSpan.js"
import { asPayment, type Built, type EvmBuilt, type Submission } from "./endpoints.js"

/**
 * The fields that a signer receives. Unknown fields in the response are left out, because they could replace accepted
 * terms. The sealed tokens are left out, too.
 */
const operationOf = ({ geoOpHash, geoOp }: BuiltOperation, agreement: Agreement): OperationToSign =>
  compact({ ...agreement, geoOpHash, geoOp })
const transactionOf = ({ unsignedTransaction }: BuiltTransaction, agreement: Agreement): TransactionToSign => ({
  ...agreement,
  unsignedTransaction
})

const paymentToSign = (geoOpHash: PaymentToSign["geoOpHash"], payment: Payment, agreement: Agreement) => ({
  ...agreement,
  geoOpHash,
  payment
})

/** Returns the payment that was built, which must be the one that was asked for. */
const requestedPayment = ({ payment, paymentMethod }: EvmBuilt): Effect.Effect<Payment, UnsafeOperation> =>
  payment?.method === paymentMethod && payment !== undefined
    ? Effect.succeed(payment)
    : Effect.fail(unsafe("payment", `built for ${paymentMethod}`, payment?.method ?? "none"))

const incapable = () =>
  new SignerError({ reason: "incapable", message: "This signer cannot verify and sign payments as typed data." })

/** Compares a payment with the agreement. A payment is never signed blindly, regardless of the policy. */
const verifyPayment = Effect.fnUntraced(function* (
  built: EvmBuilt,
  agreement: Agreement
): Effect.fn.Return<void, SignError, Signers> {
  const { evm } = yield* Signers
  const payment = yield* requestedPayment(built)
  const broken = comparePayment(payment, agreement, yield* Clock.currentTimeMillis)
  if (broken !== undefined) return yield* broken
  if (evm?.verifyPayment === undefined) return yield* incapable()
  yield* evm.verifyPayment(paymentToSign(built.geoOpHash, payment, agreement))
})

/** Describes what the wallet is about to sign, and how much of it the wallet can display. */
export const previewPayment = (
  method: Method,
  built: Built,
  { deployment, quote, request }: Agreement
): Effect.Effect<PaymentPreview, never, Signers> =>
  Effect.map(Signers, ({ evm }) => {
    const geoOp = built.family === "evm" ? built.geoOp : undefined
    const pinned = geoOp && deployment && pinnedFor(deployment, geoOp.delegate)
    const isTyped = method !== "delegation" || (geoOp !== undefined && evm?.capabilities?.typedData === true)
    return compact({
      method,
      shows: !isTyped ? "hash" : method === "eip3009" ? "amount" : "terms",
      signatures: method === "erc2612" ? 2 : 1,
      chainId: request.originChain,
      token: request.inputToken,
      amount: request.amount,
      vault: method === "delegation" ? pinned?.vault : deployment?.vault,
      terms: {
        destinationChain: request.destinationChain,
        outputToken: request.outputToken,
        recipient: request.recipient ?? request.walletAddress,
        minOutput: minOutputOf(quote)
      }
    } as const)
  })

/**
 * Rejects an operation that has already expired. An expired operation can never be executed. A signature for it would
 * only lead to proof that the operation expired unused, and that proof would allow another signature.
 */
const pastDeadline = ({ deadline }: GeoOp, nowMillis: number): UnsafeOperation | undefined => {
  const now = Math.floor(nowMillis / 1000)
  return deadline > now
    ? undefined
    : unsafe(
        "deadline",
        `after your clock's time, ${now}`,
        `${deadline}, ${now - deadline} s before that: check your clock`
      )
}

/** Compares the operation with the agreement. Returns whether the signer verified the operation. */
export const verify = Effect.fn("geoswap.verify")(function* (
  built: Built,
  agreement: Agreement
): Effect.fn.Return<boolean, SignError, Signers | Policy> {
  const { evm, solana } = yield* Signers
  const { verification } = yield* Policy
  const payment = asPayment(built)
  if (payment) return yield* Effect.as(verifyPayment(payment, agreement), true)
  if (built.family === "evm") {
    const { geoOp } = built
    if (geoOp === undefined && verification === "required") {
      return yield* unsafe("geoOp", "sent with the hash", "none")
    }
    const now = yield* Clock.currentTimeMillis
    const broken = geoOp && (compare(geoOp, agreement, now) ?? pastDeadline(geoOp, now))
    if (broken !== undefined) return yield* broken
  }
  const check =
    built.family === "solana"
      ? solana?.verifyTransaction?.(transactionOf(built, agreement))
      : built.geoOp && evm?.verifyOperation?.(operationOf(built, agreement))
  if (check !== undefined) yield* check
  return check !== undefined
})

/** Creates the error for an invalid result from a signer. */
export const invalidResult = (what: string) =>
  new SignerError({ reason: "invalid", message: `The signer returned ${what}.` })

/** The message of a Solana transaction: the bytes after the signature count and the signatures. */
const messageOf = (transaction: string): string => {
  const bytes = atob(transaction)
  return bytes.slice(1 + 64 * bytes.charCodeAt(0))
}

const isSigned = (unsigned: string, signed: string): boolean => {
  try {
    return signed !== unsigned && messageOf(signed) === messageOf(unsigned)
  } catch {
    return false
  }
}

const signed = Effect.fnUntraced(function* (
  built: Built,
  agreement: Agreement
): Effect.fn.Return<Submission, SignError, Signers> {
  const signers = yield* Signers
  const { geoOpToken } = built
  const paying = asPayment(built)
  if (paying) {
    const payment = yield* requestedPayment(paying)
    const { signPayment } = signers.evm ?? {}
    if (signPayment === undefined) return yield* incapable()
    const { signature, permitSignature } = {
      ...(yield* signPayment(paymentToSign(paying.geoOpHash, payment, agreement)))
    }
    const isComplete = payment.method === "erc2612" ? isHex(permitSignature, 65) : permitSignature === undefined
    if (!isHex(signature, 65) || !isComplete) {
      return yield* invalidResult("something other than the 65-byte signatures of the payment")
    }
    return compact({ family: "evm" as const, geoOpToken, signature, permitSignature })
  }
  if (built.family === "evm") {
    const signature = yield* (signers.evm as Signer.Evm).signOperation(operationOf(built, agreement))
    if (!isHex(signature, 65)) return yield* invalidResult("something other than a 65-byte signature")
    return { family: "evm", geoOpToken, signature }
  }
  const { unsignedTransaction } = built
  const signedTransaction = yield* (signers.solana as Signer.Solana).signTransaction(transactionOf(built, agreement))
  if (!isSigned(unsignedTransaction, signedTransaction)) {
    return yield* invalidResult("a different transaction, or an unsigned one")
  }
  return { family: "solana", geoOpToken, signedTransaction }
})

/** Asks the signer to sign the operation, and checks the format of the result. */
export const sign = (built: Built, agreement: Agreement) => redactedSpan("geoswap.sign")(signed(built, agreement))
