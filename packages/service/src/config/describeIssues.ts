/** Describes schema validation issues. */
import * as SchemaAST from "effect/SchemaAST"
import * as SchemaIssue from "effect/SchemaIssue"
import type { Expectation } from "./fieldSchemas.js"
import { formatPath, formatValue, nearest, quote } from "./formatValue.js"

type Path = ReadonlyArray<PropertyKey>

/** A problem and its location. */
interface Problem {
  readonly place: string
  readonly message: string
}

const expectationOf = (annotations: { readonly [key: string]: unknown } | undefined): Expectation | undefined =>
  typeof annotations?.["expected"] === "string"
    ? { expected: annotations["expected"], hidden: annotations["hidden"] === true }
    : undefined

/** The type names to print for fields whose annotations do not specify an expected type. */
const typeNames: { readonly [Tag in SchemaAST.AST["_tag"]]?: string } = {
  Objects: "an object",
  Arrays: "a list",
  String: "a string",
  Number: "a number",
  Boolean: "true or false"
}

const typeExpectation = (ast: SchemaAST.AST): Expectation =>
  expectationOf(SchemaAST.resolve(ast)) ?? { expected: typeNames[ast._tag] ?? "something else" }

const inputOf = (issue: SchemaIssue.Issue): unknown => (SchemaIssue.hasInput(issue) ? issue.input : undefined)

const mismatch = (path: Path, { expected, hidden = false }: Expectation, value: unknown): ReadonlyArray<Problem> => [
  {
    place: formatPath(path),
    message: `expected ${expected}, got ${hidden && typeof value === "string" ? "(hidden)" : formatValue(value)}.`
  }
]

const missing = (path: Path): ReadonlyArray<Problem> =>
  // In a list, only the first entry can be reported as missing.
  typeof path.at(-1) === "number"
    ? [{ place: formatPath(path.slice(0, -1)), message: "expected at least one entry, got an empty list." }]
    : [{ place: formatPath(path), message: "is missing." }]

const unknownField = (path: Path, ast: SchemaAST.AST): ReadonlyArray<Problem> => {
  const known = SchemaAST.isObjects(ast) ? ast.propertySignatures.map(({ name }) => String(name)) : []
  const meant = nearest(String(path.at(-1)), known)
  const hint = meant === undefined ? "" : ` Did you mean ${quote(meant)}?`
  return [{ place: formatPath(path), message: `is not a known field.${hint}` }]
}

/** Describes a value that matches no member of a union. The members are distinguished by `kind`. */
const unknownKind = (path: Path, ast: SchemaAST.Union, value: unknown): ReadonlyArray<Problem> => {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return mismatch(path, { expected: "an object" }, value)
  }
  const kinds = ast.types.flatMap((type) =>
    SchemaAST.isObjects(type)
      ? type.propertySignatures.flatMap(({ name, type }) =>
          name === "kind" && SchemaAST.isLiteral(type) ? [JSON.stringify(type.literal)] : []
        )
      : []
  )
  return "kind" in value
    ? mismatch([...path, "kind"], { expected: kinds.join(" or ") }, value.kind)
    : [{ place: formatPath([...path, "kind"]), message: `is missing: expected ${kinds.join(" or ")}.` }]
}

const collect = (issue: SchemaIssue.Issue, path: Path): ReadonlyArray<Problem> => {
  switch (issue._tag) {
    case "Pointer":
      return collect(issue.issue, [...path, ...issue.path])
    case "Composite":
      return issue.issues.flatMap((inner) => collect(inner, path))
    case "AnyOf": {
      const expectation = expectationOf(SchemaAST.resolve(issue.ast))
      if (expectation !== undefined) return mismatch(path, expectation, inputOf(issue))
      return issue.issues.length === 0
        ? unknownKind(path, issue.ast, inputOf(issue))
        : issue.issues.flatMap((inner) => collect(inner, path))
    }
    case "Encoding": {
      // A field that is decoded in two steps has an expectation for each step.
      const expectation = expectationOf(SchemaAST.resolve(issue.ast))
      return expectation === undefined ? collect(issue.issue, path) : mismatch(path, expectation, inputOf(issue))
    }
    case "Filter": {
      const expectation = expectationOf(issue.filter.annotations)
      const hasMessage = issue.issue._tag === "InvalidValue" && issue.issue.annotations?.message !== undefined
      return hasMessage || expectation === undefined
        ? collect(issue.issue, path)
        : mismatch(path, expectation, inputOf(issue))
    }
    case "InvalidType":
      return mismatch(path, typeExpectation(issue.ast), inputOf(issue))
    case "MissingKey":
      return missing(path)
    case "UnexpectedKey":
      return unknownField(path, issue.ast)
    default: {
      const message = "annotations" in issue ? issue.annotations?.["message"] : undefined
      return typeof message === "string"
        ? [{ place: formatPath(path), message }]
        : mismatch(path, { expected: "something else" }, inputOf(issue))
    }
  }
}

/** Describes the issues that the schema reported, one per line. */
export const describeIssues = (issue: SchemaIssue.Issue): ReadonlyArray<string> =>
  collect(issue, []).map(({ message, place }) => `${place === "" ? "The file" : place}: ${message}`)
