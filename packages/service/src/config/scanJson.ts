/** Checks the syntax of JSON. Unlike `JSON.parse`, reports where an error is in every runtime, and finds duplicate fields. */

export interface Scan {
  /** The first error in the syntax, if there is one. */
  readonly fault: { readonly at: number; readonly expected: string } | undefined
  readonly repeated: ReadonlyArray<{ readonly at: number; readonly name: string }>
}

const space = /[ \t\r\n]*/y
const scalar = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|true|false|null/y
const bracket = /[[{]/y
/** A string without its closing quote. */
const open = /"(?:[ !#-[\]-\uffff]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*/y

/** The line and the column of a position. */
export const placeOf = (text: string, at: number): string => {
  const lines = text.slice(0, at).split(/\r\n|\r|\n/)
  return `line ${lines.length}, column ${(lines.at(-1) ?? "").length + 1}`
}

/** Scans a text. An array or an object that is nested deeper than `maxDepth` is an error, so that the stack is safe. */
export const scanJson = (text: string, maxDepth: number): Scan => {
  let at = 0
  let fault: Scan["fault"]
  const repeated: Array<Scan["repeated"][number]> = []

  const fail = (expected: string): false => {
    fault ??= { at, expected }
    return false
  }
  const match = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at
    const [found] = pattern.exec(text) ?? []
    at += found?.length ?? 0
    return found
  }
  const eat = (char: string): boolean => {
    match(space)
    const isNext = text.charAt(at) === char
    if (isNext) at++
    return isNext
  }
  const string = (): boolean => {
    match(open)
    if (text.charAt(at) === '"') return at++ >= 0
    return fail(text.charAt(at) === "\\" ? "an escape such as \\n" : "a double quote at the end of the string")
  }
  const items = (end: string, item: () => boolean): boolean => {
    if (eat(end)) return true
    do {
      if (!item()) return false
    } while (eat(","))
    return eat(end) || fail(`"," or "${end}"`)
  }
  const member = (names: Set<string>, depth: number): boolean => {
    match(space)
    const start = at
    if (text.charAt(at) !== '"') return fail("a field name in double quotes")
    if (!string()) return false
    const name = String(JSON.parse(text.slice(start, at)))
    if (names.has(name)) repeated.push({ at: start, name })
    names.add(name)
    return (eat(":") || fail('":"')) && value(depth)
  }
  const value = (depth: number): boolean => {
    match(space)
    if (text.charAt(at) === '"') return string()
    const found = match(bracket)
    if (found === undefined) return match(scalar) !== undefined || fail("a value")
    if (depth === maxDepth) {
      at--
      return fail("less deep nesting")
    }
    const names = new Set<string>()
    return found === "[" ? items("]", () => value(depth + 1)) : items("}", () => member(names, depth + 1))
  }

  if (value(0)) {
    match(space)
    if (at < text.length) fail("the end of the file")
  }
  return { fault, repeated }
}
