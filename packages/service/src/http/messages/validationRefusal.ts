/** The refusal for invalid fields. It never contains the values of these fields, which may be tokens. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as SchemaIssue from "effect/SchemaIssue"
import { type Refusal, refuse } from "../../domain/Refusal.js"
import { fieldDescriptions } from "../api/fieldDescriptions.js"

/** An issue's path, and whether the field is missing or invalid. */
const locate = SchemaIssue.makeFormatterStandardSchemaV1({
  leafHook: (issue) => (issue._tag === "MissingKey" ? "missing" : "wrong"),
  checkHook: () => "wrong"
})

const nameOf = (path: ReadonlyArray<PropertyKey | { readonly key: PropertyKey }> = []): string =>
  path.map((part) => String(typeof part === "object" ? part.key : part)).join(".")

/** Lists every invalid field once, with what was expected. */
const validationRefusal = (issue: SchemaIssue.Issue): Refusal => {
  const found = new Map(locate(issue).issues.map(({ message, path }) => [nameOf(path), message]))
  const sentences = Array.from(found, ([name, fault]) => {
    const expected = fieldDescriptions[name.slice(name.lastIndexOf(".") + 1)] ?? "a different value"
    return fault === "missing"
      ? `${name} is missing: expected ${expected}.`
      : `${name} is invalid: expected ${expected}.`
  })
  return refuse("VALIDATION", sentences.join(" "), { details: { fields: [...found.keys()] } })
}

/** Creates a decoder that lists every invalid field. */
export const decoder = <A>(schema: Schema.Codec<A, unknown>): ((input: unknown) => Effect.Effect<A, Refusal>) => {
  const decode = Schema.decodeUnknownEffect(schema, { errors: "all" })
  return (input) => Effect.mapErrorEager(decode(input), ({ issue }) => validationRefusal(issue))
}

/** The names of a response's invalid fields, without their values. */
export const invalidFields = (issue: SchemaIssue.Issue): string =>
  [...new Set(locate(issue).issues.map(({ path }) => nameOf(path)))].join(", ")
