/**
 * Parses JSON. Unlike `JSON.parse`, reports the line and column of errors in every runtime, and rejects duplicate
 * fields.
 */
import { quote } from "./formatValue.js"

/** The parsed value, or all problems. */
export type ParsedJson = { readonly value: unknown } | { readonly problems: ReadonlyArray<string> }

/** The maximum nesting depth. It is deeper than any configuration, but safe for the stack. */
const maxDepth = 64

const number = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y
const word = /true|false|null/y
const escape = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y

class Scanner {
  readonly #text: string
  #at = 0
  readonly repeated: Array<string> = []
  fault: string | undefined

  constructor(text: string) {
    this.#text = text
  }

  /** Returns whether the whole string is a single JSON value. */
  scan(): boolean {
    return this.#value(0) && (this.#char() === "" || this.#fail("the end of the file"))
  }

  #place(offset: number): string {
    const lines = this.#text.slice(0, offset).split(/\r\n|\r|\n/)
    return `Line ${lines.length}, column ${(lines.at(-1) ?? "").length + 1}`
  }

  #fail(expected: string): false {
    const char = this.#text.charAt(this.#at)
    const found = char === "" ? "the end of the file" : char < " " ? "a control character" : JSON.stringify(char)
    this.fault ??= `${this.#place(this.#at)}: expected ${expected}, got ${found}.`
    return false
  }

  /** Returns the next character that is not whitespace. */
  #char(): string {
    while (this.#at < this.#text.length && " \t\r\n".includes(this.#text.charAt(this.#at))) this.#at++
    return this.#text.charAt(this.#at)
  }

  #eat(char: string): boolean {
    const found = this.#char() === char
    if (found) this.#at++
    return found
  }

  #match(pattern: RegExp): boolean {
    pattern.lastIndex = this.#at
    const found = pattern.test(this.#text)
    if (found) this.#at = pattern.lastIndex
    return found
  }

  #value(depth: number): boolean {
    if (depth > maxDepth) return this.#fail("less nesting")
    if (this.#eat("{")) return this.#object(depth)
    if (this.#eat("[")) return this.#items("]", () => this.#value(depth + 1))
    if (this.#char() === '"') return this.#string() !== undefined
    return this.#match(number) || this.#match(word) || this.#fail("a value")
  }

  #object(depth: number): boolean {
    const names = new Set<string>()
    return this.#items("}", () => {
      if (this.#char() !== '"') return this.#fail("a field name in double quotes")
      const start = this.#at
      const name = this.#string()
      if (name === undefined) return false
      if (names.has(name)) this.repeated.push(`${this.#place(start)}: the ${quote(name)} field appears more than once.`)
      names.add(name)
      return (this.#eat(":") || this.#fail('":"')) && this.#value(depth + 1)
    })
  }

  #items(end: string, item: () => boolean): boolean {
    if (this.#eat(end)) return true
    do {
      if (!item()) return false
    } while (this.#eat(","))
    return this.#eat(end) || this.#fail(`"," or "${end}"`)
  }

  /** Parses a string and resolves its escapes. */
  #string(): string | undefined {
    const start = this.#at++
    for (;;) {
      const char = this.#text.charAt(this.#at)
      if (char === '"') break
      if (char === "\\" && this.#match(escape)) continue
      if (char < " " || char === "\\") {
        this.#fail(char === "\\" ? "an escape such as \\n" : "a double quote at the end of the string")
        return undefined
      }
      this.#at++
    }
    return String(JSON.parse(this.#text.slice(start, ++this.#at)))
  }
}

/** Parses JSON. Returns the value or all problems. */
export const parseJsonWithPositions = (text: string): ParsedJson => {
  // Some editors put a byte order mark before the first character.
  const body = text.replace(/^\uFEFF/, "")
  const scanner = new Scanner(body)
  if (!scanner.scan()) return { problems: [...scanner.repeated, ...(scanner.fault ? [scanner.fault] : [])] }
  return scanner.repeated.length > 0 ? { problems: scanner.repeated } : { value: JSON.parse(body) }
}
