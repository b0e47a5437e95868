import { beforeAll, describe, expect, it } from "@effect/vitest"
import { readdirSync } from "node:fs"
import { createRequire } from "node:module"
import { fileURLToPath } from "node:url"
import { type AbiItem, analyzeGroup, type Documentation, groups, type Interface } from "../scripts/compile.ts"
import fingerprints from "./bytecode.snapshot.json" with { type: "json" }

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

const docOf = (docs: Interface["devdoc"], item: AbiItem): Documentation | undefined => {
  const signature = signatureOf(item)
  if (item.type === "error") return docs.errors?.[signature]?.[0]
  if (item.type === "event") return docs.events?.[signature]
  return docs.methods[item.type === "constructor" ? item.type : signature]
}

/** The undocumented items of a contract. */
const gapsOf = ({ abi, devdoc, name, userdoc }: Interface): ReadonlyArray<string> =>
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
  const folder = folderOf(group.generated)
  const names = readdirSync(fileURLToPath(folder)).map((file) => file.replace(/\.ts$/, ""))
  let analyzed: ReturnType<typeof analyzeGroup>

  beforeAll(() => {
    analyzed = analyzeGroup(group)
  })

  it("are compiled from the current sources, with the current ABI", async () => {
    const code: Record<string, string> = {}
    for (const name of names) {
      const committed = (await import(new URL(`${name}.ts`, folder).href)) as { abi: unknown; bytecode: string }
      const current = analyzed.contracts.find((contract) => contract.name === name)
      expect(committed.abi, `${name}: run pnpm compile`).toEqual(current?.abi)
      code[name] = committed.bytecode
    }
    const known: Readonly<Record<string, string>> = fingerprints
    expect(analyzed.fingerprint(code), "run pnpm compile").toBe(known[group.generated])
  })

  it("document every function, event, error and parameter", () => {
    const generated = analyzed.contracts.filter(({ name }) => names.includes(name))
    expect(generated.length).toBeGreaterThan(0)
    expect(generated.flatMap(gapsOf)).toEqual([])
  })
})
