/** The schemas of docs/cli.md, and what of a value does not fit one. A keyword that is not known here is a mistake. */
import { readFileSync } from "node:fs"

interface JsonSchema {
  readonly $ref?: string
  readonly type?: "object" | "array" | "string" | "number" | "integer" | "boolean"
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: ReadonlyArray<string>
  readonly additionalProperties?: false
  readonly items?: JsonSchema
  readonly enum?: ReadonlyArray<unknown>
  readonly const?: unknown
  readonly pattern?: string
  readonly oneOf?: ReadonlyArray<JsonSchema>
}

const keywords = new Set([
  "$ref",
  "type",
  "properties",
  "required",
  "additionalProperties",
  "items",
  "enum",
  "const",
  "pattern",
  "oneOf"
])

const page = readFileSync(new URL("../../../docs/cli.md", import.meta.url), "utf8")

/** The schemas by their names. */
export const schemas: ReadonlyMap<string, JsonSchema> = new Map(
  [...page.matchAll(/^```json (cli-[a-z-]+)\n(.*?)^```$/gms)].map(([, name = "", text = ""]) => [
    name,
    JSON.parse(text) as JsonSchema
  ])
)

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const hasType = (type: NonNullable<JsonSchema["type"]>, value: unknown): boolean => {
  switch (type) {
    case "object":
      return isObject(value)
    case "array":
      return Array.isArray(value)
    case "integer":
      return Number.isInteger(value)
    default:
      return typeof value === type
  }
}

const ofObject = (schema: JsonSchema, value: Readonly<Record<string, unknown>>, path: string) => {
  const { properties = {}, required = [] } = schema
  return [
    ...required.filter((name) => !Object.hasOwn(value, name)).map((name) => `${path}.${name} is missing`),
    ...Object.entries(value).flatMap(([name, inner]) => {
      const known = properties[name]
      if (known !== undefined) return mistakes(known, inner, `${path}.${name}`)
      return schema.additionalProperties === false ? [`${path}.${name} is not known`] : []
    })
  ]
}

const mistakes = (schema: JsonSchema, value: unknown, path: string): ReadonlyArray<string> => {
  const unknown = Object.keys(schema).find((keyword) => !keywords.has(keyword))
  if (unknown !== undefined) throw new Error(`The keyword ${unknown} is not known.`)
  if (schema.$ref !== undefined) return mistakesOf(schema.$ref, value, path)
  if (schema.oneOf !== undefined) {
    const tried = schema.oneOf.map((one) => mistakes(one, value, path))
    return tried.filter((found) => found.length === 0).length === 1
      ? []
      : [`${path} fits none, or several`, ...tried.flat()]
  }
  if (schema.type !== undefined && !hasType(schema.type, value)) return [`${path} is no ${schema.type}`]
  if ("const" in schema && value !== schema.const) return [`${path} is not ${String(schema.const)}`]
  if (schema.enum !== undefined && !schema.enum.includes(value)) return [`${path} is none of ${schema.enum.join(", ")}`]
  if (schema.pattern !== undefined && !(typeof value === "string" && new RegExp(schema.pattern, "u").test(value))) {
    return [`${path} is not as ${schema.pattern}`]
  }
  const { items } = schema
  if (items !== undefined && Array.isArray(value)) {
    return value.flatMap((inner, at) => mistakes(items, inner, `${path}[${at}]`))
  }
  return isObject(value) ? ofObject(schema, value, path) : []
}

/** What of a value does not fit a schema of the page; empty where all does. */
export const mistakesOf = (name: string, value: unknown, path = name): ReadonlyArray<string> => {
  const schema = schemas.get(name)
  if (schema === undefined) throw new Error(`docs/cli.md has no schema ${name}.`)
  return mistakes(schema, value, path)
}
