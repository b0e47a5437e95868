/**
 * Recovers the address that signed a digest. Replaceable, because viem's JavaScript takes about 2 ms, and a native
 * library less than 0.1 ms.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { Hex } from "viem"
import { recoverAddress } from "viem/utils"

/** An ECDSA signature on secp256k1. */
export interface Signature {
  readonly r: Hex
  readonly s: Hex
  readonly yParity: number
}

export interface Recovery {
  /**
   * Returns the signer's address in lower case, or `undefined` if no key can have made the signature: `r` or `s` is zero
   * or not below the curve's order, `yParity` is neither 0 nor 1, or `r` is not on the curve. Never fails.
   */
  readonly recover: (digest: Hex, signature: Signature) => Effect.Effect<string | undefined>
}

/** Recovery in JavaScript, which works in every runtime. */
export const javaScript: Recovery = {
  recover: (hash, { r, s, yParity }) =>
    yParity === 0 || yParity === 1
      ? Effect.promise(() =>
          recoverAddress({ hash, signature: { r, s, yParity } }).then(
            (address) => address.toLowerCase(),
            () => undefined
          )
        )
      : Effect.undefined
}

/** How signers are recovered (default: in JavaScript). */
export const Recovery: Context.Reference<Recovery> = Context.Reference<Recovery>("@geoswap/service/Recovery", {
  defaultValue: () => javaScript
})

/** Recovers a signer with the `Recovery` of the context. */
export const recover = (digest: Hex, signature: Signature): Effect.Effect<string | undefined> =>
  Effect.withFiber((fiber) => fiber.getRef(Recovery).recover(digest, signature))
