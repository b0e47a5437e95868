/** Recovers the signer of a signature, and normalizes a high `s`. */
import { Chain, type Hex } from "@geoswap/core"
import { keccak256 } from "@geoswap/core/adapters"
import { recoverPublicKey } from "@noble/secp256k1"
import { toBytes } from "./hash.js"
import type { Parity, ParsedSignature } from "./parseSignature.js"

/** A signature in the form that chains accept: 32-byte `r` and `s`, with a low `s`. */
export interface Signature {
  readonly r: Hex.Hex
  readonly s: Hex.Hex
  readonly yParity: Parity
}

/** The order of secp256k1. */
const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

const inRange = (word: bigint): boolean => word > 0n && word < order

const wordOf = (value: bigint): Hex.Hex => `0x${value.toString(16).padStart(64, "0")}`

const flip = (parity: Parity): Parity => (parity === 0 ? 1 : 0)

/** Returns the signature with a low `s`. Flipping `s` flips the parity. */
const normalize = ({ r, s }: ParsedSignature, yParity: Parity): Signature => {
  const high = s > order / 2n
  return {
    r: wordOf(r),
    s: wordOf(high ? order - s : s),
    yParity: high ? flip(yParity) : yParity
  }
}

/** Returns the address that made a signature, or `undefined` if no point on the curve matches the signature. */
export const recoverSigner = (hash: Hex.Hex, { r, s, yParity }: Signature): string | undefined => {
  try {
    const signature = Uint8Array.of(yParity, ...toBytes(r), ...toBytes(s))
    const publicKey = recoverPublicKey(signature, toBytes(hash), { prehash: false, isCompressed: false })
    // The first byte marks the key as uncompressed. The address is the end of the hash of the rest.
    return Chain.checksum(`0x${keccak256(publicKey.subarray(1)).slice(-40)}`)
  } catch {
    return undefined
  }
}

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
export const recoverSignature = (
  wallet: string,
  hash: Hex.Hex,
  signatures: ReadonlyArray<Signature>
): Signature | undefined =>
  signatures.find((signature) => {
    const signer = recoverSigner(hash, signature)
    return signer !== undefined && Chain.sameAddress("evm", signer, wallet)
  })
