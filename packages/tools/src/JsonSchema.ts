/** JSON schemas for the inputs and outputs of tools, with their TypeScript types and a validator. */

// Type aliases, unlike interfaces, are assignable to records of unknown values, which other libraries expect.

/** The part of JSON Schema (draft 2020-12 and draft 7) that the tools use. */
export type JsonSchema = {
  readonly type: "object" | "array" | "string" | "number" | "integer" | "boolean"
  readonly description?: string
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: ReadonlyArray<string>
  readonly additionalProperties?: boolean
  readonly items?: JsonSchema
  readonly enum?: ReadonlyArray<string>
  readonly pattern?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly maxItems?: number
  readonly minimum?: number
  readonly maximum?: number
}

/** The schema of an object. MCP requires one for the input and the output of a tool. */
export type ObjectSchema = JsonSchema & {
  readonly type: "object"
  readonly properties: Readonly<Record<string, JsonSchema>>
  readonly required: ReadonlyArray<string>
  readonly additionalProperties: false
}

/** A schema and the type that it describes. The property `~type` exists only in the types. */
export interface Typed<A, S extends JsonSchema = JsonSchema> {
  readonly schema: S
  readonly "~type"?: A
}

/** An optional field of an object. */
export interface OptionalField<A> extends Typed<A> {
  readonly optional: true
}

type Fields = Readonly<Record<string, Typed<unknown>>>

type Flat<A> = { readonly [K in keyof A]: A[K] }

/** The type that a schema describes. */
export type TypeOf<S> = S extends Typed<infer A> ? A : never

type ObjectOf<F extends Fields> = Flat<
  { [K in keyof F as F[K] extends OptionalField<unknown> ? never : K]: TypeOf<F[K]> } & {
    [K in keyof F as F[K] extends OptionalField<unknown> ? K : never]?: TypeOf<F[K]> | undefined
  }
>

type Options = Omit<
  JsonSchema,
  "type" | "properties" | "required" | "additionalProperties" | "items" | "enum" | "description"
>

const describedBy = (description: string | undefined) => description !== undefined && { description }

type Scalar<A> = (description?: string, options?: Options) => Typed<A>

const scalar =
  <A>(type: JsonSchema["type"]): Scalar<A> =>
  (description, options) => ({ schema: { type, ...describedBy(description), ...options } })

/** Describes a string. */
export const string: Scalar<string> = scalar("string")

/** Describes a number. */
export const number: Scalar<number> = scalar("number")

/** Describes a whole number. */
export const integer: Scalar<number> = scalar("integer")

/** Describes `true` or `false`. */
export const boolean: Scalar<boolean> = scalar("boolean")

/** Describes a string that is one of several values. */
export const oneOf = <const A extends string>(values: ReadonlyArray<A>, description?: string): Typed<A> => ({
  schema: { type: "string", enum: values, ...describedBy(description) }
})

/** Describes a list. */
export const array = <A>(items: Typed<A>, description?: string): Typed<ReadonlyArray<A>> => ({
  schema: { type: "array", items: items.schema, ...describedBy(description) }
})

/** Marks a field as optional. */
export const optional = <A>({ schema }: Typed<A>): OptionalField<A> => ({ schema, optional: true })

/** Describes an object without further properties. */
export const object = <const F extends Fields>(fields: F, description?: string): Typed<ObjectOf<F>, ObjectSchema> => {
  const entries = Object.entries(fields)
  return {
    schema: {
      type: "object",
      ...describedBy(description),
      properties: Object.fromEntries(entries.map(([name, { schema }]) => [name, schema])),
      required: entries.flatMap(([name, field]) => ("optional" in field ? [] : [name])),
      additionalProperties: false
    }
  }
}

const describe = ({ enum: values, maximum, minimum, pattern, type }: JsonSchema): string => {
  if (values !== undefined) return `one of ${values.join(", ")}`
  const range = [minimum !== undefined && `from ${minimum}`, maximum !== undefined && `up to ${maximum}`].filter(
    Boolean
  )
  const article = /^[aio]/.test(type) ? "an" : "a"
  return [`${article} ${type}`, ...range, pattern !== undefined && `that matches ${pattern}`].filter(Boolean).join(" ")
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const fitsString = (value: string, { enum: values, maxLength, minLength, pattern }: JsonSchema): boolean =>
  (values?.includes(value) ?? true) &&
  [...value].length >= (minLength ?? 0) &&
  [...value].length <= (maxLength ?? Infinity) &&
  (pattern === undefined || new RegExp(pattern, "u").test(value))

const fitsNumber = (value: number, { maximum, minimum, type }: JsonSchema): boolean =>
  Number.isFinite(value) &&
  (type === "number" || Number.isInteger(value)) &&
  value >= (minimum ?? -Infinity) &&
  value <= (maximum ?? Infinity)

const objectProblems = (schema: JsonSchema, value: Readonly<Record<string, unknown>>, path: string) => {
  const { properties = {}, required = [] } = schema
  const at = (name: string) => (path === "" ? name : `${path}.${name}`)
  const known = Object.keys(properties)
  return [
    ...required.filter((name) => value[name] === undefined).map((name) => `${at(name)} is missing.`),
    ...Object.entries(value).flatMap(([name, field]) => {
      const expected = Object.hasOwn(properties, name) ? properties[name] : undefined
      if (expected !== undefined) return field === undefined ? [] : problemsOf(expected, field, at(name))
      // The name comes from the caller, and it is not repeated: it could be a long text.
      return [`${path === "" ? "The input" : path} has an unknown field. Known fields: ${known.join(", ") || "none"}.`]
    })
  ]
}

/** Returns the problems of a value, one sentence each. The value itself is not repeated. */
export const problemsOf = (schema: JsonSchema, value: unknown, path = ""): ReadonlyArray<string> => {
  const invalid = [`${path === "" ? "The input" : path} is invalid: expected ${describe(schema)}.`]
  switch (schema.type) {
    case "object":
      return isObject(value) ? [...new Set(objectProblems(schema, value, path))] : invalid
    case "array":
      return Array.isArray(value) && value.length <= (schema.maxItems ?? Infinity)
        ? value.flatMap((item, at) => (schema.items ? problemsOf(schema.items, item, `${path}[${at}]`) : []))
        : invalid
    case "string":
      return typeof value === "string" && fitsString(value, schema) ? [] : invalid
    case "boolean":
      return typeof value === "boolean" ? [] : invalid
    case "number":
    case "integer":
      return typeof value === "number" && fitsNumber(value, schema) ? [] : invalid
  }
}
