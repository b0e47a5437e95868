import { describe, it } from "@effect/vitest"
import { signerContract, type SolanaSignerOptions } from "@geoswap/core/testing"
import * as Effect from "effect/Effect"
import { isSignedBy, walletKey } from "./keys.js"
import { kinds, signerOf } from "./wallets.js"

/** One signer for the whole suite: it must not keep state between cases. */
const passes = (connect: () => ReturnType<SolanaSignerOptions["make"]>) => {
  let signer: ReturnType<SolanaSignerOptions["make"]> | undefined
  const make = () => (signer ??= connect())
  for (const { name, run } of signerContract({ kind: "solana", isSignedBy, make })) {
    it.effect(name, () => Effect.promise(run))
  }
}

describe.each(kinds)("$name passes the signer contract", ({ layer, make }) => {
  describe("in promises", () => {
    passes(() => make(walletKey()))
  })
  describe("in effects", () => {
    passes(async () => signerOf(await layer(walletKey())))
  })
})
