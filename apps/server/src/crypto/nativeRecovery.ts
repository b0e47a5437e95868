/**
 * Recovery with libsecp256k1. The `secp256k1` package contains builds for some platforms only, and without a build its
 * main module silently uses slow JavaScript. Therefore this module loads the native part alone.
 */
import { createRequire } from "node:module"
import type { Recovery } from "@geoswap/service"
import * as Effect from "effect/Effect"
import { keccak256 } from "viem/utils"

/** The part of the package that is used. */
interface Secp256k1 {
  /** Throws if no public key can be recovered. */
  readonly ecdsaRecover: (
    signature: Uint8Array,
    recoveryId: number,
    digest: Uint8Array,
    compressed: boolean
  ) => Uint8Array
}

const bytesOf = (digits: string): Uint8Array => Buffer.from(digits, "hex")
const wordOf = (value: string) => value.slice(2).padStart(64, "0")

const addressOf = ({ ecdsaRecover }: Secp256k1, digest: string, { r, s, yParity }: Recovery.Signature) => {
  if (yParity !== 0 && yParity !== 1) return undefined
  try {
    const key = ecdsaRecover(bytesOf(`${wordOf(r)}${wordOf(s)}`), yParity, bytesOf(digest.slice(2)), false)
    return `0x${keccak256(key.subarray(1)).slice(-40)}`
  } catch {
    return undefined
  }
}

/** Returns native recovery, or `undefined` if there is no build for this platform. */
export const nativeRecovery = (
  load: () => unknown = () => createRequire(import.meta.url)("secp256k1/bindings.js")
): Recovery.Recovery | undefined => {
  try {
    const library = load() as Secp256k1
    return { recover: (digest, signature) => Effect.sync(() => addressOf(library, digest, signature)) }
  } catch {
    return undefined
  }
}
