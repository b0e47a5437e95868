/** Recovers the signer of a signature, and normalizes a high `s`. */
import { Chain, type Hex, type SwapError } from "@geoswap/core"
import * as Effect from "effect/Effect"
import { numberToHex, recoverAddress } from "viem/utils"
import type { Parity, ParsedSignature } from "./parseSignature.js"
import { signerError } from "./walletError.js"

/** A signature in the form that chains accept: 32-byte `r` and `s`, with a low `s`. */
export interface Signature {
  readonly r: Hex.Hex
  readonly s: Hex.Hex
  readonly yParity: Parity
}

/** The order of secp256k1. */
const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

const inRange = (word: bigint): boolean => word > 0n && word < order

const flip = (parity: Parity): Parity => (parity === 0 ? 1 : 0)

/** Returns the signature with a low `s`. Flipping `s` flips the parity. */
const normalize = ({ r, s }: ParsedSignature, yParity: Parity): Signature => {
  const high = s > order / 2n
  return {
    r: numberToHex(r, { size: 32 }),
    s: numberToHex(high ? order - s : s, { size: 32 }),
    yParity: high ? flip(yParity) : yParity
  }
}

const recover = (hash: Hex.Hex, signature: Signature) => Effect.tryPromise(() => recoverAddress({ hash, signature }))

/** A valid signature whose signer can always be recovered: its `r` is the x coordinate of the curve's generator. */
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
    "The signature could not be verified, because viem could not load or run @noble/curves, which it loads on first use. GeoSwap submitted nothing. In a web page, check the connection and reload. Elsewhere, check that the bundle contains all of its chunks."
  )

/**
 * Returns the address that made a signature, or `undefined` if no point on the curve matches the signature. viem loads
 * the code for the curve on first use. If recovery also fails for a signature that is known to be valid, viem could not
 * load that code. In that case, fails with `SignerError`, because nothing is known about the signature.
 */
export const recoverSigner = (
  hash: Hex.Hex,
  signature: Signature
): Effect.Effect<string | undefined, SwapError.SignerError> =>
  Effect.catch(recover(hash, signature), () =>
    Effect.mapError(Effect.as(recover(...knownSignature), undefined), notLoaded)
  )

/**
 * Returns the possible signatures for every interpretation whose `r` and `s` are in range: one for each parity. The
 * parity that the wallet claimed comes first.
 */
export const candidates = (parsed: ReadonlyArray<ParsedSignature>): ReadonlyArray<Signature> =>
  parsed
    .filter(({ r, s }) => inRange(r) && inRange(s))
    .flatMap((signature) => {
      const { yParity = 0 } = signature
      return [normalize(signature, yParity), normalize(signature, flip(yParity))]
    })

/** Returns the first of the signatures that the wallet made over this hash, or `undefined` if it made none of them. */
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
