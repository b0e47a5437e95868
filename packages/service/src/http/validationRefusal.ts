/** What is wrong with a request, field by field and in words; never with the values, which may be tokens. */
import * as SchemaIssue from "effect/SchemaIssue"
import { type Refusal, refuse } from "../Refusal.js"
import { fieldDescriptions } from "./fieldDescriptions.js"

/** Where an issue is, and whether something is there at all. */
const locate = SchemaIssue.makeFormatterStandardSchemaV1({
  leafHook: (issue) => (issue._tag === "MissingKey" ? "missing" : "wrong"),
  checkHook: () => "wrong"
})

const nameOf = (path: ReadonlyArray<PropertyKey | { readonly key: PropertyKey }> = []): string =>
  path.map((part) => String(typeof part === "object" ? part.key : part)).join(".")

/** Every field that does not fit, once, and what each should be; no request has more than a handful of fields. */
export const validationRefusal = (issue: SchemaIssue.Issue): Refusal => {
  const found = new Map(locate(issue).issues.map(({ message, path }) => [nameOf(path), message]))
  const sentences = Array.from(found, ([name, fault]) => {
    const expected = fieldDescriptions[name.slice(name.lastIndexOf(".") + 1)] ?? "something else"
    return fault === "missing" ? `${name} is missing: it should be ${expected}.` : `${name} should be ${expected}.`
  })
  return refuse("VALIDATION", sentences.join(" "), { details: { fields: [...found.keys()] } })
}

/** Where an answer does not fit its schema, without what it holds. */
export const invalidFields = (issue: SchemaIssue.Issue): string =>
  [...new Set(locate(issue).issues.map(({ path }) => nameOf(path)))].join(", ")
