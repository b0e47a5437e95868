/** Runs the signer contract of core as tests. */
import { it } from "@effect/vitest"
import { signerContract, type SolanaSignerOptions } from "@geoswap/core/testing"
import * as Effect from "effect/Effect"
import { isSignedBy } from "./keys.js"

/** Every nth case, beginning with the given one. */
export interface Part {
  readonly of: number
  readonly number: number
}

/**
 * One test per case (default: all cases). One signer is used for all of them: it must not keep state between cases.
 */
export const passesContract = (
  connect: () => ReturnType<SolanaSignerOptions["make"]>,
  part: Part = { of: 1, number: 0 }
): void => {
  let signer: ReturnType<SolanaSignerOptions["make"]> | undefined
  const make = () => (signer ??= connect())
  const cases = signerContract({ family: "solana", isSignedBy, make }).filter(
    (_, index) => index % part.of === part.number
  )
  for (const { name, run } of cases) it.effect(name, () => Effect.promise(run))
}
