/** The last look before signing, and the first after it. */
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
import { type EvmSigner, type OperationToSign, Signers, type SolanaSigner, type TransactionToSign } from "../Signer.js"
import { type SignError, SignerError, type UnsafeOperation } from "../SwapError.js"
import { compact } from "../codecs/compact.js"
import { redactedSpan } from "./redactedSpan.js"
import type { Built, Submission } from "./endpoints.js"

/**
 * What a signer gets to see: exactly these fields, since an answer may hold others that would pass for what was agreed,
 * and none of the sealed tokens, which are between the client and the service.
 */
const operationOf = ({ geoOpHash, geoOp }: BuiltOperation, agreement: Agreement): OperationToSign =>
  compact({ ...agreement, geoOpHash, geoOp })
const transactionOf = ({ unsignedTransaction }: BuiltTransaction, agreement: Agreement): TransactionToSign => ({
  ...agreement,
  unsignedTransaction
})

/**
 * The refusal of an operation that no chain accepts any more. It is good for nothing but the proof that it expired unused,
 * on which another signature may depend.
 */
const pastDeadline = ({ deadline }: GeoOp, nowMillis: number): UnsafeOperation | undefined => {
  const now = Math.floor(nowMillis / 1000)
  return deadline > now
    ? undefined
    : unsafe(
        "deadline",
        `after ${now}, the time of your clock`,
        `${deadline}, ${now - deadline} s before it; check your clock`
      )
}

/** Compares what is to be signed with what was agreed. Tells whether anything was there to check. */
export const verify = Effect.fn("geoswap.verify")(function* (
  built: Built,
  agreement: Agreement
): Effect.fn.Return<boolean, SignError, Signers | Policy> {
  const { evm, solana } = yield* Signers
  const { verification } = yield* Policy
  if (built.kind === "evm") {
    const { geoOp } = built
    if (geoOp === undefined && verification === "required") {
      return yield* unsafe("geoOp", "sent along with the hash", "absent")
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

/** What came back from the signer is not what was asked for. */
export const invalid = (what: string) =>
  new SignerError({ reason: "invalid", message: `The signer gave back ${what}.` })

/** What a Solana transaction says: all of it behind its signatures, which a count goes ahead of. */
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
    const signature = yield* (signers.evm as EvmSigner).signOperation(operationOf(built, agreement))
    if (!isHex(signature, 65)) return yield* invalid("no 65-byte signature")
    return { kind: "evm", geoOpToken, signature }
  }
  const { unsignedTransaction } = built
  const signedTransaction = yield* (signers.solana as SolanaSigner).signTransaction(transactionOf(built, agreement))
  if (!isSigned(unsignedTransaction, signedTransaction)) {
    return yield* invalid("another transaction, or none that is signed")
  }
  return { kind: "solana", geoOpToken, signedTransaction }
})

/** Has it signed, and makes sure that something of the right form came back. */
export const sign = (built: Built, agreement: Agreement) => redactedSpan("geoswap.sign")(signed(built, agreement))
