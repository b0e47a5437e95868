/** Errors in JSON have a line and a column. */
import { assert, describe, it } from "@effect/vitest"
import * as Config from "../../src/config/Config.js"
import { minimal, problemsIn } from "./fixture.js"

describe("an invalid JSON file", () => {
  it.each<readonly [string, string, string]>([
    ["nothing", "", "Line 1, column 1: expected a value, got the end of the file."],
    ["an extra comma", '{\n  "a": [1, 2,],\n}', 'Line 2, column 14: expected a value, got "]".'],
    ["a comma before the end", '{\n  "a": 1,\n}', 'Line 3, column 1: expected a field name in double quotes, got "}".'],
    ["a missing comma", '{\r\n  "a": 1\r\n  "b": 2 }', 'Line 3, column 3: expected "," or "}", got "\\"".'],
    ["a comment", "{ // why\n}", 'Line 1, column 3: expected a field name in double quotes, got "/".'],
    ["single quotes", "{'a': 1}", `Line 1, column 2: expected a field name in double quotes, got "'".`],
    ["no colon", '{"a" 1}', 'Line 1, column 6: expected ":", got "1".'],
    [
      "a string without an end",
      '{"a": "b',
      "Line 1, column 9: expected a double quote at the end of the string, got the end of the file."
    ],
    [
      "a line break in a string",
      '{"a": "b\n"}',
      "Line 1, column 9: expected a double quote at the end of the string, got a control character."
    ],
    ["an invalid escape", '{"a": "\\x"}', 'Line 1, column 8: expected an escape such as \\n, got "\\\\".'],
    ["a second value", '{"a": 1} {', 'Line 1, column 10: expected the end of the file, got "{".'],
    ["an end too early", '{"a": [1', 'Line 1, column 9: expected "," or "]", got the end of the file.'],
    ["an invalid number", '{"a": 01}', 'Line 1, column 8: expected "," or "}", got "1".'],
    ["too much nesting", "[".repeat(100_000), 'Line 1, column 66: expected less nesting, got "[".']
  ])("reports line and column of %s", (_, text, expected) => {
    assert.deepStrictEqual(problemsIn(text), [expected])
  })

  it("reports duplicate fields, only within one object", () => {
    const twice = `{"chains": [{"a": 1, "b": {"a": 1}},\n{"a": 1, "\\u0061": 2}], "fees": 1, "fees": 2}`
    assert.deepStrictEqual(problemsIn(twice), [
      'Line 2, column 10: the "a" field appears more than once.',
      'Line 2, column 36: the "fees" field appears more than once.'
    ])
  })

  it.effect("may start with a byte order mark", () => Config.parse(`\uFEFF${JSON.stringify(minimal)}`))

  it("is invalid exactly if the runtime's parser refuses it", () => {
    const whole = JSON.stringify({ a: [1, -2.5e3, true, null, "x\n\u{1F600}\\"], b: { c: {}, d: [] } }, null, 1)
    const isJson = (text: string) => {
      try {
        JSON.parse(text)
        return true
      } catch {
        return false
      }
    }
    let broken = 0
    for (let at = 0; at < whole.length; at++) {
      for (const change of ["", "x", '"', "0", ",", "{", "]", "\\", "\n", "-", "e"]) {
        const text = whole.slice(0, at) + change + whole.slice(at + 1)
        const found = problemsIn(text).some((line) => /^Line \d+, column \d+: expected .*, got /.test(line))
        assert.strictEqual(found, !isJson(text), JSON.stringify(text))
        if (found) broken++
      }
    }
    assert.isAbove(broken, 500)
  })
})
