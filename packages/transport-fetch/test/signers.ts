/** The test signers of core in promises. */
import type { EvmSigner, SolanaSigner } from "@geoswap/core/promise"
import { TestSigner } from "@geoswap/core/testing"
import * as Effect from "effect/Effect"

const promised =
  <I, A, E>(call: (input: I) => Effect.Effect<A, E>) =>
  (input: I): Promise<A> =>
    Effect.runPromise(call(input))

const evmSigner = (): EvmSigner => {
  const { address, capabilities, signAuthorization, signOperation, verifyOperation } = TestSigner.evm()
  return {
    address,
    capabilities,
    signOperation: promised(signOperation),
    ...(verifyOperation && { verifyOperation: promised(verifyOperation) }),
    ...(signAuthorization && { signAuthorization: promised(signAuthorization) })
  }
}

const solanaSigner = (): SolanaSigner => {
  const { signTransaction, verifyTransaction, ...rest } = TestSigner.solana()
  return {
    ...rest,
    signTransaction: promised(signTransaction),
    ...(verifyTransaction && { verifyTransaction: promised(verifyTransaction) })
  }
}

export const signers = { evm: evmSigner(), solana: solanaSigner() }
