/** Runs the signer contract of core as tests. */
import { it } from "@effect/vitest"
import { type EvmSignerOptions, type SignerCase, signerContract } from "@geoswap/core/testing"
import * as Effect from "effect/Effect"
import { tools } from "../../../tooling/testing/evm/chainLibrary.js"

/** The cases of the contract; `able` and `typed` say whether the signer can sign delegations and typed data. */
export const casesOf = (make: EvmSignerOptions["make"], able = true, typed = true): ReadonlyArray<SignerCase> =>
  signerContract({
    ...tools,
    make,
    ...(!able && { recoverAuthorization: undefined }),
    ...(!typed && { recoverTypedData: undefined })
  })

/** Every nth case, beginning with the given one. */
export interface Part {
  readonly of: number
  readonly number: number
}

/** One test per case (default: all cases). */
export const passesContract = (
  make: EvmSignerOptions["make"],
  able = true,
  typed = true,
  part: Part = { of: 1, number: 0 }
): void => {
  const cases = casesOf(make, able, typed).filter((_, index) => index % part.of === part.number)
  for (const { name, run } of cases) it.effect(name, () => Effect.promise(run))
}
