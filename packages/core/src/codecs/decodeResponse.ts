/** Reading what the service answered. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type * as SchemaIssue from "effect/SchemaIssue"
import { ProtocolError } from "../SwapError.js"
import type { HttpResponse } from "./http.js"
import { compact } from "./compact.js"

/** No answer of the protocol is nested as deep. What is, overflows the stack of whoever prints or compares it. */
const deepest = 32

/** Whether objects and lists are nested no deeper than that; without recursion. */
const isShallow = (value: unknown): boolean => {
  let level: ReadonlyArray<unknown> = [value]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > deepest) return false
    level = level.flatMap((one): ReadonlyArray<unknown> =>
      typeof one === "object" && one !== null ? Object.values(one) : []
    )
  }
  return true
}

/** JSON, or `undefined` where the text is none, or nested too deep to be an answer. */
export const parseJson = (text: string): unknown => {
  try {
    const value: unknown = JSON.parse(text)
    return isShallow(value) ? value : undefined
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

/** Foreign text on one line, without control characters, cut to a length that a log line bears. */
export const plain = (text: string, most: number): string | undefined =>
  text
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, " ")
    .trim()
    .slice(0, most) || undefined

/** The service's name for a request, where it gave one in its headers. */
export const requestIdOf = (answer: HttpResponse): string | undefined =>
  plain(answer.headers["x-request-id"] ?? "", 200)

/** The model behind an answer, or which field does not fit. */
export const decodeResponse = <A>(
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
