import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { describe, expect, test } from "vitest"
import type { Host } from "../src/internal/host.js"
import * as Output from "../src/Output.js"

const flags = { json: false, jsonLines: false, plain: false }

/** A process whose streams are terminals or not, and what was written to them. */
const hostWith = (stdout: boolean, environment: Host["environment"] = { TERM: "xterm" }) => {
  const written = { stdout: "", stderr: "" }
  const host: Host = {
    environment,
    folder: "/",
    home: "/",
    terminals: { stdin: stdout, stdout, stderr: stdout },
    columns: 100,
    write: (stream, text) => void (written[stream] += text)
  }
  return { host, written }
}

const modeOf = (given: Partial<typeof flags>, host: Host) => Output.make({ ...flags, ...given }, host).mode

describe("Output", () => {
  test("has a mode by the flags, and by whether a terminal listens", () => {
    expect(modeOf({}, hostWith(true).host)).toBe("terminal")
    expect(modeOf({}, hostWith(false).host)).toBe("lines")
    expect(modeOf({ plain: true }, hostWith(true).host)).toBe("lines")
    expect(modeOf({}, hostWith(true, { TERM: "dumb" }).host)).toBe("lines")
    expect(modeOf({ json: true }, hostWith(true).host)).toBe("json")
    expect(modeOf({ json: true, jsonLines: true }, hostWith(false).host)).toBe("json-lines")
  })

  test("has colour at a terminal alone, unless NO_COLOR says otherwise", () => {
    const bold = (host: Host, given: Partial<typeof flags> = {}) =>
      Output.make({ ...flags, ...given }, host).style.bold("x")
    expect(bold(hostWith(true).host)).toBe("\u001B[1mx\u001B[22m")
    expect(bold(hostWith(false).host)).toBe("x")
    expect(bold(hostWith(true, { NO_COLOR: "1" }).host)).toBe("x")
    expect(bold(hostWith(true).host, { plain: true })).toBe("x")
    expect(bold(hostWith(true).host, { json: true })).toBe("x")
  })

  it.effect("keeps standard output for the answer: words for people, or one value for programs", () =>
    Effect.gen(function* () {
      const value = { amount: 12345678901234567890n }
      const people = hostWith(false)
      const output = Output.make(flags, people.host)
      yield* output.answer(value, () => "words")
      yield* output.remark("aside")
      expect(people.written).toEqual({ stdout: "words\n", stderr: "aside\n" })

      const programs = hostWith(false)
      const json = Output.make({ ...flags, json: true }, programs.host)
      yield* json.line("nothing of this")
      yield* json.answer(value, () => "words")
      yield* json.remark("aside")
      expect(programs.written).toEqual({ stdout: '{\n  "amount": "12345678901234567890"\n}\n', stderr: "aside\n" })

      const lines = hostWith(false)
      const jsonLines = Output.make({ ...flags, jsonLines: true }, lines.host)
      yield* jsonLines.json({ a: 1 })
      yield* jsonLines.json({ b: [2] })
      expect(lines.written.stdout).toBe('{"a":1}\n{"b":[2]}\n')
    })
  )

  test("lines tables up by what is seen, not by what is sent", () => {
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
      Output.block([
        ["one", "1"],
        ["none", undefined],
        ["three", "3"]
      ])
    ).toBe("one    1\nthree  3")
  })

  test("strips what a foreign text could do to a terminal", () => {
    const evil = "US\u001B[2J\u001B]8;;http://x\u0007DC\u0007\r\n\u202Egnp\u200B\u009B31m"
    expect(Output.clean(evil)).toBe("USDC gnp")
  })
})
