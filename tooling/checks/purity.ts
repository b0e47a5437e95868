/**
 * Checks that the packages for every runtime import only their own files, declared dependencies and Effect's stable
 * modules, and keep no module state. A Node-only entry point may use Node and keep state. `.oxlintrc.json` lists the
 * forbidden globals.
 */
import { existsSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { parseSync } from "rolldown/utils"
import { publishedPackages, read, type Report, sourceFiles, tooling } from "../workspace.ts"

const pure = [
  "@geoswap/core",
  "@geoswap/react",
  "@geoswap/signer-evm",
  "@geoswap/signer-solana",
  "@geoswap/tools",
  "@geoswap/transport-fetch"
]

/** The Node-only entry points. They may use Node's modules and keep state, and no other file may import them. */
const forNode = ["packages/core/src/node"]

const isForNode = (path: string): boolean =>
  forNode.some((entry) => path === `${entry}.ts` || path.startsWith(`${entry}/`))

/** Why an Effect module must not be imported, or `undefined` if the import is allowed. */
export const refuseEffect = (specifier: string, source: string): string | undefined => {
  if (specifier === "effect") return "import the module itself, such as effect/Effect"
  const path = join(source, specifier.slice("effect/".length))
  if (existsSync(join(path, "index.ts"))) return "import the module itself, not the folder's index"
  if (!existsSync(`${path}.ts`)) return "effect has no such module"
  // The first comment of an Effect module states its stability.
  const header = /^(?:\/\/\/.*\n|\s)*\/\*\*[\s\S]*?\*\//.exec(readFileSync(`${path}.ts`, "utf8"))?.[0] ?? ""
  const stability = /@stability (\w+)/.exec(header)?.[1] ?? "not documented"
  return stability === "stable" ? undefined : `the module is ${stability}`
}

interface Module {
  readonly path: string
  readonly text: string
  readonly dependencies: ReadonlyArray<string>
  readonly effectSource: string
}

/** Returns the problems in one source file. */
export const inspect = ({ dependencies, effectSource, path, text }: Module): ReadonlyArray<string> => {
  const { module, program } = parseSync(path, text)
  const at = (offset: number) => `${path}:${text.slice(0, offset).split("\n").length}`

  const imports = [
    ...module.staticImports.map(({ moduleRequest }) => moduleRequest),
    ...module.staticExports.flatMap(({ entries }) => entries.flatMap((entry) => entry.moduleRequest ?? []))
  ].map(({ start, value }) => ({ start, specifier: value }))
  const dynamic = [
    ...module.dynamicImports.map(({ moduleRequest }) => moduleRequest.start),
    ...[...text.matchAll(/\bimport\((?=["'])/g)].map(({ 0: match, index }) => index + match.length)
  ].map((start) => ({ start, specifier: /^["']([^"']*)/.exec(text.slice(start))?.[1] ?? "(computed)" }))

  const inNode = isForNode(path)
  const refuse = (specifier: string): string | undefined => {
    if (specifier.startsWith("./") || specifier.startsWith("../")) {
      const imported = join(dirname(path), specifier.replace(/\.js$/, ".ts"))
      return isForNode(imported) && !inNode ? "only the Node entry point may import it" : undefined
    }
    if (inNode && specifier.startsWith("node:")) return undefined
    const name = specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/")
    if (!dependencies.includes(name)) return "not a dependency or peer of this package"
    return name === "effect" ? refuseEffect(specifier, effectSource) : undefined
  }
  const imported = [...imports, ...dynamic].flatMap(({ specifier, start }) => {
    const reason = refuse(specifier)
    return reason === undefined ? [] : [`${at(start)}: imports "${specifier}": ${reason}`]
  })

  const state = (inNode ? [] : program.body).flatMap((node) => {
    const declaration = node.type === "ExportNamedDeclaration" ? node.declaration : node
    if (declaration?.type !== "VariableDeclaration" || declaration.declare === true) return []
    if (declaration.kind === "let" || declaration.kind === "var") {
      return [`${at(declaration.start)}: a top-level ${declaration.kind} is module state`]
    }
    return declaration.declarations.flatMap(({ init }) => {
      const emptyContainer =
        (init?.type === "NewExpression" && init.arguments.length === 0 && init.callee.type === "Identifier") ||
        (init?.type === "ArrayExpression" && init.elements.length === 0) ||
        (init?.type === "ObjectExpression" && init.properties.length === 0)
      return emptyContainer ? [`${at(declaration.start)}: an empty container at the top level is module state`] : []
    })
  })
  const now = [...text.matchAll(/\bnew Date\(\s*\)/g)].map(
    ({ index }) => `${at(index)}: reads the clock. Use effect/Clock`
  )
  return [...new Set([...imported, ...state, ...now])]
}

export const check = (): Report => {
  const effectSource = join(tooling, "node_modules/effect/src")
  const files = sourceFiles().filter((path) => path.endsWith(".ts"))
  const modules = publishedPackages()
    .filter(({ name }) => pure.includes(name))
    .flatMap(({ dependencies, path: folder }) =>
      files.filter((path) => path.startsWith(`${folder}/src/`)).map((path) => ({ dependencies, effectSource, path }))
    )
  return {
    problems: modules.flatMap((module) => inspect({ ...module, text: read(module.path) })),
    summary: `${modules.length} modules in ${pure.join(", ")}: only stable imports, no state; Node modules only in ${forNode.join(", ")}`
  }
}
