/** Parses JSON bodies: valid UTF-8, limited depth, and no duplicate fields. */
import * as Effect from "effect/Effect"
import { placeOf, scanJson } from "../../config/scanJson.js"
import { type Refusal, refuse } from "../../domain/Refusal.js"

const maxDepth = 32
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

const malformed = (problem: string) => Effect.fail(refuse("VALIDATION", `The body is not valid JSON: ${problem}.`))

/** Makes a field name printable. Field names are not secret, but they may contain any characters. */
const printable = (name: string): string => (/^[A-Za-z0-9_]{1,40}$/.test(name) ? name : "a field")

/** Removes fields that are `null`, because they are treated as missing. */
const withoutNulls = (fields: Record<string, unknown>): Record<string, unknown> => {
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
  const { fault, repeated } = scanJson(text, maxDepth)
  if (fault !== undefined) return malformed(`expected ${fault.expected} at ${placeOf(text, fault.at)}`)
  if (!text.trimStart().startsWith("{")) return Effect.fail(refuse("VALIDATION", "The body must be a JSON object."))
  const [duplicate] = repeated
  return duplicate === undefined
    ? Effect.succeed(withoutNulls(JSON.parse(text) as Record<string, unknown>))
    : Effect.fail(
        refuse("VALIDATION", `The body contains ${printable(duplicate.name)} more than once. Send it only once.`)
      )
}
