/** Compiles the contracts with solc from npm and writes their ABI and bytecode as TypeScript. */
import { createHash } from "node:crypto"
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { basename, join } from "node:path"
import { fileURLToPath } from "node:url"
import solc from "solc"

const root = fileURLToPath(new URL("..", import.meta.url))

const require = createRequire(import.meta.url)

/** The compiler. Its type is declared here, because solc's own type declarations lack it. */
const compiler = solc as {
  readonly compile: (input: string, callbacks: { readonly import: typeof load }) => string
  readonly version: () => string
}

/** Loads the source files of this package, and loads the source files of dependencies from node_modules. */
const load = (path: string): { contents: string } | { error: string } => {
  try {
    const file = path.startsWith("@") ? require.resolve(path) : join(root, path)
    return { contents: readFileSync(file, "utf8") }
  } catch (error) {
    return { error: String(error) }
  }
}

/** The documentation that solc outputs for a function, an event or an error. */
export interface Documentation {
  readonly notice?: string
  readonly params?: Readonly<Record<string, string>>
}

type Documented = Readonly<Record<string, Documentation>>
/** The documentation of errors. For each error signature, solc outputs a list. */
type DocumentedErrors = Readonly<Record<string, ReadonlyArray<Documentation>>>

interface Docs {
  readonly methods: Documented
  readonly events?: Documented
  readonly errors?: DocumentedErrors
}

/** The fields of an ABI item that the scripts and tests use. */
export interface AbiItem {
  readonly type: string
  readonly name?: string
  readonly inputs?: ReadonlyArray<{
    readonly name: string
    readonly type: string
    readonly components?: AbiItem["inputs"]
  }>
}

/** A contract's interface, as analyzed by solc. */
export interface Interface {
  readonly name: string
  readonly path: string
  readonly abi: ReadonlyArray<AbiItem>
  readonly devdoc: Docs
  readonly userdoc: Docs
}

/** A contract as compiled by solc. */
export interface Contract extends Interface {
  readonly evm: { readonly bytecode: { readonly object: string } }
}

interface Output {
  readonly errors?: ReadonlyArray<{ readonly severity: string; readonly formattedMessage: string }>
  readonly contracts?: Readonly<Record<string, Readonly<Record<string, Contract>>>>
}

/** The compiler settings. A block explorer needs the same settings to verify a deployment. */
export const settings = {
  optimizer: { enabled: true, runs: 1_000_000 },
  viaIR: true,
  evmVersion: "prague",
  metadata: { bytecodeHash: "none", appendCBOR: false }
}

/** Options for contracts that are not published. Published contracts use the defaults. */
export interface Options {
  /** Whether to compile through the IR, which optimizes better but is slower (default: true). */
  readonly viaIR?: boolean
  /** The settings of the optimizer (default: those of the published contracts). */
  readonly optimizer?: object
  /** Whether to allow compiler warnings, which third-party code may cause (default: false). */
  readonly warnings?: boolean
  /** Returns the contents to compile instead of a file, which does not have to exist (default: all files as they are). */
  readonly contentsOf?: (path: string) => string | undefined
}

/** Contracts that are compiled together, and the folder for the generated TypeScript. */
export interface Group {
  readonly sources: ReadonlyArray<string>
  readonly generated: string
  readonly options: Options
}

/**
 * The published contracts, and the contracts that only tests use. The latter are compiled without the slow optimizer.
 */
export const groups: ReadonlyArray<Group> = [
  { sources: ["contracts/*.sol", "contracts/testing/*.sol"], generated: "src/generated", options: {} },
  { sources: ["contracts/test/*.sol"], generated: "test/generated", options: { viaIR: false } }
]

const interfaceOutputs = ["abi", "devdoc", "userdoc"]

