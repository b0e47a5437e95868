/** Verifies the wallet's signatures of an operation or a payment, always by recovering the signer. */
import { Chain as CoreChain, type Transport } from "@geoswap/core"
import * as Effect from "effect/Effect"
import { parseSignature } from "viem"
import { hashMessage, hexToBigInt } from "viem/utils"
import { halfOrder } from "../chains/evm/accounts/secp256k1.js"
import { recover } from "../crypto/Recovery.js"
import { type Refusal, refuse } from "../domain/Refusal.js"
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

/** Parses a signature. It must have a low `s` value. */
const parse = Effect.fnUntraced(function* (signature: string, advice: string) {
  const parsed = yield* Effect.try({
    try: () => parseSignature(signature as Hex),
    catch: () => invalid("is invalid: expected 65 bytes with a v of 27 or 28", advice)
  })
  if (hexToBigInt(parsed.s) > halfOrder) return yield* invalid("has a high s value", advice)
  return parsed
})

/** Checks that the wallet signed a digest. The `v` value of typed data must be 27 or 28. */
const checkDigest = Effect.fnUntraced(function* (
  digest: string,
  signature: string,
  wallet: string,
  advice: string
): Effect.fn.Return<void, Refusal> {
  const parsed = yield* parse(signature, advice)
  if (!/(1b|1c)$/i.test(signature)) {
    return yield* invalid("is invalid: expected 65 bytes with a v of 27 or 28", advice)
  }
  const signer = yield* recover(digest as Hex, parsed)
  if (signer === undefined) return yield* invalid("is invalid", advice)
  if (!CoreChain.sameAddress("evm", signer, wallet)) return yield* invalid("was not made by the quote's wallet", advice)
})

/** Checks a personal_sign signature over the raw 32 bytes of a digest. */
const checkMessage = Effect.fnUntraced(function* (
  digest: string,
  signature: string,
  wallet: string,
  advice: string
): Effect.fn.Return<void, Refusal> {
  const parsed = yield* parse(signature, advice)
  const signer = yield* recover(hashMessage({ raw: digest as Hex }), parsed)
  if (signer === undefined) return yield* invalid("is invalid", advice)
  if (!CoreChain.sameAddress("evm", signer, wallet)) return yield* invalid("was not made by the quote's wallet", advice)
})

/**
 * Verifies the signatures of a submission. A payment is signed as typed data. An operation is signed with personal_sign,
 * or as typed data.
 */
export const checkSignatures = Effect.fnUntraced(function* (
  { operation, operationHash, permitHash, quote: { wallet } }: EvmContext,
  { permitSignature, signature }: Transport.SubmitRequest
): Effect.fn.Return<Signed, Refusal> {
  if ((permitSignature === undefined) !== (permitHash === undefined)) {
    return yield* refuse(
      "VALIDATION",
      permitSignature === undefined
        ? `permitSignature: is missing. ${howTo.permit}`
        : "permitSignature: is allowed only with the payment method erc2612. Omit it."
    )
  }
  if (paymentMethodOf(operation) !== undefined) {
    yield* checkDigest(operationHash, signature, wallet, howTo.typed)
    if (permitSignature === undefined || permitHash === undefined) return { signature, isTyped: false }
    yield* checkDigest(permitHash, permitSignature, wallet, howTo.permit)
    return { signature, isTyped: false, permitSignature }
  }
  return yield* checkDigest(operationHash, signature, wallet, howTo.operation).pipe(
    Effect.as({ signature, isTyped: true }),
    Effect.catch(() =>
      Effect.as(checkMessage(operationHash, signature, wallet, howTo.operation), { signature, isTyped: false })
    )
  )
})
