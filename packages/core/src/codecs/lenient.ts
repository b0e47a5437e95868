/** Values that services write in more than one way. */
import * as Schema from "effect/Schema"
import * as SchemaTransformation from "effect/SchemaTransformation"

/** Reads any form of `from` as a `to`, which is the one form that is sent. */
export const lenient = <From extends Schema.Constraint, To extends Schema.Constraint>(
  from: From,
  to: To,
  decode: (wire: From["Type"]) => To["Encoded"],
  encode: (value: To["Encoded"]) => From["Type"] = (value) => value
): Schema.decodeTo<To, From> =>
  Schema.decodeTo(to, SchemaTransformation.transform({ decode, encode }) as never)(from) as never

/** A text that may be absent. */
export const optionalString = Schema.optionalKey(Schema.String)

/** A non-negative integer that a number holds exactly. */
export const Index = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }))

/** A finite number, or a text of one ("12.5"). Sent as a number. */
export const Numeric = lenient(
  Schema.Union([Schema.Finite, Schema.String.check(Schema.isPattern(/^-?\d{1,15}(\.\d{1,15})?$/))]),
  Schema.Finite,
  Number
)

/** A non-negative integer as a number, a decimal text or a hex text. Sent as a number. */
export const Integer = lenient(
  Schema.Union([Index, Schema.String.check(Schema.isPattern(/^(\d{1,16}|0x[0-9a-fA-F]{1,13})$/))]),
  Index,
  Number
)
