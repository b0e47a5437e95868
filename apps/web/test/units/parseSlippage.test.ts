import { expect, test } from "vitest"
import { parseSlippage } from "../../src/form/parseSlippage.js"

test("parseSlippage reads percentages exactly, and reports what it cannot read", () => {
  const parsed = [
    ["", {}],
    [" ", {}],
    ["0.5", { bps: 50 }],
    ["0,5", { bps: 50 }],
    ["0.29%", { bps: 29 }],
    [" 1 % ", { bps: 100 }],
    [".5", { bps: 50 }],
    ["5.", { bps: 500 }],
    ["0.10", { bps: 10 }],
    ["100", { bps: 10_000 }],
    ["abc", { error: "number" }],
    ["1e1", { error: "number" }],
    ["-1", { error: "number" }],
    [".", { error: "number" }],
    ["1.000,5", { error: "number" }],
    ["0.001", { error: "step" }],
    ["0.005", { error: "step" }],
    ["101", { error: "range" }]
  ] as const
  expect(parsed.map(([text]) => parseSlippage(text))).toEqual(parsed.map(([, result]) => result))
})
