/** Formats schema issues as one sentence per field. */
import * as SchemaAST from "effect/SchemaAST"
import type * as SchemaIssue from "effect/SchemaIssue"
import { stripControls } from "../output/sanitize.js"

type Path = ReadonlyArray<PropertyKey>

const fieldOf = (path: Path) => (path.length === 0 ? "The file" : stripControls(path.map(String).join(".")))

const typeNames: { readonly [Tag in SchemaAST.AST["_tag"]]?: string } = {
  Objects: "an object",
  Arrays: "an array",
  String: "a string",
  Number: "a number",
  Boolean: "true or false"
}

/** Describes the expected value, based on the schema's annotation or type. */
const expectedOf = (ast: SchemaAST.AST): string => {
  const expected = SchemaAST.resolve(ast)?.["expected"]
  if (typeof expected === "string") return expected
  if (SchemaAST.isUnion(ast)) {
    const literals = ast.types.flatMap((type) => (SchemaAST.isLiteral(type) ? [JSON.stringify(type.literal)] : []))
    if (literals.length > 0) return literals.join(" or ")
  }
  return typeNames[ast._tag] ?? "a different value"
}

/**
 * Reports that a field is invalid. The actual value is omitted, because it may be a secret that was entered in the
 * wrong field.
 */
const invalid = (path: Path, expected: string) => [`${fieldOf(path)} is invalid: expected ${expected}.`]

const collect = (issue: SchemaIssue.Issue, path: Path): ReadonlyArray<string> => {
  switch (issue._tag) {
    case "Pointer":
      return collect(issue.issue, [...path, ...issue.path])
    case "Composite":
      return issue.issues.flatMap((inner) => collect(inner, path))
    case "AnyOf":
      return invalid(path, expectedOf(issue.ast))
    case "Encoding":
      return collect(issue.issue, path)
    case "Filter": {
      const expected = issue.filter.annotations?.["expected"]
      return typeof expected === "string" ? invalid(path, expected) : collect(issue.issue, path)
    }
    case "InvalidType":
      return invalid(path, expectedOf(issue.ast))
    case "MissingKey":
      return [`${fieldOf(path)} is missing.`]
    case "UnexpectedKey": {
      const known = SchemaAST.isObjects(issue.ast) ? issue.ast.propertySignatures.map(({ name }) => String(name)) : []
      return [`${fieldOf(path)} is unknown. Known fields: ${known.join(", ")}.`]
    }
    default: {
      const message = "annotations" in issue ? issue.annotations?.["message"] : undefined
      return typeof message === "string" ? [`${fieldOf(path)} ${message}`] : invalid(path, "a different value")
    }
  }
}

/** Returns the errors in a schema issue, one sentence each. */
export const schemaErrors = (issue: SchemaIssue.Issue) => [...new Set(collect(issue, []))]
