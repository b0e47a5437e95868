/** Verifies the wallet's signatures of an operation or a payment, always by recovering the signer. */
import { Chain as CoreChain, type Transport } from "@geoswap/core"
import * as Effect from "effect/Effect"
import { parseSignature } from "viem"
import { hashMessage, hexToBigInt } from "viem/utils"
import { halfOrder } from "../chains/evm/accounts/secp256k1.js"
import { recover } from "../crypto/Recovery.js"
import { refuse } from "../domain/Refusal.js"
import { paymentMethodOf } from "../domain/SwapRecord.js"
import type { EvmContext } from "./tokenContents.js"

/** Verified signatures. */
export interface Signed {
  readonly signature: string
  /** Whether the operation was signed as typed data. */
  readonly isTyped: boolean
  readonly permitSignature?: string
}

type Hex = `0x${string}`

const howTo = {
  operation:
    "Sign the raw 32 bytes of geoOpHash with personal_sign, or the operation as typed data, using the quote's wallet.",
  typed: "Sign typedData with eth_signTypedData_v4, using the quote's wallet.",
  permit: "Sign permitTypedData with eth_signTypedData_v4, using the quote's wallet, and send it as permitSignature."
}

const invalid = (why: string, advice: string) => refuse("INVALID_SIGNATURE", `The signature ${why}. ${advice}`)

const malformed = "is invalid: expected 65 bytes with a v of 27 or 28"

/** Checks that the wallet signed a digest. The `v` value of typed data must be 27 or 28. */
const check = Effect.fnUntraced(function* (
  digest: Hex,
  signature: string,
  wallet: string,
  advice: string,
  isTyped = true
) {
  const refused = (why: string) => invalid(why, advice)
  const parsed = yield* Effect.try({ try: () => parseSignature(signature as Hex), catch: () => refused(malformed) })
  if (hexToBigInt(parsed.s) > halfOrder) return yield* refused("has a high s value")
  if (isTyped && !/(1b|1c)$/i.test(signature)) return yield* refused(malformed)
  const signer = yield* recover(digest, parsed)
  if (signer === undefined) return yield* refused("is invalid")
  if (!CoreChain.sameAddress("evm", signer, wallet)) return yield* refused("was not made by the quote's wallet")
})

/**
 * Verifies the signatures of a submission. A payment is signed as typed data. An operation is signed with personal_sign,
 * or as typed data.
 */
export const checkSignatures = Effect.fnUntraced(function* (
  { operation, operationHash, permitHash, quote: { wallet } }: EvmContext,
  { permitSignature, signature }: Transport.SubmitRequest
) {
  if ((permitSignature === undefined) !== (permitHash === undefined)) {
    return yield* refuse(
      "VALIDATION",
      permitSignature === undefined
        ? `permitSignature: is missing. ${howTo.permit}`
        : "permitSignature: is allowed only with the payment method erc2612. Omit it."
    )
  }
  const digest = operationHash as Hex
  if (paymentMethodOf(operation) !== undefined) {
    yield* check(digest, signature, wallet, howTo.typed)
    if (permitSignature === undefined || permitHash === undefined) return { signature, isTyped: false }
    yield* check(permitHash as Hex, permitSignature, wallet, howTo.permit)
    return { signature, isTyped: false, permitSignature }
  }
  const isTyped = yield* check(digest, signature, wallet, howTo.operation).pipe(
    Effect.as(true),
    // personal_sign signs the raw 32 bytes of the digest.
    Effect.catch(() => Effect.as(check(hashMessage({ raw: digest }), signature, wallet, howTo.operation, false), false))
  )
  return { signature, isTyped }
})
