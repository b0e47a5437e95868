/** Bounds on what tools return, so that no service can fill a model's context. */
import type { JsonSchema, ObjectSchema } from "./JsonSchema.js"
import { cleanFields, isUntrusted, maxLength } from "./untrusted.js"

/** The maximum number of entries in a list. */
export const maxItems = 100

/** The maximum length of a text that is not marked as untrusted, in characters. */
const maxText = 1_000

/** The maximum size of a result as JSON, in characters. */
export const maxSize = 100_000

/** Shortens a text. Half of a surrogate pair does not stay. */
const shorten = (text: string): string =>
  text.length <= maxText ? text : `${text.slice(0, maxText - 1).replace(/[\uD800-\uDBFF]$/, "")}…`

/** Keeps the first entries of every list, and counts the others by the field that holds the list. */
const cut = (value: unknown, most: number, leftOut: Map<string, number>, name = ""): unknown => {
  if (typeof value === "string") return shorten(value)
  if (typeof value !== "object" || value === null) return value
  if (!Array.isArray(value)) {
    return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, cut(field, most, leftOut, key)]))
  }
  if (value.length > most) leftOut.set(name, (leftOut.get(name) ?? 0) + value.length - most)
  return value.slice(0, most).map((item) => cut(item, most, leftOut, name))
}

/** A value within the bounds. */
interface Bounded<A> {
  readonly value: A
  /** What was left out, for example `5900 of chains`, or `undefined`. */
  readonly leftOut: string | undefined
}

/** Cleans all untrusted texts in a value, and leaves out what exceeds the bounds. */
export const toBounded = <A>(value: A): Bounded<A> => {
  const cleaned = cleanFields(value)
  for (let most = maxItems; ; most = Math.floor(most / 2)) {
    const counts = new Map<string, number>()
    const bounded = cut(cleaned, most, counts)
    // Lists can be nested, so that bounds on each of them do not bound the result.
    if (most > 1 && JSON.stringify(bounded).length > maxSize) continue
    const parts = [...counts].map(([name, count]) => `${count} of ${name}`)
    return { value: bounded as A, leftOut: parts.length === 0 ? undefined : parts.join(", ") }
  }
}

const boundedSchema = (schema: JsonSchema, name = ""): JsonSchema => {
  const { enum: values, items, properties, type } = schema
  switch (type) {
    case "string":
      return values === undefined ? { maxLength: isUntrusted(name) ? maxLength : maxText, ...schema } : schema
    case "array":
      return { maxItems, ...schema, ...(items !== undefined && { items: boundedSchema(items, name) }) }
    case "object":
      return { ...schema, ...(properties !== undefined && { properties: boundedProperties(properties) }) }
    default:
      return schema
  }
}

const boundedProperties = (properties: Readonly<Record<string, JsonSchema>>): Readonly<Record<string, JsonSchema>> =>
  Object.fromEntries(Object.entries(properties).map(([name, property]) => [name, boundedSchema(property, name)]))

/** Adds the bounds to the schema of an output, and the field that says what was left out. */
export const toBoundedSchema = (schema: ObjectSchema): ObjectSchema => ({
  ...schema,
  properties: {
    ...boundedProperties(schema.properties),
    leftOut: {
      type: "string",
      description: "How many entries of which lists were left out, because the result would be too long",
      maxLength: maxText
    }
  }
})
