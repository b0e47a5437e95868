/** What is no JSON is told with line and column. */
import { assert, describe, it } from "@effect/vitest"
import * as Config from "../../src/config/Config.js"
import { minimal, problemsIn } from "./fixture.js"

describe("a text that is no JSON", () => {
  it.each<readonly [string, string, string]>([
    ["nothing", "", "Line 1, column 1: a value should be here, and the file ends."],
    ["a comma too much", '{\n  "a": [1, 2,],\n}', 'Line 2, column 14: a value should be here, and there is "]".'],
    [
      "a comma before the end",
      '{\n  "a": 1,\n}',
      'Line 3, column 1: the name of a field, in double quotes, should be here, and there is "}".'
    ],
    [
      "a comma too few",
      '{\r\n  "a": 1\r\n  "b": 2 }',
      'Line 3, column 3: "," or "}" should be here, and there is "\\"".'
    ],
    [
      "a comment",
      "{ // why\n}",
      'Line 1, column 3: the name of a field, in double quotes, should be here, and there is "/".'
    ],
    [
      "single quotes",
      "{'a': 1}",
      `Line 1, column 2: the name of a field, in double quotes, should be here, and there is "'".`
    ],
    ["no colon", '{"a" 1}', 'Line 1, column 6: ":" should be here, and there is "1".'],
    [
      "a text without an end",
      '{"a": "b',
      "Line 1, column 9: a double quote that ends the text should be here, and the file ends."
    ],
    [
      "a line break in a text",
      '{"a": "b\n"}',
      "Line 1, column 9: a double quote that ends the text should be here, and there is a control character."
    ],
    [
      "an escape that is none",
      '{"a": "\\x"}',
      'Line 1, column 8: an escape such as \\n should be here, and there is "\\\\".'
    ],
    ["a second value", '{"a": 1} {', 'Line 1, column 10: the end of the file should be here, and there is "{".'],
    ["an end too early", '{"a": [1', 'Line 1, column 9: "," or "]" should be here, and the file ends.'],
    ["a number that is none", '{"a": 01}', 'Line 1, column 8: "," or "}" should be here, and there is "1".'],
    [
      "a depth that makes no sense",
      "[".repeat(100_000),
      'Line 1, column 66: something less deeply nested should be here, and there is "[".'
    ]
  ])("is told with line and column: %s", (_, text, expected) => {
    assert.deepStrictEqual(problemsIn(text), [expected])
  })

  it("tells a field that is there twice, of which one would be lost, and only within one object", () => {
    const twice = `{"chains": [{"a": 1, "b": {"a": 1}},\n{"a": 1, "\\u0061": 2}], "fees": 1, "fees": 2}`
    assert.deepStrictEqual(problemsIn(twice), [
      'Line 2, column 10: the field "a" is there twice.',
      'Line 2, column 36: the field "fees" is there twice.'
    ])
  })

  it.effect("is not one that starts with a byte order mark", () => Config.parse(`\uFEFF${JSON.stringify(minimal)}`))

  it("is found just where the runtime finds one too", () => {
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
        const found = problemsIn(text).some((line) => /^Line \d+, column \d+: .* should be here/.test(line))
        assert.strictEqual(found, !isJson(text), JSON.stringify(text))
        if (found) broken++
      }
    }
    assert.isAbove(broken, 500)
  })
})
