/** What a schema finds wrong with a file, in words: which field, what it should be, what it is. */
import * as SchemaAST from "effect/SchemaAST"
import type * as SchemaIssue from "effect/SchemaIssue"
import { clean } from "../output/text.js"

type Path = ReadonlyArray<PropertyKey>

const placeOf = (path: Path): string => (path.length === 0 ? "The file" : clean(path.map(String).join(".")))

const typeWords: { readonly [Tag in SchemaAST.AST["_tag"]]?: string } = {
  Objects: "an object",
  Arrays: "a list",
  String: "a text",
  Number: "a number",
  Boolean: "true or false"
}

/** What a value should be, as its annotation or its type has it. */
const expectedOf = (ast: SchemaAST.AST): string => {
  const words = SchemaAST.resolve(ast)?.["expected"]
  if (typeof words === "string") return words
  if (SchemaAST.isUnion(ast)) {
    const literals = ast.types.flatMap((type) => (SchemaAST.isLiteral(type) ? [JSON.stringify(type.literal)] : []))
    if (literals.length > 0) return literals.join(" or ")
  }
  return typeWords[ast._tag] ?? "something else"
}

/** What was found is not told: it may be a secret that landed in the wrong place. */
const shouldBe = (path: Path, expected: string): ReadonlyArray<string> => [`${placeOf(path)} should be ${expected}.`]

const collect = (issue: SchemaIssue.Issue, path: Path): ReadonlyArray<string> => {
  switch (issue._tag) {
    case "Pointer":
      return collect(issue.issue, [...path, ...issue.path])
    case "Composite":
      return issue.issues.flatMap((inner) => collect(inner, path))
    case "AnyOf":
      return shouldBe(path, expectedOf(issue.ast))
    case "Encoding":
      return collect(issue.issue, path)
    case "Filter": {
      const words = issue.filter.annotations?.["expected"]
      return typeof words === "string" ? shouldBe(path, words) : collect(issue.issue, path)
    }
    case "InvalidType":
      return shouldBe(path, expectedOf(issue.ast))
    case "MissingKey":
      return [`${placeOf(path)} is missing.`]
    case "UnexpectedKey": {
      const known = SchemaAST.isObjects(issue.ast) ? issue.ast.propertySignatures.map(({ name }) => String(name)) : []
      return [`${placeOf(path)} is not known here; there are: ${known.join(", ")}.`]
    }
    default: {
      const message = "annotations" in issue ? issue.annotations?.["message"] : undefined
      return typeof message === "string" ? [`${placeOf(path)} ${message}`] : shouldBe(path, "something else")
    }
  }
}

/** The mistakes that a schema found, one sentence each. */
export const mistakesOf = (issue: SchemaIssue.Issue): ReadonlyArray<string> => [...new Set(collect(issue, []))]
