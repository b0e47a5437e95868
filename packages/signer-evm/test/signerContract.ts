/** Runs the signer contract of core as tests. */
import { type EvmSignerOptions, type SignerCase, signerContract } from "@geoswap/core/testing"
import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { tools } from "./chainLibrary.js"

/** The cases of the contract; `able` says whether the signer can sign a delegation. */
export const casesOf = (make: EvmSignerOptions["make"], able = true): ReadonlyArray<SignerCase> =>
  signerContract({ ...tools, make, ...(!able && { recoverAuthorization: undefined }) })

/** One test per case. */
export const passesContract = (make: EvmSignerOptions["make"], able = true): void => {
  for (const { name, run } of casesOf(make, able)) it.effect(name, () => Effect.promise(run))
}
