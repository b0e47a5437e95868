import type { SignerCase } from "@geoswap/core/testing"
import { describe, expect, it } from "@effect/vitest"
import { EvmSigner } from "../src/index.js"
import { built, eachWallet } from "./contractWallets.js"
import { casesOf, passesContract } from "./signerContract.js"
import { digestService, forms } from "./wallets.js"

/** The wallets that sign in different ways. The others share the code of one of them. */
const complete = ["a private key account", "a browser wallet", "a key service that returns DER"]

// signerContract.long.test.ts runs every case with every wallet, as a promise signer and as a layer. Here, the other
// wallets pass every tenth case, beginning with another one each.
let others = 0
eachWallet((name, { layer, promise }, able = true, typed = true) => {
  const part = complete.includes(name) ? undefined : { of: 10, number: others++ % 10 }
  describe(`${name} passes the signer contract as a promise signer`, () => {
    passesContract(promise, able, typed, part)
  })
  describe(`${name} passes the signer contract as a layer`, () => {
    passesContract(() => built(layer()), able, typed, { of: 10, number: others % 10 })
  })
})

describe("a key service passes the signing cases of the signer contract", () => {
  const failuresOf = async (cases: ReadonlyArray<SignerCase>) => {
    const signing = cases.filter(({ name }) => name.startsWith("signs"))
    expect(signing.length).toBeGreaterThan(6)
    const failures: Array<string> = []
    for (const { name, run } of signing) {
      await run().catch((error: unknown) => failures.push(`${name}: ${String(error)}`))
    }
    return failures
  }

  it.each(Object.entries(forms))("as a promise signer that returns %s", async (_, form) => {
    expect(await failuresOf(casesOf(() => EvmSigner.fromKeyService(digestService(form))))).toStrictEqual([])
  })
})
