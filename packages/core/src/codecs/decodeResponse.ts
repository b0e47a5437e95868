/** Decodes the service's responses. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type * as SchemaIssue from "effect/SchemaIssue"
import { ProtocolError } from "../SwapError.js"
import type { HttpResponse } from "./http.js"
import { compact } from "./compact.js"

/**
 * The maximum nesting depth of a response. No response in the protocol is nested this deeply. Printing or comparing a
 * much deeper value would overflow the stack.
 */
const maxDepth = 32

/** Whether a value is nested at most `maxDepth` levels deep. Does not use recursion. */
const isShallow = (value: unknown): boolean => {
  let level: ReadonlyArray<unknown> = [value]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > maxDepth) return false
    level = level.flatMap((one): ReadonlyArray<unknown> =>
      typeof one === "object" && one !== null ? Object.values(one) : []
    )
  }
  return true
}

/** Parses JSON. Returns `undefined` if the string is not JSON or is nested too deeply. */
export const parseJson = (text: string): unknown => {
  try {
    const value: unknown = JSON.parse(text)
    return isShallow(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** The path of the first invalid field, for example `feeDiscount.tier`. */
const pathOf = (issue: SchemaIssue.Issue): string => {
  const path: Array<PropertyKey> = []
  for (let current: SchemaIssue.Issue | undefined = issue; current;) {
    if ("path" in current) path.push(...current.path)
    current = "issues" in current ? current.issues[0] : "issue" in current ? current.issue : undefined
  }
  return path.join(".")
}

/** Sanitizes an untrusted string for logging: one line, no control characters, limited length. */
export const sanitize = (text: string, most: number): string | undefined =>
  text
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, " ")
    .trim()
    .slice(0, most) || undefined

/** The request id in a response's headers. */
export const requestIdOf = (response: HttpResponse): string | undefined =>
  sanitize(response.headers["x-request-id"] ?? "", 200)

/** Decodes a response. The error names the invalid field. */
export const decodeResponse = <A>(
  endpoint: string,
  schema: Schema.ConstraintDecoder<A>,
  response: HttpResponse
): Effect.Effect<A, ProtocolError> => {
  const json = parseJson(response.body)
  const fail = (field: string, message: string) =>
    Effect.fail(new ProtocolError(compact({ endpoint, field, message, requestId: requestIdOf(response) })))
  if (json === undefined) return fail("", `The service's response to ${endpoint} is not JSON.`)
  return Schema.decodeUnknownEffect(schema)(json).pipe(
    Effect.catch((error) => {
      const field = pathOf(error.issue)
      return fail(
        field,
        `The service's response to ${endpoint} does not follow the protocol${field && `: "${field}" is missing or invalid`}.`
      )
    })
  )
}
