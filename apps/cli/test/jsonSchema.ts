/** Validates values against the schemas in docs/cli.md. An unsupported schema keyword is an error. */
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

/** The schemas by name. */
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

const objectErrors = (schema: JsonSchema, value: Readonly<Record<string, unknown>>, path: string) => {
  const { properties = {}, required = [] } = schema
  return [
    ...required.filter((name) => !Object.hasOwn(value, name)).map((name) => `${path}.${name} is missing`),
    ...Object.entries(value).flatMap(([name, inner]) => {
      const known = properties[name]
      if (known !== undefined) return errorsOf(known, inner, `${path}.${name}`)
      return schema.additionalProperties === false ? [`${path}.${name} is unknown`] : []
    })
  ]
}

const errorsOf = (schema: JsonSchema, value: unknown, path: string): ReadonlyArray<string> => {
  const unknown = Object.keys(schema).find((keyword) => !keywords.has(keyword))
  if (unknown !== undefined) throw new Error(`The schema keyword ${unknown} is not supported.`)
  if (schema.$ref !== undefined) return schemaErrors(schema.$ref, value, path)
  if (schema.oneOf !== undefined) {
    const tried = schema.oneOf.map((one) => errorsOf(one, value, path))
    return tried.filter((found) => found.length === 0).length === 1
      ? []
      : [`${path} matches none or several of the alternatives`, ...tried.flat()]
  }
  if (schema.type !== undefined && !hasType(schema.type, value)) return [`${path} is not of type ${schema.type}`]
  if ("const" in schema && value !== schema.const) return [`${path} is not ${String(schema.const)}`]
  if (schema.enum !== undefined && !schema.enum.includes(value))
    return [`${path} is not one of ${schema.enum.join(", ")}`]
  if (schema.pattern !== undefined && !(typeof value === "string" && new RegExp(schema.pattern, "u").test(value))) {
    return [`${path} does not match ${schema.pattern}`]
  }
  const { items } = schema
  if (items !== undefined && Array.isArray(value)) {
    return value.flatMap((inner, at) => errorsOf(items, inner, `${path}[${at}]`))
  }
  return isObject(value) ? objectErrors(schema, value, path) : []
}

/** Returns the errors of a value against a schema in docs/cli.md; empty if it is valid. */
export const schemaErrors = (name: string, value: unknown, path = name): ReadonlyArray<string> => {
  const schema = schemas.get(name)
  if (schema === undefined) throw new Error(`docs/cli.md has no schema ${name}.`)
  return errorsOf(schema, value, path)
}
