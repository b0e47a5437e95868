/** A property of every model: it survives encoding to JSON and decoding. */
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

/**
 * The value without what JSON cannot represent: negative zeros, and keys with an escape
 * sequence, which V8 misreads once it has seen an object with a single backslash as a key.
 */
const carried = (value: unknown): unknown => {
  if (Object.is(value, -0)) return 0
  if (Array.isArray(value)) return value.map(carried)
  if (typeof value !== "object" || value === null || value instanceof Date) return value
  // `fromEntries` defines its keys, so that an own `__proto__` is kept.
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => JSON.stringify(key) === `"${key}"`)
      .map(([key, inner]) => [key, carried(inner)])
  )
}

/** Encodes a value to JSON and decodes it again. */
const overTheWire = <A, I>(schema: Schema.Codec<A, I>, value: A): Effect.Effect<A, Schema.SchemaError> =>
  Schema.encodeEffect(schema)(value).pipe(
    Effect.map((wire) => JSON.parse(JSON.stringify(wire)) as unknown),
    Effect.flatMap(Schema.decodeUnknownEffect(schema))
  )

/** A property: any value of the model, or any of `values`, survives encoding and decoding. */
export const survivesTheWire = <A, I>(
  name: string,
  schema: Schema.Codec<A, I>,
  runs = 200,
  values: Schema.Schema<A> = schema
) =>
  it.effect.prop(
    `any ${name} survives encoding and decoding as JSON`,
    [values],
    ([value]) => Effect.map(overTheWire(schema, value), (back) => expect(carried(back)).toStrictEqual(carried(value))),
    { arbitrary: { runs } }
  )

/** Decodes a value, or fails the test. */
export const decoded = <A, I>(schema: Schema.Codec<A, I>, wire: unknown): A => Schema.decodeUnknownSync(schema)(wire)

/** Whether decoding refuses a value. */
export const refuses = <A, I>(schema: Schema.Codec<A, I>, wire: unknown): boolean =>
  Schema.decodeUnknownOption(schema)(wire)._tag === "None"
