/** Parses JSON bodies: valid UTF-8, limited depth, and no duplicate fields. */
import * as Effect from "effect/Effect"
import { findFault, inspectJson, placeOf } from "../../config/inspectJson.js"
import { type Refusal, refuse } from "../../domain/Refusal.js"

const maxDepth = 32
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

const malformed = (problem: string) => Effect.fail(refuse("VALIDATION", `The body is not valid JSON: ${problem}.`))

/** Removes fields that are `null`, because they are treated as missing. */
const withoutNulls = (value: object): Record<string, unknown> => {
  const fields = value as Record<string, unknown>
  for (const name of Object.keys(fields)) if (fields[name] === null) delete fields[name]
  return fields
}

/** Parses a body into an object. No message contains a part of the body, which may be a token. */
export const parseJson = (bytes: ArrayBuffer): Effect.Effect<Record<string, unknown>, Refusal> => {
  let text: string
  try {
    text = decoder.decode(bytes)
  } catch {
    return malformed("it is not valid UTF-8")
  }
  if (text === "") return malformed("it is empty")
  if (text.startsWith("\uFEFF")) return malformed("it starts with a byte order mark. Remove it")
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    const { at, expected } = findFault(text) ?? { at: 0, expected: "JSON" }
    return malformed(`expected ${expected} at ${placeOf(text, at)}`)
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return Effect.fail(refuse("VALIDATION", "The body must be a JSON object."))
  }
  const { depth, repeated } = inspectJson(text)
  if (depth > maxDepth) {
    return Effect.fail(
      refuse("VALIDATION", `The body is nested more than ${maxDepth} levels deep. Reduce the nesting.`)
    )
  }
  const [duplicate] = repeated
  if (duplicate === undefined) return Effect.succeed(withoutNulls(value))
  // Field names are not secret, but they may contain any characters.
  const name = /^[A-Za-z0-9_]{1,40}$/.test(duplicate.name) ? duplicate.name : "a field"
  return Effect.fail(refuse("VALIDATION", `The body contains ${name} more than once. Send it only once.`))
}
