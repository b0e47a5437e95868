/** Making sure that what came back is the wallet's signature over what it was asked to sign. */
import { Chain, type Hex, type SwapError } from "@geoswap/core"
import * as Effect from "effect/Effect"
import { numberToHex, recoverAddress } from "viem/utils"
import { signerError } from "./walletError.js"
import type { Parity, ParsedSignature } from "./parseSignature.js"

/** A signature in the one form that chains take: 32 bytes each, and s is low. */
export interface Signature {
  readonly r: Hex.Hex
  readonly s: Hex.Hex
  readonly yParity: Parity
}

/** The order of secp256k1. */
const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

const inRange = (word: bigint): boolean => word > 0n && word < order

const flip = (parity: Parity): Parity => (parity === 0 ? 1 : 0)

/** The same signature with a low s, whose parity is the other one then. */
const normalize = ({ r, s }: ParsedSignature, yParity: Parity): Signature => {
  const high = s > order / 2n
  return {
    r: numberToHex(r, { size: 32 }),
    s: numberToHex(high ? order - s : s, { size: 32 }),
    yParity: high ? flip(yParity) : yParity
  }
}

const recover = (hash: Hex.Hex, signature: Signature) => Effect.tryPromise(() => recoverAddress({ hash, signature }))

/** Recovers on every machine: r is the generator of the curve. */
const knownSignature: readonly [hash: Hex.Hex, signature: Signature] = [
  `0x${"2".padStart(64, "0")}`,
  {
    r: "0x79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798",
    s: `0x${"1".padStart(64, "0")}`,
    yParity: 0
  }
]

const notLoaded = () =>
  signerError(
    "failed",
    "The signature could not be checked, and GeoSwap submitted nothing: the part of viem that recovers signers (@noble/curves, loaded when it is first needed) could not be loaded or run. In a page, check the connection and reload it; elsewhere, check that the bundle holds all of its chunks."
  )

/**
 * The address that made a signature, or `undefined` if there is no such point on the curve. viem loads the curve when it
 * is first needed: if the knownSignature does not recover either, that failed, and nothing is known about the signature.
 */
export const recoverSigner = (
  hash: Hex.Hex,
  signature: Signature
): Effect.Effect<string | undefined, SwapError.SignerError> =>
  Effect.catch(recover(hash, signature), () =>
    Effect.mapError(Effect.as(recover(...knownSignature), undefined), notLoaded)
  )

/** The signatures that parsed may stand for, those first whose parity the wallet named. */
export const candidates = (parsed: ReadonlyArray<ParsedSignature>): ReadonlyArray<Signature> =>
  parsed
    .filter(({ r, s }) => inRange(r) && inRange(s))
    .flatMap((signature) => {
      const { yParity = 0 } = signature
      return [normalize(signature, yParity), normalize(signature, flip(yParity))]
    })

/** The one of these signatures that is the wallet's over this hash, if any is. */
export const recoverSignature = Effect.fnUntraced(function* (
  wallet: string,
  hash: Hex.Hex,
  signatures: ReadonlyArray<Signature>
): Effect.fn.Return<Signature | undefined, SwapError.SignerError> {
  for (const signature of signatures) {
    const signer = yield* recoverSigner(hash, signature)
    if (signer !== undefined && Chain.sameAddress("evm", signer, wallet)) return signature
  }
  return undefined
})
