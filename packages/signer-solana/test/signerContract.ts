/** Runs the signer contract of core as tests. */
import { it } from "@effect/vitest"
import { signerContract, type SolanaSignerOptions } from "@geoswap/core/testing"
import * as Effect from "effect/Effect"
import { isSignedBy } from "./keys.js"

/** One test per case, or per nth case. One signer is used for all of them: it must not keep state between cases. */
export const passesContract = (connect: () => ReturnType<SolanaSignerOptions["make"]>, nth = 1): void => {
  let signer: ReturnType<SolanaSignerOptions["make"]> | undefined
  const make = () => (signer ??= connect())
  const cases = signerContract({ kind: "solana", isSignedBy, make }).filter((_, index) => index % nth === 0)
  for (const { name, run } of cases) it.effect(name, () => Effect.promise(run))
}
