import { describe, expect, it } from "vitest"
import { differences } from "./compare.js"
import * as Placeholders from "./placeholders.js"
import type { Exchange, Json } from "./transcripts.js"

const hex = (byte: string, count: number) => `0x${byte.repeat(count)}`
const uuid = (digit: string) => `${digit.repeat(8)}-0000-4000-8000-000000000000`

/** The exchanges of a submit and a status in one run. */
const run = (one: string, two: string) => ({
  submit: { geoOpToken: `go1.k1.${one.repeat(80)}`, signature: hex(`${one}${two}`, 65) },
  submitted: { swapId: uuid(one), status: "pending" },
  path: `/swap/status/${uuid(one)}`,
  ended: {
    swapId: uuid(one),
    status: "settled",
    originTxHash: hex(`1${one}`, 32),
    deliveryTxHash: hex(`2${one}`, 32)
  } as Record<string, Json>
})

type Run = ReturnType<typeof run>

const transcriptOf = ({ ended, path, submit, submitted }: Run): ReadonlyArray<Exchange> => {
  const { of, ofPath } = Placeholders.make()
  const exchange = (method: string, path: string, response: Json, body?: Json): Exchange => ({
    request: { method, path: ofPath(path), headers: {}, ...(body !== undefined && { body: of("body", body) }) },
    response: { status: 200, headers: {}, body: of("body", response) }
  })
  return [exchange("POST", "/swap/submit", submitted, submit), exchange("GET", path, ended)]
}

describe("placeholders", () => {
  it("make two runs of the same flow produce the same transcript", () => {
    const transcript = transcriptOf(run("a", "b"))
    expect(differences(transcript, transcriptOf(run("c", "d")))).toEqual([])
    expect(transcript[1]).toEqual({
      request: { method: "GET", path: "/swap/status/<uuid swapId#1>", headers: {} },
      response: {
        status: 200,
        headers: {},
        body: {
          swapId: "<uuid swapId#1>",
          status: "settled",
          originTxHash: "<hex32 originTxHash#1>",
          deliveryTxHash: "<hex32 deliveryTxHash#1>"
        }
      }
    })
  })

  it("replace the amount of an output, which depends on gas, but not the amount of an input", () => {
    const { of } = Placeholders.make()
    const amounts = (amount: string) => ({
      input: { amount },
      refund: { amount },
      output: { amount },
      quotedOutput: { amount }
    })
    expect(of("body", amounts("10"))).toEqual({
      input: { amount: "10" },
      refund: { amount: "10" },
      output: { amount: "<amount>" },
      quotedOutput: { amount: "<amount>" }
    })
    expect(of("body", { output: { amount: 10 } })).toEqual({ output: { amount: 10 } })
  })

  const good = run("a", "b")
  const { originTxHash: _, ...withoutOrigin } = good.ended
  const wrong: Readonly<Record<string, Run>> = {
    "another swap's id": { ...good, ended: { ...good.ended, swapId: uuid("f") } },
    "an id that is asked for and was not given": { ...good, path: `/swap/status/${uuid("f")}` },
    "one hash for both transactions": { ...good, ended: { ...good.ended, deliveryTxHash: hex("1a", 32) } },
    "a hash in upper case": { ...good, ended: { ...good.ended, originTxHash: hex("1A", 32) } },
    "a hash without its prefix": { ...good, ended: { ...good.ended, originTxHash: "1a".repeat(32) } },
    "a shorter hash": { ...good, ended: { ...good.ended, originTxHash: hex("1a", 31) } },
    "a hash that is null": { ...good, ended: { ...good.ended, originTxHash: null } },
    "no hash": { ...good, ended: withoutOrigin },
    "another status": { ...good, ended: { ...good.ended, status: "pending" } },
    "a number as id": { ...good, submitted: { ...good.submitted, swapId: 7 as unknown as string } },
    "one more field": { ...good, ended: { ...good.ended, route: "direct" } }
  }
  it.each(Object.entries(wrong))("%s shows", (_, changed) => {
    expect(differences(transcriptOf(good), transcriptOf(changed))).not.toEqual([])
  })

  const fields: ReadonlyArray<readonly [field: string, placeholder: string, fits: Json, others: ReadonlyArray<Json>]> =
    [
      ["message", "<message>", "Try again.", ["", 7, null]],
      ["output", "<amount>", "2500000000", ["2.5", "", "-1", "0x1", "01", 2500]],
      ["networkCost", "<amount>", "0", ["", 0]],
      ["outputUsd", "<usd>", "9.98", ["9.9", "9", 9.98]],
      ["priceImpactBps", "<bps>", -20, ["-20", null]],
      ["deadline", "<unixSeconds>", 1_767_225_690, ["0x12", 0.5]],
      ["validBefore", "<unixSeconds>", "1767225690", [1_767_225_690, "0x12"]],
      ["nonce", "<operationIndex>", "0", [0, "0x0"]],
      ["yParity", "<parity>", 1, [27, "1"]],
      ["expiresAt", "<iso8601>", "2026-01-01T00:00:30.000Z", ["2026-01-01T00:00:30Z", 1_767_225_630]],
      ["geoQuoteToken", "<geoQuoteToken#1>", `gq1.k1.${"x".repeat(80)}`, ["", "x", 7]]
    ]
  it.each(fields)("replace %s by its type, and values of other types not", (field, placeholder, fits, others) => {
    expect(Placeholders.make().of(field, fits)).toBe(placeholder)
    for (const other of others) expect(Placeholders.make().of(field, other)).toEqual(other)
  })

  it("keep the case of an address and the name of a known one", () => {
    const { name, of, ofPath } = Placeholders.make()
    const checksummed = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"
    name(hex("ab", 20), "vault")
    expect(of("walletAddress", checksummed)).toBe("<evmAddress walletAddress#1 checksummed>")
    expect(of("wallet", checksummed.toLowerCase())).toBe("<evmAddress walletAddress#1>")
    expect(of("vault", hex("ab", 20))).toBe("<vault>")
    expect(of("vault", hex("AB", 20))).toBe("<vault checksummed>")
    expect(ofPath(`/swap/delegation/1/${checksummed}`)).toBe(
      "/swap/delegation/1/<evmAddress walletAddress#1 checksummed>"
    )
    expect(ofPath(`/swap/delegation?chainId=1&walletAddress=${checksummed}`)).toBe(
      "/swap/delegation?chainId=1&walletAddress=<evmAddress walletAddress#1 checksummed>"
    )
  })

  it("are not renumbered by a new field", () => {
    const { of } = Placeholders.make()
    const body = { originTxHash: hex("1a", 32), newHash: hex("3a", 32), deliveryTxHash: hex("2a", 32) }
    expect(of("body", body)).toEqual({
      originTxHash: "<hex32 originTxHash#1>",
      newHash: "<hex32 newHash#1>",
      deliveryTxHash: "<hex32 deliveryTxHash#1>"
    })
  })
})