/** Runs solc. Returns the contracts that have the name of their file, and every source that solc read. */
const run = (
  paths: ReadonlyArray<string>,
  { contentsOf = () => undefined, optimizer = settings.optimizer, viaIR = settings.viaIR, warnings = false }: Options,
  outputs: ReadonlyArray<string>
) => {
  const sources = new Map<string, string>()
  const find: typeof load = (path) => {
    const contents = contentsOf(path)
    const found = contents === undefined ? load(path) : { contents }
    if ("contents" in found) sources.set(path, found.contents)
    return found
  }
  const input = {
    language: "Solidity",
    sources: Object.fromEntries(
      paths.map((path) => {
        const found = find(path)
        if ("error" in found) throw new Error(found.error)
        return [path, { content: found.contents }]
      })
    ),
    settings: {
      ...settings,
      optimizer,
      viaIR,
      outputSelection: Object.fromEntries(paths.map((path) => [path, { "*": outputs }]))
    }
  }
  const { contracts = {}, errors = [] } = JSON.parse(
    compiler.compile(JSON.stringify(input), { import: find })
  ) as Output
  const problems = errors.filter(({ severity }) => severity === "error" || (severity === "warning" && !warnings))
  if (problems.length > 0) throw new Error(problems.map(({ formattedMessage }) => formattedMessage).join("\n"))
  const named = paths.flatMap((path) => {
    const name = basename(path, ".sol")
    const contract = contracts[path]?.[name]
    return contract === undefined ? [] : [{ ...contract, name, path }]
  })
  return { contracts: named, sources }
}

/** Compiles Solidity files and returns the deployable contracts. */
export const compile = (paths: ReadonlyArray<string>, options: Options = {}): ReadonlyArray<Contract> =>
  run(paths, options, [...interfaceOutputs, "evm.bytecode.object"]).contracts.filter(
    ({ evm }) => evm.bytecode.object !== ""
  )

const pathsOf = ({ sources }: Group) => globSync([...sources], { cwd: root }).toSorted()

/** Compiles the contracts in a group. */
export const compileGroup = (group: Group): ReadonlyArray<Contract> => compile(pathsOf(group), group.options)

/** Analyzes the contracts in a group without generating code, which takes most of the time of compiling. */
export const analyzeGroup = (group: Group) => {
  const { contracts, sources } = run(pathsOf(group), group.options, interfaceOutputs)
  return {
    contracts: contracts as ReadonlyArray<Interface>,
    /** A hash of the code of each contract, by name, and of everything that it was compiled from. */
    fingerprint: (code: Readonly<Record<string, string>>): string => {
      const files = [...sources, ...Object.entries(code)].map((entry) => JSON.stringify(entry)).toSorted()
      const parts = [compiler.version(), settings, group.options, files]
      return createHash("sha256").update(JSON.stringify(parts)).digest("hex")
    }
  }
}

/** The fingerprint of each group, by the folder of the generated TypeScript. */
const fingerprints = join(root, "test/bytecode.snapshot.json")

const textOf = ({ abi, evm, path }: Contract): string =>
  `/** Generated from ${path} by \`pnpm compile\`. Do not edit. */
export const abi = ${JSON.stringify(abi, undefined, 2)} as const

export const bytecode = "0x${evm.bytecode.object}"
`

/** Writes a TypeScript file for each contract in a group, removes old files from the folder, and returns a fingerprint. */
const write = (group: Group): string => {
  const contracts = compileGroup(group)
  const folder = join(root, group.generated)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  for (const contract of contracts) {
    writeFileSync(join(folder, `${contract.name}.ts`), textOf(contract))
    process.stdout.write(`${contract.name}: ${contract.evm.bytecode.object.length / 2} bytes\n`)
  }
  return analyzeGroup(group).fingerprint(
    Object.fromEntries(contracts.map(({ evm, name }) => [name, `0x${evm.bytecode.object}`]))
  )
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const written = Object.fromEntries(groups.map((group) => [group.generated, write(group)]))
  writeFileSync(fingerprints, `${JSON.stringify(written, undefined, 2)}\n`)
}
