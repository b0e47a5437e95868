/** Compiles the contracts with solc from npm and writes what viem needs of them as TypeScript. */
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { basename, join } from "node:path"
import { fileURLToPath } from "node:url"
import solc from "solc"

const root = fileURLToPath(new URL("..", import.meta.url))

const require = createRequire(import.meta.url)

/** As it is: solc's own types say nothing of it. */
const solcCompile = solc.compile as (input: string, callbacks: { readonly import: typeof load }) => string

/** Ours by their path in this package, those of packages from where npm put them. */
const load = (path: string): { contents: string } | { error: string } => {
  try {
    const file = path.startsWith("@") ? require.resolve(path) : join(root, path)
    return { contents: readFileSync(file, "utf8") }
  } catch (error) {
    return { error: String(error) }
  }
}

/** What solc says of a function, an event or an error. */
export interface Documentation {
  readonly notice?: string
  readonly params?: Readonly<Record<string, string>>
}

type Documented = Readonly<Record<string, Documentation>>
/** solc lists the errors of a selector, since two can share one. */
type DocumentedErrors = Readonly<Record<string, ReadonlyArray<Documentation>>>

interface Docs {
  readonly methods: Documented
  readonly events?: Documented
  readonly errors?: DocumentedErrors
}

/** An item of an ABI, as far as we look at it. */
export interface AbiItem {
  readonly type: string
  readonly name?: string
  readonly inputs?: ReadonlyArray<{
    readonly name: string
    readonly type: string
    readonly components?: AbiItem["inputs"]
  }>
}

interface Compiled {
  readonly abi: ReadonlyArray<AbiItem>
  readonly devdoc: Docs
  readonly userdoc: Docs
  readonly evm: { readonly bytecode: { readonly object: string } }
}

/** A contract as solc gives it. */
export interface Contract extends Compiled {
  readonly name: string
  readonly path: string
}

interface Output {
  readonly errors?: ReadonlyArray<{ readonly severity: string; readonly formattedMessage: string }>
  readonly contracts?: Readonly<Record<string, Readonly<Record<string, Compiled>>>>
}

/** What the compiler is asked: the same settings are what an explorer needs to verify a deployment. */
export const settings = {
  optimizer: { enabled: true, runs: 1_000_000 },
  viaIR: true,
  evmVersion: "prague",
  metadata: { bytecodeHash: "none", appendCBOR: false }
}

/** What differs for contracts that are not shipped. */
export interface Options {
  /** The optimizer that is better and slower; on where absent. */
  readonly viaIR?: boolean
  /** Whether warnings are let pass, as in the code of others. */
  readonly warnings?: boolean
}

/** Contracts that are compiled together, and where their TypeScript goes. */
export interface Group {
  readonly sources: ReadonlyArray<string>
  readonly generated: string
  readonly options: Options
}

/** What the package is made of, and what only its tests deploy. The latter need not be good code, only soon. */
export const groups: ReadonlyArray<Group> = [
  { sources: ["contracts/*.sol", "contracts/testing/*.sol"], generated: "src/generated", options: {} },
  { sources: ["contracts/test/*.sol"], generated: "test/generated", options: { viaIR: false } }
]

/** The contracts of the named files: those that can be deployed. */
export const compile = (
  paths: ReadonlyArray<string>,
  { viaIR = settings.viaIR, warnings = false }: Options = {}
): ReadonlyArray<Contract> => {
  const wanted = { "*": ["abi", "devdoc", "userdoc", "evm.bytecode.object"] }
  const input = {
    language: "Solidity",
    sources: Object.fromEntries(
      paths.map((path) => {
        const found = load(path)
        if ("error" in found) throw new Error(found.error)
        return [path, { content: found.contents }]
      })
    ),
    settings: { ...settings, viaIR, outputSelection: Object.fromEntries(paths.map((path) => [path, wanted])) }
  }
  const { contracts = {}, errors = [] } = JSON.parse(solcCompile(JSON.stringify(input), { import: load })) as Output
  const problems = errors.filter(({ severity }) => severity === "error" || (severity === "warning" && !warnings))
  if (problems.length > 0) throw new Error(problems.map(({ formattedMessage }) => formattedMessage).join("\n"))
  return paths.flatMap((path) => {
    const name = basename(path, ".sol")
    const contract = contracts[path]?.[name]
    return contract === undefined || contract.evm.bytecode.object === "" ? [] : [{ ...contract, name, path }]
  })
}

/** The contracts of a group. */
export const compileGroup = ({ options, sources }: Group): ReadonlyArray<Contract> =>
  compile(globSync([...sources], { cwd: root }).toSorted(), options)

const textOf = ({ abi, evm, path }: Contract): string =>
  `/** Made of ${path} by \`pnpm compile\`; do not edit. */
export const abi = ${JSON.stringify(abi, undefined, 2)} as const

export const bytecode = "0x${evm.bytecode.object}"
`

/** Writes the TypeScript of every contract, and removes that of others. */
const write = (group: Group): void => {
  const contracts = compileGroup(group)
  const folder = join(root, group.generated)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  for (const contract of contracts) {
    writeFileSync(join(folder, `${contract.name}.ts`), textOf(contract))
    process.stdout.write(`${contract.name}: ${contract.evm.bytecode.object.length / 2} bytes\n`)
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) groups.forEach(write)
