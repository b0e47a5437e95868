import { describe, expect, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import { Id, Swap } from "../src/index.js"
import { decoded, refuses, survivesTheWire } from "./roundTrip.js"

const Text = Schema.optionalKey(Schema.String)

/** Some swaps, with ids that are simple enough to be generated. */
const Swaps = Schema.StructWithRest(
  Schema.Struct({
    swapId: Schema.String.check(Schema.isPattern(/^[0-9A-Za-z_:/+=-]{2,40}$/)),
    status: Schema.Literals(["pending", "settled", "failed", "refunded"]),
    originTxHash: Text,
    deliveryTxHash: Text,
    refundTxHash: Text,
    failureCode: Text
  }),
  [Schema.Record(Schema.String, Schema.Unknown)]
)

describe("a swap", () => {
  survivesTheWire("swap", Swap.Swap, 200, Swaps)

  it.each([
    ["pending", "pending"],
    ["settled", "settled"],
    ["failed", "failed"],
    ["refunded", "refunded"],
    ["SETTLED", "settled"],
    ["Refunded", "refunded"],
    ["confirming", "pending"],
    ["settled ", "pending"],
    ["toString", "pending"],
    ["__proto__", "pending"],
    ["", "pending"]
  ])("with the status %j is treated as %s", (wire, status) => {
    expect(decoded(Swap.Swap, { swapId: "s", status: wire }).status).toBe(status)
    expect(decoded(Swap.Status, wire)).toBe(status)
  })

  it.each([
    [{ swapId: "", status: "pending" }],
    [{ status: "pending" }],
    [{ swapId: "s" }],
    [{ swapId: "s", status: 1 }]
  ])("is not %j", (wire) => {
    expect(refuses(Swap.Swap, wire)).toBe(true)
  })

  it.each(["a", "swap-1", "a/../b", "01J8~:+/_=", ".a", "x".repeat(128)])("may have the id %j", (swapId) => {
    expect(Id.isSwapId(swapId)).toBe(true)
    expect(decoded(Swap.Swap, { swapId, status: "pending" }).swapId).toBe(swapId)
  })

  it.each([
    "",
    ".",
    "..",
    "a b",
    "a\n",
    "é",
    "\ud800",
    "\u0000",
    "1;ls",
    "$(ls)",
    "a?b#c",
    `0x${"ab".repeat(65)}`,
    "x".repeat(129),
    5,
    null,
    undefined
  ])("cannot have the id %j", (swapId) => {
    expect(Id.isSwapId(swapId)).toBe(false)
    expect(refuses(Swap.Swap, { swapId, status: "pending" })).toBe(true)
  })

  it("treats null as missing", () => {
    const empty = { originTxHash: null, deliveryTxHash: null, refundTxHash: null, failureCode: null }
    expect(decoded(Swap.Swap, { swapId: "s", status: "pending", ...empty })).toStrictEqual({
      swapId: "s",
      status: "pending"
    })
    expect(refuses(Swap.Swap, { swapId: null, status: "pending" })).toBe(true)
    expect(refuses(Swap.Swap, { swapId: "s", status: null })).toBe(true)
  })

  it("keeps unknown fields and failure codes when it is decoded and encoded", () => {
    const wire = {
      swapId: "s",
      status: "failed",
      failureCode: "MOON_IS_FULL",
      steps: [1, { at: null }],
      refundTxHash: "h"
    }
    expect(Schema.encodeSync(Swap.Swap)(decoded(Swap.Swap, wire))).toStrictEqual(wire)
  })

  it.each([
    ["pending", false],
    ["settled", true],
    ["failed", true],
    ["refunded", true]
  ] as const)("that is %s is terminal: %s", (status, ended) => {
    expect(Swap.isTerminal({ status })).toBe(ended)
  })
})
