/** Reading what the service answered. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type * as SchemaIssue from "effect/SchemaIssue"
import { ProtocolError } from "../SwapError.js"
import type { HttpResponse } from "./http.js"
import { compact } from "./compact.js"

/** JSON, or `undefined` where the text is none. */
export const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The path to the first thing that does not fit, for example `feeDiscount.tier`. */
const pathOf = (issue: SchemaIssue.Issue): string => {
  const path: Array<PropertyKey> = []
  for (let current: SchemaIssue.Issue | undefined = issue; current;) {
    if ("path" in current) path.push(...current.path)
    current = "issues" in current ? current.issues[0] : "issue" in current ? current.issue : undefined
  }
  return path.join(".")
}

/** The service's name for a request, where it gave one in its headers. */
export const requestIdOf = (answer: HttpResponse): string | undefined =>
  answer.headers["x-request-id"]?.slice(0, 200) || undefined

/** The model behind an answer, or which field does not fit. */
export const decodeAnswer = <A>(
  endpoint: string,
  schema: Schema.ConstraintDecoder<A>,
  answer: HttpResponse
): Effect.Effect<A, ProtocolError> => {
  const json = parseJson(answer.body)
  const fail = (field: string, message: string) =>
    Effect.fail(new ProtocolError(compact({ endpoint, field, message, requestId: requestIdOf(answer) })))
  if (json === undefined) return fail("", `The service answered ${endpoint} with something that is not JSON.`)
  return Schema.decodeUnknownEffect(schema)(json).pipe(
    Effect.catch((error) => {
      const field = pathOf(error.issue)
      return fail(
        field,
        `The service answered ${endpoint} with something that does not fit the protocol${field && `, in "${field}"`}.`
      )
    })
  )
}
