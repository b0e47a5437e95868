/** Broken signers, which the contract must find. */
import { describe, expect, it } from "@effect/vitest"
import { type EvmSignerOptions, signerContract, type SolanaSignerOptions } from "../../src/testing.js"
import { brokenEvm } from "./brokenEvm.js"
import { brokenPayments } from "./brokenPayments.js"
import { brokenSolana } from "./brokenSolana.js"
import { type Broken, failuresOf } from "./contractFailures.js"

/** Which cases run for each broken signer. */
type Tried = "all cases" | "the cases that must fail"

const namesOf = (options: EvmSignerOptions | SolanaSignerOptions) => signerContract(options).map(({ name }) => name)

const areFound = (variants: ReadonlyArray<Broken<EvmSignerOptions | SolanaSignerOptions>>, tried: Tried) => {
  const found = new Set<string>()

  for (const { fails, name, options } of variants) {
    it(`that ${name}`, async () => {
      const names = namesOf(options)
      expect(fails.filter((pattern) => !names.some((name) => pattern.test(name)))).toEqual([])
      const mustFail = (name: string) => fails.some((pattern) => pattern.test(name))
      const failures = await failuresOf(options, tried === "all cases" ? () => true : mustFail)
      for (const failure of failures) found.add(failure)
      expect(failures).toEqual(names.filter(mustFail))
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

/** Tests that the contract finds every broken signer, and in which cases. */
export const findsBrokenSigners = (tried: Tried): void => {
  describe("the contract finds a broken EVM signer", () => {
    areFound([...brokenEvm, ...brokenPayments], tried)
  })

  describe("the contract finds a broken Solana signer", () => {
    areFound(brokenSolana, tried)
  })
}
