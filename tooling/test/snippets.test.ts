import { expect, it } from "vitest"
import { extract, locate } from "../checks/snippets.ts"

const fence = "```"

it("extracts ts and tsx blocks with the line of their first line of code", () => {
  const markdown = ["# Title", "", `${fence}ts`, "const a = 1", fence, `${fence}tsx`, "<a />", "<b />", fence].join(
    "\n"
  )
  expect(extract(markdown)).toEqual([
    { line: 4, language: "ts", checked: true, code: "const a = 1" },
    { line: 7, language: "tsx", checked: true, code: "<a />\n<b />" }
  ])
})

it("ignores other languages and blocks without a language", () => {
  expect(extract([`${fence}sh`, "ls", fence, fence, "text", fence, "ts"].join("\n"))).toEqual([])
})

it("marks a block that opts out", () => {
  expect(extract([`${fence}ts no-check`, "nonsense(", fence].join("\n"))).toMatchObject([{ checked: false }])
})

it("removes the indentation of a block in a list", () => {
  expect(extract(["- item", `  ${fence}ts`, "  if (a) {", "    b()", "  }", `  ${fence}`].join("\n"))).toMatchObject([
    { line: 3, code: "if (a) {\n  b()\n}" }
  ])
})

it("does not end a block at a shorter fence within it", () => {
  expect(extract(["````md", `${fence}ts`, "a", fence, "````"].join("\n"))).toEqual([])
})

it("names the markdown file in compiler messages", () => {
  expect(locate("docs/a.md/12.ts(14,3): error TS1: no\n  more")).toBe("docs/a.md:14:3: error TS1: no\n  more")
})
