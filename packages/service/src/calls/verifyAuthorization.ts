/** Judges a signed EIP-7702 authorization: a bad one does not revert on chain, it does nothing. */
import { Chain, type Delegation } from "@geoswap/core"
import * as Effect from "effect/Effect"
import { recoverAuthorizationAddress } from "viem/utils"
import { halfOrder } from "../chains/evm/secp256k1.js"

/** What is wrong with an authorization, in words; `undefined` where nothing is. */
export const authorizationFault = (
  authorization: Delegation.Authorization,
  expected: { readonly chainId: number; readonly delegate: string; readonly nonce: number; readonly wallet: string }
): Effect.Effect<string | undefined> => {
  const { address, chainId, nonce, r, s, yParity } = authorization
  if (chainId !== expected.chainId) {
    return Effect.succeed(`is for chain ${chainId}, and should be for ${expected.chainId}`)
  }
  if (!Chain.sameAddress("evm", address, expected.delegate)) {
    return Effect.succeed(`delegates to ${address}, and should to ${expected.delegate}`)
  }
  if (nonce !== expected.nonce) {
    return Effect.succeed(`is for the account's nonce ${nonce}, and the account is at ${expected.nonce}`)
  }
  if (BigInt(s) > halfOrder) return Effect.succeed("has a high s, which chains skip")
  return Effect.tryPromise(() =>
    recoverAuthorizationAddress({ authorization: { address, chainId, nonce, r, s, yParity } })
  ).pipe(
    Effect.map((signer) =>
      Chain.sameAddress("evm", signer, expected.wallet) ? undefined : "is not signed by the wallet"
    ),
    Effect.catch(() => Effect.succeed("has a signature that is none"))
  )
}
