import { describe, expect, it } from "@effect/vitest"
import { type EvmSignerOptions, signerContract, type SolanaSignerOptions } from "../src/testing.js"
import { brokenEvm } from "./reference/brokenEvm.js"
import { brokenPayments } from "./reference/brokenPayments.js"
import { brokenSolana } from "./reference/brokenSolana.js"
import { type Broken, failuresOf } from "./reference/contractFailures.js"

const namesOf = (options: EvmSignerOptions | SolanaSignerOptions) => signerContract(options).map(({ name }) => name)

const areFound = (variants: ReadonlyArray<Broken<EvmSignerOptions | SolanaSignerOptions>>) => {
  const found = new Set<string>()

  for (const { fails, name, options } of variants) {
    it(`that ${name}`, async () => {
      const names = namesOf(options)
      expect(fails.filter((pattern) => !names.some((name) => pattern.test(name)))).toEqual([])
      const failures = await failuresOf(options)
      for (const failure of failures) found.add(failure)
      expect(failures).toEqual(names.filter((name) => fails.some((pattern) => pattern.test(name))))
    })
  }

  it("and has unique names for all signers and cases", () => {
    for (const names of [variants.map(({ name }) => name), ...variants.map(({ options }) => namesOf(options))]) {
      expect(new Set(names).size).toBe(names.length)
    }
  })

  it("and every case fails for at least one of them", () => {
    const names = variants.flatMap(({ options }) => namesOf(options))
    expect([...new Set(names)].filter((name) => !found.has(name))).toEqual([])
  })
}

describe("the contract finds a broken EVM signer", () => {
  areFound([...brokenEvm, ...brokenPayments])
})

describe("the contract finds a broken Solana signer", () => {
  areFound(brokenSolana)
})
