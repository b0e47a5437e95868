/** The last look before signing, and the first after it. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { isHex } from "../Hex.js"
import { type Agreement, compare, unsafe } from "../Operation.js"
import type { Verification } from "../Policy.js"
import type { EvmSigner, SolanaSigner } from "../Signer.js"
import { type SignError, SignerError } from "../SwapError.js"
import type { Built, Submission } from "./verbs.js"

/** The signer of the origin chain. */
export type OriginSigner =
  | { readonly kind: "evm"; readonly signer: EvmSigner }
  | { readonly kind: "solana"; readonly signer: SolanaSigner }

/** Compares what is to be signed with what was agreed. Tells whether anything was there to check. */
export const verify = Effect.fn("geoswap.verify")(function* (
  built: Built,
  origin: OriginSigner,
  agreement: Agreement,
  verification: Verification
): Effect.fn.Return<boolean, SignError> {
  if (built.kind === "solana") {
    const check = origin.kind === "solana" ? origin.signer.verifyTransaction : undefined
    if (check === undefined) return false
    yield* check({ ...agreement, unsignedTransaction: built.unsignedTransaction })
    return true
  }
  const { geoOp, geoOpHash } = built
  if (geoOp === undefined)
    return verification === "required"
      ? yield* unsafe("geoOp", 'the fields behind geoOpHash, or verification "when-possible"', "only a hash")
      : false
  const broken = compare(geoOp, agreement, yield* Clock.currentTimeMillis)
  if (broken !== undefined) return yield* broken
  const check = origin.kind === "evm" ? origin.signer.verifyOperation : undefined
  if (check === undefined) return false
  yield* check({ ...agreement, geoOpHash, geoOp })
  return true
})

const invalid = (message: string) => new SignerError({ reason: "invalid", message })

/** Has it signed, and makes sure that something of the right form came back. */
export const sign = Effect.fn("geoswap.sign")(function* (
  built: Built,
  origin: OriginSigner,
  agreement: Agreement
): Effect.fn.Return<Submission, SignError> {
  const { geoOpToken } = built
  if (built.kind === "evm" && origin.kind === "evm") {
    const { geoOpHash, geoOp } = built
    const signature = yield* origin.signer.signOperation({ ...agreement, geoOpHash, ...(geoOp && { geoOp }) })
    if (!isHex(signature, 65)) return yield* invalid("The signer gave back something that is not a 65-byte signature.")
    return { kind: "evm", geoOpToken, signature }
  }
  if (built.kind === "solana" && origin.kind === "solana") {
    const { unsignedTransaction } = built
    const signedTransaction = yield* origin.signer.signTransaction({ ...agreement, unsignedTransaction })
    if (
      typeof signedTransaction !== "string" ||
      signedTransaction === "" ||
      signedTransaction === unsignedTransaction
    ) {
      return yield* invalid("The signer gave the transaction back unsigned.")
    }
    return { kind: "solana", geoOpToken, signedTransaction }
  }
  return yield* invalid("The signer is of another chain family than the operation.")
})
