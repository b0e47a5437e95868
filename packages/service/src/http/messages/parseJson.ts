/** Parses JSON bodies: valid UTF-8, limited depth, and no duplicate fields. */
import * as Effect from "effect/Effect"
import { type Refusal, refuse } from "../../domain/Refusal.js"

const maxDepth = 32
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

const malformed = (problem: string) => Effect.fail(refuse("VALIDATION", `The body is not valid JSON: ${problem}.`))

const quote = 0x22
const backslash = 0x5c
const colon = 0x3a

const isSpace = (code: number): boolean => code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09

/** Whether the character at the index is escaped. */
const isEscaped = (text: string, index: number): boolean => {
  let before = index - 1
  while (text.charCodeAt(before) === backslash) before--
  return (index - before) % 2 === 0
}

/** The index of the quote that ends a string. */
const endOf = (text: string, start: number): number => {
  let end = text.indexOf('"', start + 1)
  while (isEscaped(text, end)) end = text.indexOf('"', end + 1)
  return end
}

/**
 * Checks what `JSON.parse` does not check. The text must already have been parsed successfully, so every string is
 * terminated and every bracket is closed.
 */
const faultOf = (text: string): Refusal | undefined => {
  const names: Array<Set<string>> = []
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code === quote) {
      const end = endOf(text, index)
      let next = end + 1
      while (isSpace(text.charCodeAt(next))) next++
      if (text.charCodeAt(next) === colon) {
        const raw = text.slice(index, end + 1)
        const name = raw.includes("\\") ? String(JSON.parse(raw)) : raw.slice(1, -1)
        const known = names.at(-1)
        if (known?.has(name))
          return refuse("VALIDATION", `The body contains ${printable(name)} more than once. Send it only once.`)
        known?.add(name)
      }
      index = end
    } else if (code === 0x7b || code === 0x5b) {
      if (names.push(new Set()) > maxDepth) {
        return refuse("VALIDATION", `The body is nested more than ${maxDepth} levels deep. Reduce the nesting.`)
      }
    } else if (code === 0x7d || code === 0x5d) {
      names.pop()
    }
  }
  return undefined
}

/** Makes a field name printable. Field names are not secret, but they may contain any characters. */
const printable = (name: string): string => (/^[A-Za-z0-9_]{1,40}$/.test(name) ? name : "a field")

/**
 * Returns the position of a syntax error. The parser's own message is not used, because it contains part of the body,
 * which may be a token.
 */
const positionOf = (error: unknown): string => {
  const [, position] = /at position (\d+)/.exec(String(error)) ?? []
  return position === undefined
    ? "it ends too early or contains invalid characters"
    : `there is an error at position ${position}`
}

/** Removes fields that are `null`, because they are treated as missing. */
const withoutNulls = (value: object): Record<string, unknown> => {
  const fields = value as Record<string, unknown>
  for (const name of Object.keys(fields)) if (fields[name] === null) delete fields[name]
  return fields
}

/** Parses a body into an object. */
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
  } catch (error) {
    return malformed(positionOf(error))
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return Effect.fail(refuse("VALIDATION", "The body must be a JSON object."))
  }
  const fault = faultOf(text)
  return fault === undefined ? Effect.succeed(withoutNulls(value)) : Effect.fail(fault)
}
