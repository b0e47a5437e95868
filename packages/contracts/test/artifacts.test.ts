import { describe, expect, it } from "@effect/vitest"
import { readdirSync } from "node:fs"
import { createRequire } from "node:module"
import { fileURLToPath } from "node:url"
import { type AbiItem, compileGroup, type Contract, type Documentation, groups } from "../scripts/compile.ts"

const require = createRequire(import.meta.url)
const folderOf = (generated: string): URL => new URL(`../${generated}/`, import.meta.url)

const typeOf = ({ components, type }: NonNullable<AbiItem["inputs"]>[number]): string =>
  components === undefined ? type : type.replace("tuple", `(${components.map(typeOf).join(",")})`)

/** The signature, as in solc's documentation output. */
const signatureOf = ({ inputs = [], name = "" }: AbiItem): string => `${name}(${inputs.map(typeOf).join(",")})`

/** Items inherited from OpenZeppelin, which we do not document. */
const inherited = new Set(
  ["Ownable2Step", "SafeERC20", "Errors", "ERC20Permit", "ERC3009", "ECDSA"].flatMap((name) => {
    const { abi } = require(`@openzeppelin/contracts/build/contracts/${name}.json`) as {
      abi: ReadonlyArray<AbiItem>
    }
    return abi.filter(({ name }) => name !== undefined).map(signatureOf)
  })
)

/** Public mappings: Solidity does not allow documentation of their keys. */
const getters = new Set(["isGuardian", "capOf", "isUsed", "balanceOf", "allowance", "values"])

const docOf = (docs: Contract["devdoc"], item: AbiItem): Documentation | undefined => {
  const signature = signatureOf(item)
  if (item.type === "error") return docs.errors?.[signature]?.[0]
  if (item.type === "event") return docs.events?.[signature]
  return docs.methods[item.type === "constructor" ? item.type : signature]
}

/** The undocumented items of a contract. */
const gapsOf = ({ abi, devdoc, name, userdoc }: Contract): ReadonlyArray<string> =>
  abi
    .filter((item) => !inherited.has(signatureOf(item)))
    .flatMap((item) => {
      const { params = {} } = docOf(devdoc, item) ?? {}
      const unknown = (item.inputs ?? []).filter((input) => input.name !== "" && params[input.name] === undefined)
      const noticed = item.name === undefined || docOf(userdoc, item)?.notice !== undefined
      return [
        ...(noticed ? [] : [`${name}.${signatureOf(item)}: no @notice`]),
        ...(getters.has(item.name ?? "") ? [] : unknown.map((input) => `${name}.${signatureOf(item)}: ${input.name}`))
      ]
    })

describe.each(groups)("the contracts of $generated", (group) => {
  let compiled: ReadonlyArray<Contract> = []

  it("compile to exactly the committed ABI and bytecode", { timeout: 600_000 }, async () => {
    compiled = compileGroup(group)
    const folder = folderOf(group.generated)
    expect(readdirSync(fileURLToPath(folder)).toSorted()).toEqual(compiled.map(({ name }) => `${name}.ts`).toSorted())
    for (const { abi, evm, name } of compiled) {
      const committed = (await import(new URL(`${name}.ts`, folder).href)) as Record<string, unknown>
      expect(committed["abi"], `${name}: run pnpm compile`).toEqual(abi)
      expect(committed["bytecode"] === `0x${evm.bytecode.object}`, `${name}: run pnpm compile`).toBe(true)
    }
  })

  it("document every function, event, error and parameter", () => {
    expect(compiled.length).toBeGreaterThan(0)
    expect(compiled.flatMap(gapsOf)).toEqual([])
  })
})
