/** Struct codecs that keep unknown fields. */
import * as Schema from "effect/Schema"
import { lenient } from "./lenient.js"

/**
 * A struct for a response from the service. Decoding and encoding keep unknown fields, and `null` is treated as
 * missing. Fields listed in `display` are dropped if they are invalid. The type has no index signature, so a misspelled
 * field is still a type error.
 */
export const openStruct = <const F extends Schema.Struct.Fields>(
  fields: F,
  rename: Readonly<Record<string, ReadonlyArray<string>>> = {},
  display: ReadonlyArray<keyof F & string> = []
): Schema.Codec<
  Schema.Struct.Type<F>,
  Schema.Struct.Encoded<F>,
  Schema.Struct.DecodingServices<F>,
  Schema.Struct.EncodingServices<F>
> => {
  const known = Object.keys(fields)
  const rest = Schema.Record(Schema.String, Schema.Unknown)
  const normalize = (wire: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> => {
    const out: Record<string, unknown> = { ...wire }
    for (const key of known) {
      if (out[key] === null || out[key] === undefined) delete out[key]
      if (Object.hasOwn(out, key)) continue
      for (const other of rename[key] ?? []) {
        if (!Object.hasOwn(out, other) || out[other] === null) continue
        out[key] = out[other]
        delete out[other]
        break
      }
    }
    for (const key of display) {
      if (Schema.decodeUnknownOption(fields[key] as never)(out[key])._tag === "None") delete out[key]
    }
    return out
  }
  return lenient(rest, Schema.StructWithRest(Schema.Struct(fields), [rest]), normalize as never) as never
}
