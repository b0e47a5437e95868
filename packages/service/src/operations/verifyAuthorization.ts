/**
 * Verifies a signed EIP-7702 authorization. On-chain, an invalid authorization does not cause a revert. It simply has
 * no effect.
 */
import { Chain, type Delegation } from "@geoswap/core"
import * as Effect from "effect/Effect"
import { hashAuthorization } from "viem/utils"
import { halfOrder } from "../chains/evm/accounts/secp256k1.js"
import { recover } from "../crypto/Recovery.js"

/** Describes what is wrong with an authorization. Returns `undefined` if the authorization is valid. */
export const authorizationFault = (
  authorization: Delegation.Authorization,
  expected: { readonly chainId: number; readonly delegate: string; readonly nonce: number; readonly wallet: string }
): Effect.Effect<string | undefined> => {
  const { address, chainId, nonce, r, s, yParity } = authorization
  if (chainId !== expected.chainId) {
    return Effect.succeed(`is for the wrong chain: expected ${expected.chainId}, got ${chainId}`)
  }
  if (!Chain.sameAddress("evm", address, expected.delegate)) {
    return Effect.succeed(`delegates to the wrong contract: expected ${expected.delegate}, got ${address}`)
  }
  if (nonce !== expected.nonce) {
    return Effect.succeed(`has the wrong account nonce: expected ${expected.nonce}, got ${nonce}`)
  }
  if (BigInt(s) > halfOrder) return Effect.succeed("has a high s value, so chains ignore it")
  return Effect.map(recover(hashAuthorization({ address, chainId, nonce }), { r, s, yParity }), (signer) => {
    if (signer === undefined) return "has an invalid signature"
    return Chain.sameAddress("evm", signer, expected.wallet) ? undefined : "is not signed by the wallet"
  })
}
