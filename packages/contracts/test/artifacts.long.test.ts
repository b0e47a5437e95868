import { expect, it } from "@effect/vitest"
import { readdirSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { compileGroup, groups } from "../scripts/compile.ts"

it.each(groups)(
  "the contracts of $generated compile to exactly the committed ABI and bytecode",
  async (group) => {
    const compiled = compileGroup(group)
    const folder = new URL(`../${group.generated}/`, import.meta.url)
    expect(readdirSync(fileURLToPath(folder)).toSorted()).toEqual(compiled.map(({ name }) => `${name}.ts`).toSorted())
    for (const { abi, evm, name } of compiled) {
      const committed = (await import(new URL(`${name}.ts`, folder).href)) as Record<string, unknown>
      expect(committed["abi"], `${name}: run pnpm compile`).toEqual(abi)
      expect(committed["bytecode"] === `0x${evm.bytecode.object}`, `${name}: run pnpm compile`).toBe(true)
    }
  },
  600_000
)
