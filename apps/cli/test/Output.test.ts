import { it } from "@effect/vitest"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import { describe, expect, test } from "vitest"
import type { Host } from "../src/node/Host.js"
import * as logger from "../src/output/logger.js"
import * as Output from "../src/output/Output.js"

const flags = { json: false, jsonLines: false, plain: false }

/** A host whose streams are terminals or not, and the text written to them. */
const hostWith = (stdout: boolean, environment: Host["environment"] = { TERM: "xterm" }) => {
  const written = { stdout: "", stderr: "" }
  const host: Host = {
    environment,
    folder: "/",
    home: "/",
    terminals: { stdin: stdout, stdout, stderr: stdout },
    columns: 100,
    rows: 24,
    stdin: process.stdin,
    write: (stream, text) => void (written[stream] += text)
  }
  return { host, written }
}

const modeOf = (overrides: Partial<typeof flags>, host: Host) => Output.make({ ...flags, ...overrides }, host).mode

describe("Output", () => {
  test("selects the mode from the flags and from whether standard output is a terminal", () => {
    expect(modeOf({}, hostWith(true).host)).toBe("terminal")
    expect(modeOf({}, hostWith(false).host)).toBe("lines")
    expect(modeOf({ plain: true }, hostWith(true).host)).toBe("lines")
    expect(modeOf({}, hostWith(true, { TERM: "dumb" }).host)).toBe("lines")
    expect(modeOf({ json: true }, hostWith(true).host)).toBe("json")
    expect(modeOf({ json: true, jsonLines: true }, hostWith(false).host)).toBe("json-lines")
  })

  test("uses color only at a terminal, and not with NO_COLOR", () => {
    const bold = (host: Host, overrides: Partial<typeof flags> = {}) =>
      Output.make({ ...flags, ...overrides }, host).style.bold("x")
    expect(bold(hostWith(true).host)).toBe("\u001B[1mx\u001B[22m")
    expect(bold(hostWith(false).host)).toBe("x")
    expect(bold(hostWith(true, { NO_COLOR: "1" }).host)).toBe("x")
    expect(bold(hostWith(true).host, { plain: true })).toBe("x")
    expect(bold(hostWith(true).host, { json: true })).toBe("x")
  })

  it.effect("writes only the result to standard output, as text or as one JSON value", () =>
    Effect.gen(function* () {
      const value = { amount: 12345678901234567890n }
      const people = hostWith(false)
      const output = Output.make(flags, people.host)
      yield* output.result(value, () => "text")
      yield* output.notice("note")
      expect(people.written).toEqual({ stdout: "text\n", stderr: "note\n" })

      const programs = hostWith(false)
      const json = Output.make({ ...flags, json: true }, programs.host)
      yield* json.line("not printed")
      yield* json.result(value, () => "text")
      yield* json.notice("note")
      expect(programs.written).toEqual({ stdout: '{\n  "amount": "12345678901234567890"\n}\n', stderr: "note\n" })

      const lines = hostWith(false)
      const jsonLines = Output.make({ ...flags, jsonLines: true }, lines.host)
      yield* jsonLines.json({ a: 1 })
      yield* jsonLines.json({ b: [2] })
      expect(lines.written.stdout).toBe('{"a":1}\n{"b":[2]}\n')
    })
  )

  test("aligns table columns by visible width", () => {
    const bold = (text: string) => `\u001B[1m${text}\u001B[22m`
    const table = Output.table(
      [
        ["a", "1000", "x"],
        ["日本", "5", "y"],
        [bold("bb"), "10", ""]
      ],
      { head: ["name", "amount"], right: [1] }
    )
    expect(table.split("\n")).toEqual(["name  amount", "a       1000  x", "日本       5  y", `${bold("bb")}        10`])
    expect(
      Output.fields([
        ["one", "1"],
        ["none", undefined],
        ["three", "3"]
      ])
    ).toBe("one    1\nthree  3")
  })

  test("encodes JSON of any depth, and escapes invisible characters", () => {
    let deep: object = {}
    for (let level = 0; level < 100_000; level++) deep = { deep }
    expect(Output.toJson({ deep, kept: { at: [1n] } })).toMatch(
      /^\{"deep":(\{"deep":)+null\}+,"kept":\{"at":\["1"\]\}\}$/
    )
    const evil = { "\u009B31m": "\u202Egnp.exe \u{E0041}\u200B\u2028\u007F\n" }
    const text = Output.toJson(evil, 2)
    expect(text).toBe('{\n  "\\u009b31m": "\\u202egnp.exe \\udb40\\udc41\\u200b\\u2028\\u007f\\n"\n}')
    expect(JSON.parse(text)).toEqual(evil)
  })

  it.effect("strips control characters from lines, notices and tables, except its own styles", () =>
    Effect.gen(function* () {
      const evil = "a\u001B[2J\u001B[1;1Hb\u009B8m\u001B]0;t\u0007\u202E\u200Bc\r"
      const { host, written } = hostWith(true)
      const output = Output.make(flags, host)
      yield* output.line(output.style.bold(evil))
      yield* output.notice(`${evil}\n${output.noticeStyle.red("d")}`)
      yield* output.result({}, () => Output.table([[`${evil}\nPay 0`, "e"]]))
      expect(written).toEqual({
        stdout: "\u001B[1mabc \u001B[22m\nabc  Pay 0  e\n",
        stderr: "abc \n\u001B[31md\u001B[39m\n"
      })
    })
  )

  it.effect("writes logs to standard error, even in the JSON modes", () =>
    Effect.gen(function* () {
      const { host, written } = hostWith(false)
      const output = Output.make({ ...flags, jsonLines: true }, host)
      const failed = Effect.logError("A listener failed.", Cause.die(new RangeError("too\u001B[2J deep")))
      yield* Effect.provide(failed, logger.layer(output))
      expect(written).toEqual({ stdout: "", stderr: "A listener failed. RangeError: too deep\n" })
    })
  )

  test("formats more rows than a function call accepts arguments", () => {
    const rows = Array.from({ length: 150_000 }, () => ["a"])
    expect(() => Math.max(...rows.map((row) => row.length))).toThrow(RangeError)
    expect(Output.table(rows).length).toBe(150_000 * 2 - 1)
  })

  test("strips control sequences from untrusted text", () => {
    const evil = "US\u001B[2J\u001B]8;;http://x\u0007DC\u0007\r\n\u202Egnp\u200B\u009B31m"
    expect(Output.stripControls(evil)).toBe("USDC gnp")
  })
})
