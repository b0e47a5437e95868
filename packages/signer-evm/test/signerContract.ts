/** Runs the signer contract of core as tests. */
import { type EvmSignerOptions, type SignerCase, signerContract } from "@geoswap/core/testing"
import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { tools } from "./chainLibrary.js"

/** The cases of the contract; `able` and `typed` say whether the signer can sign delegations and typed data. */
export const casesOf = (make: EvmSignerOptions["make"], able = true, typed = true): ReadonlyArray<SignerCase> =>
  signerContract({
    ...tools,
    make,
    ...(!able && { recoverAuthorization: undefined }),
    ...(!typed && { recoverTypedData: undefined })
  })

/** One test per case. */
export const passesContract = (make: EvmSignerOptions["make"], able = true, typed = true): void => {
  for (const { name, run } of casesOf(make, able, typed)) it.effect(name, () => Effect.promise(run))
}
