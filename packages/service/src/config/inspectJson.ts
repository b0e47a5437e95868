/** Finds what `JSON.parse` does not report: where an error is, in every runtime, and duplicate fields. */

/** The first error in the syntax of a text. */
export interface Fault {
  readonly at: number
  readonly expected: string
}

/** The maximum nesting depth of a text with an error, so that the search is safe for the stack. */
const maxDepth = 64

const scalar = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|true|false|null/y
const space = /[ \t\r\n]*/y
/** A string without its closing quote. */
const open = /"(?:[ !#-[\]-\uffff]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*/y

/** The line and the column of a position. */
export const placeOf = (text: string, at: number): string => {
  const lines = text.slice(0, at).split(/\r\n|\r|\n/)
  return `line ${lines.length}, column ${(lines.at(-1) ?? "").length + 1}`
}

/** Returns where a text stops being JSON. */
export const findFault = (text: string): Fault | undefined => {
  let at = 0
  let fault: Fault | undefined

  const fail = (expected: string): false => {
    fault ??= { at, expected }
    return false
  }
  const match = (pattern: RegExp): boolean => {
    pattern.lastIndex = at
    const found = pattern.test(text)
    if (found) at = pattern.lastIndex
    return found
  }
  const eat = (char: string): boolean => {
    match(space)
    const isNext = text.startsWith(char, at)
    if (isNext) at += char.length
    return isNext
  }
  const string = (expected: string): boolean => {
    match(space)
    if (!match(open)) return fail(expected)
    if (text.charAt(at) === "\\") return fail("an escape such as \\n")
    return text.charAt(at) === '"' ? at++ > 0 : fail("a double quote at the end of the string")
  }
  const items = (end: string, item: () => boolean): boolean => {
    if (eat(end)) return true
    do {
      if (!item()) return false
    } while (eat(","))
    return eat(end) || fail(`"," or "${end}"`)
  }
  const value = (depth: number): boolean => {
    match(space)
    if (depth > maxDepth) return fail("less nesting")
    if (eat("[")) return items("]", () => value(depth + 1))
    if (eat("{")) {
      return items("}", () => string("a field name in double quotes") && (eat(":") || fail('":"')) && value(depth + 1))
    }
    return match(scalar) || string("a value")
  }

  if (value(0)) {
    match(space)
    if (at < text.length) fail("the end of the file")
  }
  return fault
}

const part = /[[{]|[\]}]|"(?:[^"\\]+|\\.)*"([ \t\r\n]*:)?/g

/** Returns how deep a JSON text is nested, and the fields that repeat another field of the same object. */
export const inspectJson = (text: string) => {
  const objects: Array<Set<string>> = []
  const repeated: Array<{ readonly at: number; readonly name: string }> = []
  let depth = 0
  for (const { 0: found, 1: colon, index: at } of text.matchAll(part)) {
    if (found === "[" || found === "{") depth = Math.max(depth, objects.push(new Set()))
    else if (found === "]" || found === "}") objects.pop()
    else if (colon !== undefined) {
      const name = String(JSON.parse(found.slice(0, -colon.length)))
      const names = objects.at(-1)
      if (names?.has(name)) repeated.push({ at, name })
      names?.add(name)
    }
  }
  return { depth, repeated }
}
