/**
 * Mutated contracts: each has one check or one bound value less, and a probe must notice it. The probes are the attacks, and
 * what has to succeed. A mutant that is not noticed would mean that nothing tests the line.
 */
import { expect, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import type { Hex } from "viem"
import { compile } from "../scripts/compile.ts"
import type { Setting } from "./attacks.ts"
import { accountSetting, prepareSetting, vaultSetting } from "./attackSetting.ts"
import type { Mutant } from "./mutants.ts"
import { probes } from "./probes.ts"
import { useChain } from "./suite.ts"

const sourceOf = (file: string): string => readFileSync(new URL(`../contracts/${file}`, import.meta.url), "utf8")

const mutate = ({ file, from, name, nth, to }: Mutant): string => {
  const parts = sourceOf(`${file}.sol`).split(from)
  if (parts.length < 2 || (nth === undefined && parts.length > 2))
    throw new Error(`${name}: found ${parts.length - 1} times`)
  const cut = (nth ?? 0) + 1
  const [head, tail] = [parts.slice(0, cut).join(from), parts.slice(cut).join(from)]
  // A call that becomes the argument of another one needs a second parenthesis at its end.
  return to.startsWith("require(") ? `${head}${to}${tail.replace(");\n", "));\n")}` : `${head}${to}${tail}`
}

/** The contracts without a mutation. */
const originals = (["GeoVault", "GeoAccount"] as const).map((file): Mutant => ({
  name: `${file} without a mutation`,
  file,
  from: `contract ${file} `,
  to: `contract ${file} `,
  probe: ""
}))

/**
 * Compiles contracts together, without the slow optimizer. Each is in a folder, and imports what it does not change, which
 * is compiled once.
 */
const compileAll = (all: ReadonlyArray<Mutant>): ReadonlyArray<Hex> => {
  const sources = new Map(
    all.map((mutant, index) => [
      `mutants/${index}/${mutant.file}.sol`,
      mutate(mutant).replaceAll('from "./', 'from "contracts/')
    ])
  )
  const contracts = compile([...sources.keys()], {
    optimizer: { enabled: false },
    viaIR: false,
    warnings: true,
    contentsOf: (path) => sources.get(path)
  })
  return contracts.map(({ evm }) => `0x${evm.bytecode.object}` as const)
}

/** Tests that the probes notice these mutants, and nothing in the contracts as they are. */
export const probesNotice = (mutants: ReadonlyArray<Mutant>): void => {
  let setting: Setting
  const chain = useChain(async (chain) => {
    setting = await prepareSetting(chain)
  })

  /** The first of some probes that notices something. */
  const noticed = async (target: Setting, named: (name: string) => boolean): Promise<string | undefined> => {
    for (const [name, passes] of probes) {
      if (!named(name)) continue
      const id = await chain.client.snapshot()
      const passed = await passes(target)
      await chain.revert(id)
      if (!passed) return name
    }
    return undefined
  }

  it("notice nothing in the contracts as they are", async () => {
    expect(await noticed(setting, () => true)).toBeUndefined()
  })

  const compiled = new Map<Mutant, Hex>()
  const settingOf = (mutant: Mutant): Promise<Setting> =>
    (mutant.file === "GeoVault" ? vaultSetting : accountSetting)(setting, compiled.get(mutant) ?? "0x")

  it("run on mutants, which compile", { timeout: 600_000 }, () => {
    const all = [...originals, ...mutants]
    const bytecodes = compileAll(all)
    expect(bytecodes).toHaveLength(all.length)
    bytecodes.forEach((bytecode, index) => {
      const mutant = all[index]
      if (mutant !== undefined) compiled.set(mutant, bytecode)
    })
  })

  it.each(originals)("notice nothing in $name", async (original) => {
    expect(await noticed(await settingOf(original), () => true)).toBeUndefined()
  })

  it.each(mutants)("notice $name", async (mutant) => {
    expect(await noticed(await settingOf(mutant), (name) => name === mutant.probe)).toBe(mutant.probe)
  })
}
