/**
 * `node api.ts`: writes the API reference to `docs/typedoc`, as one Markdown page for each entry point and namespace of
 * the SDK. The reference describes the built declarations, because they are what users import.
 */
import { readFileSync } from "node:fs"
import { join, relative } from "node:path"
import {
  Application,
  Comment,
  type Context,
  Converter,
  type DeclarationReflection,
  ReflectionKind,
  type SomeType,
  TypeScript as ts
} from "typedoc"
import { ModuleRouter, type PluginOptions } from "typedoc-plugin-markdown"
import { publishedPackages, root } from "../../tooling/workspace.ts"

const packages = ["core", "transport-fetch", "signer-evm", "signer-solana", "deployments", "react", "tools"]
const entries = packages.flatMap((name) =>
  publishedPackages()
    .filter((item) => item.name === `@geoswap/${name}`)
    .flatMap((item) => item.entries)
)
const files = entries.map(({ types }) => types)

/** Names the page of a namespace after its import: `@geoswap/core/Quote`. */
class Router extends ModuleRouter {
  override directories = new Map([[ReflectionKind.Namespace, ""]])
  override getFileName(name: string): string {
    return `${name}${this.extension}`
  }
}

const markdown: Partial<PluginOptions> = {
  entryFileName: "README",
  hideBreadcrumbs: true,
  hidePageHeader: true,
  navigationJson: join(root, "docs/typedoc/navigation.json"),
  tableColumnSettings: { hideModifiers: true },
  useCodeBlocks: true,
  classPropertiesFormat: "table",
  indexFormat: "table",
  interfacePropertiesFormat: "table",
  parametersFormat: "table",
  typeAliasPropertiesFormat: "table",
  typeDeclarationFormat: "table"
}

const app = await Application.bootstrapWithPlugins({
  ...markdown,
  plugin: ["typedoc-plugin-markdown"],
  router: "page",
  name: "API reference",
  tsconfig: join(root, "docs/tsconfig.json"),
  entryPoints: files,
  outputs: [{ name: "markdown", path: join(root, "docs/typedoc") }],
  readme: "none",
  disableSources: true,
  excludeExternals: true,
  skipErrorChecking: true,
  sort: ["source-order"],
  sortEntryPoints: false
})
app.renderer.defineRouter("page", Router)
app.options.setCompilerOptions(files, app.options.getCompilerOptions(app.logger), [])

const specifiers = new Map(entries.map(({ specifier, types }) => [relative(root, types), specifier]))

/** Lists the fields of a schema's type (`typeof Quote.Type`) instead of the schema's name. */
app.converter.on(Converter.EVENT_CREATE_DECLARATION, (context: Context, reflection: DeclarationReflection) => {
  const alias = context.getSymbolFromReflection(reflection)?.declarations?.find(ts.isTypeAliasDeclaration)
  if (!reflection.kindOf(ReflectionKind.TypeAlias) || alias === undefined || !ts.isTypeQueryNode(alias.type)) return
  reflection.comment ??= new Comment()
  reflection.comment.modifierTags.add("@useDeclaredType")
})

/** Names entry points as they are imported, and uses the first comment in a source file as the description of its module. */
app.converter.on(Converter.EVENT_RESOLVE_BEGIN, (context: Context) => {
  const kinds = [ReflectionKind.Module, ReflectionKind.Namespace]
  for (const module of kinds.flatMap((kind) => context.project.getReflectionsByKind(kind))) {
    const file = context.getSymbolFromReflection(module)?.declarations?.[0]?.getSourceFile()
    if (file === undefined) continue
    module.name = specifiers.get(relative(root, file.fileName)) ?? module.name
    const source = readFileSync(file.fileName.replace("/dist/", "/src/").replace(/\.d\.ts$/, ".ts"), "utf8")
    const [, text] = /^\/\*\*([\s\S]*?)\*\//.exec(source) ?? []
    if (text !== undefined) {
      module.comment = new Comment([{ kind: "text", text: text.replaceAll(/^ *\* ?/gm, "").trim() }])
    }
  }
})

/** Leaves out the constant that the compiler generates as the base of a class: `NeedsDelegation_base`. */
app.converter.on(Converter.EVENT_RESOLVE_END, (context: Context) => {
  const isGenerated = (type: SomeType) => type.type === "reference" && type.name.includes("_base")
  for (const item of context.project.getReflectionsByKind(ReflectionKind.Class) as Array<DeclarationReflection>) {
    if (item.extendedTypes?.every(isGenerated) !== true) continue
    delete item.extendedTypes
    delete item.typeHierarchy
    for (const member of item.children ?? []) {
      delete member.inheritedFrom
      for (const signature of member.signatures ?? []) delete signature.inheritedFrom
    }
  }
})

const project = await app.convert()
if (project === undefined) process.exit(1)
await app.generateOutputs(project)
if (app.logger.hasErrors()) process.exit(1)
