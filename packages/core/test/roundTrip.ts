/** What holds for every model of the wire: nothing is lost on the way through JSON text and back. */
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

/**
 * The same value without what JSON text cannot carry: negative zeros, for which it has no word, and keys with an escape
 * in them, which V8 misreads once it has seen an object with a lone backslash for a key.
 */
const carried = (value: unknown): unknown => {
  if (Object.is(value, -0)) return 0
  if (Array.isArray(value)) return value.map(carried)
  if (typeof value !== "object" || value === null || value instanceof Date) return value
  // `fromEntries` defines its keys, so that an own `__proto__` stays one.
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => JSON.stringify(key) === `"${key}"`)
      .map(([key, inner]) => [key, carried(inner)])
  )
}

/** Through the wire: encode, write as JSON, parse, decode. */
const overTheWire = <A, I>(schema: Schema.Codec<A, I>, value: A): Effect.Effect<A, Schema.SchemaError> =>
  Schema.encodeEffect(schema)(value).pipe(
    Effect.map((wire) => JSON.parse(JSON.stringify(wire)) as unknown),
    Effect.flatMap(Schema.decodeUnknownEffect(schema))
  )

/** A property: any value of the model, or any of `values`, comes back from the wire as it went. */
export const survivesTheWire = <A, I>(
  name: string,
  schema: Schema.Codec<A, I>,
  runs = 200,
  values: Schema.Schema<A> = schema
) =>
  it.effect.prop(
    `any ${name} comes back from JSON text as it went`,
    [values],
    ([value]) => Effect.map(overTheWire(schema, value), (back) => expect(carried(back)).toStrictEqual(carried(value))),
    { arbitrary: { runs } }
  )

/** The decoded value of a wire value; fails the test where there is none. */
export const decoded = <A, I>(schema: Schema.Codec<A, I>, wire: unknown): A => Schema.decodeUnknownSync(schema)(wire)

/** Whether a wire value is refused. */
export const refuses = <A, I>(schema: Schema.Codec<A, I>, wire: unknown): boolean =>
  Schema.decodeUnknownOption(schema)(wire)._tag === "None"
