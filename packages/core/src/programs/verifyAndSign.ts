/** Verifies an operation before it is signed, and the signature afterwards. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { isHex } from "../Hex.js"
import {
  type Agreement,
  type BuiltOperation,
  type BuiltTransaction,
  compare,
  type GeoOp,
  unsafe
} from "../Operation.js"
import { Policy } from "../Policy.js"
import type * as Signer from "../Signer.js"
import { type OperationToSign, Signers, type TransactionToSign } from "../Signer.js"
import { type SignError, SignerError, type UnsafeOperation } from "../SwapError.js"
import { compact } from "../codecs/compact.js"
import { redactedSpan } from "./redactedSpan.js"
import type { Built, Submission } from "./endpoints.js"

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
  if (built.kind === "evm") {
    const { geoOp } = built
    if (geoOp === undefined && verification === "required") {
      return yield* unsafe("geoOp", "sent with the hash", "none")
    }
    const now = yield* Clock.currentTimeMillis
    const broken = geoOp && (compare(geoOp, agreement, now) ?? pastDeadline(geoOp, now))
    if (broken !== undefined) return yield* broken
  }
  const check =
    built.kind === "solana"
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
  if (built.kind === "evm") {
    const signature = yield* (signers.evm as Signer.Evm).signOperation(operationOf(built, agreement))
    if (!isHex(signature, 65)) return yield* invalidResult("something other than a 65-byte signature")
    return { kind: "evm", geoOpToken, signature }
  }
  const { unsignedTransaction } = built
  const signedTransaction = yield* (signers.solana as Signer.Solana).signTransaction(transactionOf(built, agreement))
  if (!isSigned(unsignedTransaction, signedTransaction)) {
    return yield* invalidResult("a different transaction, or an unsigned one")
  }
  return { kind: "solana", geoOpToken, signedTransaction }
})

/** Asks the signer to sign the operation, and checks the format of the result. */
export const sign = (built: Built, agreement: Agreement) => redactedSpan("geoswap.sign")(signed(built, agreement))
