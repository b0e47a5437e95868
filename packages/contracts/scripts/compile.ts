/** Compiles the contracts with solc from npm and writes their ABI and bytecode as TypeScript. */
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { basename, join } from "node:path"
import { fileURLToPath } from "node:url"
import solc from "solc"

const root = fileURLToPath(new URL("..", import.meta.url))

const require = createRequire(import.meta.url)

/** Typed here, because solc's own types lack it. */
const solcCompile = solc.compile as (input: string, callbacks: { readonly import: typeof load }) => string

/** Loads our sources from this package, and those of dependencies from node_modules. */
const load = (path: string): { contents: string } | { error: string } => {
  try {
    const file = path.startsWith("@") ? require.resolve(path) : join(root, path)
    return { contents: readFileSync(file, "utf8") }
  } catch (error) {
    return { error: String(error) }
  }
}

/** solc's documentation of a function, an event or an error. */
export interface Documentation {
  readonly notice?: string
  readonly params?: Readonly<Record<string, string>>
}

type Documented = Readonly<Record<string, Documentation>>
/** solc has a list of errors per signature. */
type DocumentedErrors = Readonly<Record<string, ReadonlyArray<Documentation>>>

interface Docs {
  readonly methods: Documented
  readonly events?: Documented
  readonly errors?: DocumentedErrors
}

/** The fields of an ABI item that we use. */
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

/** A contract as compiled by solc. */
export interface Contract extends Compiled {
  readonly name: string
  readonly path: string
}

interface Output {
  readonly errors?: ReadonlyArray<{ readonly severity: string; readonly formattedMessage: string }>
  readonly contracts?: Readonly<Record<string, Readonly<Record<string, Compiled>>>>
}

/** The compiler settings. An explorer needs the same ones to verify a deployment. */
export const settings = {
  optimizer: { enabled: true, runs: 1_000_000 },
  viaIR: true,
  evmVersion: "prague",
  metadata: { bytecodeHash: "none", appendCBOR: false }
}

/** Settings for contracts that are not published. */
export interface Options {
  /** Whether to use the better and slower optimizer (default: true). */
  readonly viaIR?: boolean
  /** Whether to allow warnings, as in third-party code. */
  readonly warnings?: boolean
}

/** Contracts that are compiled together, and the folder of their TypeScript. */
export interface Group {
  readonly sources: ReadonlyArray<string>
  readonly generated: string
  readonly options: Options
}

/** The published contracts, and those for tests only, which compile without the slow optimizer. */
export const groups: ReadonlyArray<Group> = [
  { sources: ["contracts/*.sol", "contracts/testing/*.sol"], generated: "src/generated", options: {} },
  { sources: ["contracts/test/*.sol"], generated: "test/generated", options: { viaIR: false } }
]

/** Compiles the files; returns the deployable contracts. */
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

/** Compiles a group. */
export const compileGroup = ({ options, sources }: Group): ReadonlyArray<Contract> =>
  compile(globSync([...sources], { cwd: root }).toSorted(), options)

const textOf = ({ abi, evm, path }: Contract): string =>
  `/** Generated from ${path} by \`pnpm compile\`. Do not edit. */
export const abi = ${JSON.stringify(abi, undefined, 2)} as const

export const bytecode = "0x${evm.bytecode.object}"
`

/** Writes the TypeScript of every contract, and removes old files. */
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
