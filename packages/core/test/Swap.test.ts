import { describe, expect, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import { Id, Swap } from "../src/index.js"
import { decoded, refuses, survivesTheWire } from "./roundTrip.js"

const usdc = "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913"
const Text = Schema.optionalKey(Schema.String)
const Amount = Schema.optionalKey(
  Schema.Struct({
    chainId: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 2 ** 40 })),
    token: Schema.String.check(Schema.isPattern(/^[0-9A-Za-z]{1,44}$/)),
    amount: Schema.BigInt.check(Schema.isBetweenBigInt({ minimum: 0n, maximum: 2n ** 256n - 1n }))
  })
)

/** Some swaps, with ids that are simple enough to be generated. */
const Swaps = Schema.StructWithRest(
  Schema.Struct({
    swapId: Schema.String.check(Schema.isPattern(/^[0-9A-Za-z_:/+=][0-9A-Za-z_:/+=-]{1,39}$/)),
    status: Schema.Literals(["pending", "settled", "failed", "refunded"]),
    originTxHash: Text,
    deliveryTxHash: Text,
    refundTxHash: Text,
    failureCode: Text,
    input: Amount,
    quotedOutput: Amount,
    output: Amount,
    refund: Amount
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

  it.each(["a", "swap-1", "a/../b", "01J8~:+/_=", "a.-", "x".repeat(128)])("may have the id %j", (swapId) => {
    expect(Id.isSwapId(swapId)).toBe(true)
    expect(decoded(Swap.Swap, { swapId, status: "pending" }).swapId).toBe(swapId)
  })

  it.each([
    "",
    ".",
    "..",
    ".a",
    "-",
    "--url=https://evil.example",
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

  it("reads what the service reports about its amounts and times", () => {
    const wire = {
      swapId: "s",
      status: "settled",
      input: { chainId: 8453, token: usdc, amount: "10000000" },
      quotedOutput: { chainId: 42161, token: usdc, amount: 9_990_000 },
      output: { chainId: 42161, token: usdc, amount: `${2n ** 256n - 1n}`, since: "v2" },
      refund: { chainId: 8453, token: usdc, amount: "0" },
      feeBps: "12.5",
      networkCost: "4200",
      recipient: usdc,
      acceptedAt: "2026-01-01T00:00:00.000Z",
      collectedAt: 1_767_225_605,
      finishedAt: 1_767_225_610_500
    }
    expect(decoded(Swap.Swap, wire)).toStrictEqual({
      swapId: "s",
      status: "settled",
      input: { chainId: 8453, token: usdc, amount: 10_000_000n },
      quotedOutput: { chainId: 42161, token: usdc, amount: 9_990_000n },
      output: { chainId: 42161, token: usdc, amount: 2n ** 256n - 1n, since: "v2" },
      refund: { chainId: 8453, token: usdc, amount: 0n },
      feeBps: 12.5,
      networkCost: 4_200n,
      recipient: usdc,
      acceptedAt: new Date("2026-01-01T00:00:00.000Z"),
      collectedAt: new Date("2026-01-01T00:00:05.000Z"),
      finishedAt: new Date("2026-01-01T00:00:10.500Z")
    })
  })

  const amounts = ["input", "quotedOutput", "output", "refund"] as const
  const times = ["acceptedAt", "collectedAt", "finishedAt"] as const
  it.each([
    ...amounts.flatMap((field) =>
      [
        "5",
        5,
        [],
        {},
        { chainId: 1, token: usdc },
        { chainId: 0, token: usdc, amount: "1" },
        { chainId: "1", token: usdc, amount: "1" },
        { chainId: 2 ** 60, token: usdc, amount: "1" },
        { chainId: 1, token: "", amount: "1" },
        { chainId: 1, token: "USDC\u001B[2J", amount: "1" },
        { chainId: 1, token: "a".repeat(129), amount: "1" },
        { chainId: 1, token: usdc, amount: "-1" },
        { chainId: 1, token: usdc, amount: "1e3" },
        { chainId: 1, token: usdc, amount: 1.5 },
        { chainId: 1, token: usdc, amount: `${2n ** 256n}` },
        { chainId: 1, token: usdc, amount: "9".repeat(10_000) }
      ].map((value) => [field, value] as const)
    ),
    ...times.flatMap((field) =>
      ["", "soon", "2026-99-99", "+275760-09-13T00:00:00.000Z", "1969-12-31T23:59:59.999Z", 1e300, -1, true, {}].map(
        (value) => [field, value] as const
      )
    ),
    ...[-1, 10_001, "much", {}].map((value) => ["feeBps", value] as const),
    ...["-1", 1.5, `${2n ** 256n}`, {}].map((value) => ["networkCost", value] as const),
    ...["", "a b", "<b>", "\u202E", 7, {}].map((value) => ["recipient", value] as const)
  ])("drops the invalid %s %j and keeps the rest", (field, value) => {
    const wire = { swapId: "s", status: "refunded", refundTxHash: "h", [field]: value }
    expect(decoded(Swap.Swap, wire)).toStrictEqual({ swapId: "s", status: "refunded", refundTxHash: "h" })
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
