/** Codecs for values that services encode in more than one way. */
import * as Schema from "effect/Schema"
import * as SchemaTransformation from "effect/SchemaTransformation"

/**
 * Creates a codec that decodes every form that `from` accepts into the type of `to`, and always encodes to the same
 * form.
 */
export const lenient = <From extends Schema.Constraint, To extends Schema.Constraint>(
  from: From,
  to: To,
  decode: (wire: From["Type"]) => To["Encoded"],
  encode: (value: To["Encoded"]) => From["Type"] = (value) => value
): Schema.decodeTo<To, From> =>
  Schema.decodeTo(to, SchemaTransformation.transform({ decode, encode }) as never)(from) as never

/** An optional string. */
export const optionalString = Schema.optionalKey(Schema.String)

/** A non-negative safe integer. */
export const Index = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }))

/** A finite number, or a string such as "12.5". Encoded as a number. */
export const Numeric = lenient(
  Schema.Union([Schema.Finite, Schema.String.check(Schema.isPattern(/^-?\d{1,15}(\.\d{1,15})?$/))]),
  Schema.Finite,
  Number
)

/** A non-negative integer as a number, a decimal string or a hex string. Encoded as a number. */
export const Integer = lenient(
  Schema.Union([Index, Schema.String.check(Schema.isPattern(/^(\d{1,16}|0x[0-9a-fA-F]{1,13})$/))]),
  Index,
  Number
)
