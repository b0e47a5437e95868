import { stripVTControlCharacters } from "node:util"
import { expect, it } from "@effect/vitest"
import type { Payment, Quote, Swap, SwapEvent } from "@geoswap/core"
import * as Effect from "effect/Effect"
import * as Directory from "../src/chains/Directory.js"
import { make } from "../src/output/Output.js"
import { fromProcess } from "../src/node/Host.js"
import { formatEvent, frame } from "../src/swap/progress.js"
import * as History from "../src/swap/History.js"
import * as Outcome from "../src/swap/outcome.js"
import { paymentTerms } from "../src/swap/payment.js"
import { formatTerms } from "../src/swap/formatTerms.js"
import { termsToJson } from "../src/swap/termsToJson.js"
import * as Terms from "../src/swap/terms.js"

const address = (digit: string) => `0x${digit.repeat(40)}` as const

const chainOf = (id: number, name: string): Directory.KnownChain => {
  const [only] = Directory.make(
    [
      {
        id,
        name,
        aliases: [],
        family: "evm",
        tokens: [{ symbol: "USDC", address: address("1"), decimals: 6 }]
      }
    ],
    []
  ).chains
  if (only === undefined) throw new Error("There is one chain.")
  return only
}

const chainToken = (id: number, name: string): Directory.ChainToken => {
  const chain = chainOf(id, name)
  const [token] = chain.tokens
  if (token === undefined) throw new Error("There is one token.")
  return { chain, token }
}

const quote: SwapEvent.QuotePreview = {
  output: 9_900_000n,
  minOutput: 9_800_000n,
  feeBps: 10,
  expiresAt: new Date(0),
  costs: {
    fee: { bps: 10 },
    network: { bps: 10 },
    impact: { bps: 80 },
    total: { bps: 100 }
  },
  networkCost: 10_000n
}

const request = {
  originChain: 1,
  destinationChain: 2,
  inputToken: address("1"),
  outputToken: address("1"),
  amount: 10_000_000n,
  walletAddress: address("a"),
  slippageBps: 102
}

const terms: Terms.Terms = {
  origin: chainToken(1, "One"),
  destination: chainToken(2, "Two"),
  request,
  quote,
  signs: true,
  delegation: { needed: false, contract: address("d"), pinned: true },
  recipient: { text: "the same wallet", own: true }
}

const { style } = make({ json: false, jsonLines: false, plain: true }, fromProcess())
const format = (changed: Partial<Terms.Terms> = {}) => formatTerms({ ...terms, ...changed }, style)

const swap = (fields: Partial<Swap.Swap>): Swap.Swap => ({ swapId: "s1", status: "pending", ...fields })

const show = (events: ReadonlyArray<SwapEvent.SwapEvent>, now = 1_000, width = 100) =>
  frame({ events, quotedAt: 1_000 }, now, style, width)

it("shows the signed fields last: exact input, minimum output and recipient", () => {
  expect(
    format()
      .split("\n")
      .map((line) => line.replace(/ +/g, " "))
  ).toEqual([
    "Receive 9.9 USDC on Two (2)",
    "Rate 1 USDC on One = 0.99 USDC on Two",
    "Fee 0.1%",
    "Network cost 0.01 USDC",
    "Price impact 0.8%",
    "Total cost 1%, already deducted",
    "Slippage 1.02%",
    "Refund the entire input, minus the network cost if delivery fails because of the recipient",
    "Deadline at most 180 seconds after signing; checked before signing",
    "Delegation already in place, so no authorization is signed",
    "Pay 10 USDC (10000000 units) on One (1)",
    ` token ${address("1")}`,
    `From ${address("a")}`,
    "At least 9.8 USDC (9800000 units); otherwise the input is refunded",
    ` token ${address("1")}`,
    `To ${address("a")} (the same wallet)`
  ])
  const recipient = { text: "a different wallet", own: false }
  expect(format({ request: { ...request, recipient: address("b") }, recipient })).toContain(
    `${address("b")} (a different wallet)`
  )
  expect(format({ signs: false, delegation: undefined })).not.toMatch(/Deadline|Delegation/)
})

it("shows a quote in the order in which a user reads it: what is paid, what is received, and the costs", () => {
  const names = format({ signs: false, delegation: undefined, payer: "alice", seconds: 4 })
    .split("\n")
    .map((line) => line.split("  ")[0])
  expect(names).toEqual(
    [
      "Pay",
      "",
      "From",
      "Receive",
      "At least",
      "",
      "To",
      "Rate",
      "Fee",
      "Network cost",
      "Price impact",
      "Total cost"
    ].concat(["Slippage", "Refund", "Expected time"])
  )
  expect(format({ payer: "alice" })).toContain(`${address("a")} (alice)`)
})

it("shows the fee, the network cost and the price impact in dollars, and one total", () => {
  const shown = (fields: Partial<SwapEvent.QuotePreview>) =>
    format({ quote: { ...quote, ...fields } })
      .split("\n")
      .filter((line) => /^(Fee|Network|Price|Total)/.test(line))
      .map((line) => line.replace(/ +/g, " "))
  const costs = {
    fee: { bps: 10, usd: 0.0005 },
    network: { bps: 2_290, usd: 0.1145 },
    impact: { bps: 0, usd: 0 },
    total: { bps: 2_300, usd: 0.115 }
  }
  expect(shown({ costs, networkCost: 2_290_000n })).toEqual([
    "Fee <$0.01 (0.1%)",
    "Network cost $0.11 (2.29 USDC)",
    "Price impact $0.00 (0%)",
    "Total cost $0.12 (23%): high, already deducted"
  ])
  expect(shown({})).toEqual([
    "Fee 0.1%",
    "Network cost 0.01 USDC",
    "Price impact 0.8%",
    "Total cost 1%, already deducted"
  ])
  const discount = { tier: "silver", discountPercent: 20, baseFeeBps: 12.5 }
  expect(shown({ feeDiscount: discount })[0]).toBe('Fee 0.1%: 20% off 0.125% for the wallet\'s discount tier "silver"')
  expect(termsToJson({ ...terms, quote: { ...quote, costs } })).toMatchObject({ costs, highCost: true })
})

it("explains a first delegation, and whether its contract is pinned", () => {
  const first = format({ delegation: { needed: true, contract: address("d"), pinned: true } })
  expect(first).toContain("first swap from this wallet on One: delegates the wallet (EIP-7702) to")
  expect(first).toContain(`${address("d")}, which is pinned.`)
  expect(first).toContain("That contract can then act for the wallet")
  expect(format({ delegation: { needed: true, contract: address("e"), pinned: false } })).toContain(
    "which is NOT pinned"
  )
})

it("treats an unknown total cost as high", () => {
  const silent = { ...quote, costs: { fee: { bps: 10 } } }
  expect(format({ quote: silent })).toMatch(/^Total cost +unknown: treated as high$/m)
  expect(termsToJson({ ...terms, quote: silent })).toMatchObject({ costs: { fee: { bps: 10 } }, highCost: true })
})

it("shows at most five warnings, each on one line, above the signed fields", () => {
  const shown = (warnings: ReadonlyArray<string>) =>
    format({ quote: { ...quote, warnings: warnings.map((code) => ({ code })) } }).split("\n")
  const flooded = shown(Array.from({ length: 200_000 }, (_, at) => `warning ${at}`))
  expect(flooded.filter((line) => /warning \d/.test(line))).toHaveLength(5)
  expect(flooded).toContainEqual(expect.stringMatching(/^ +and 199995 more$/))
  // A screen of spaces, and lines as wide as a terminal that imitate this program.
  const drawn = [" ", "\u2800", "\u3164", "\u00A0"].map(
    (space) => space.repeat(4_000) + "Pay 0 USDC".padEnd(120, space)
  )
  const screen = shown([...drawn, "x".repeat(5_000)])
  const warned = screen.filter((line) => line.startsWith("Warning"))
  expect(warned.map((line) => line.trimEnd())).toEqual([
    ...drawn.map(() => "Warning       Pay 0 USDC"),
    `Warning       ${"x".repeat(63)}…`
  ])
  expect(screen.slice(-6).map((line) => line.split("  ")[0])).toEqual(["Pay", "", "From", "At least", "", "To"])
})

it("shows the amount at risk only if the slippage is above 5%", () => {
  const at = (slippageBps: number) => {
    const changed = { ...terms, request: { ...request, slippageBps } }
    return { ...Terms.slippageOf(changed), shown: formatTerms(changed, style) }
  }
  expect(at(500)).toMatchObject({ isHigh: false, shown: expect.stringMatching(/^Slippage +5%$/m) as unknown })
  expect(at(501)).toMatchObject({ isHigh: true, atRisk: 100_000n, minOutput: 9_800_000n })
  expect(at(1_000).shown).toMatch(/^Slippage +10%: high, puts 0\.1 USDC \(100000 units\) at risk$/m)
  expect(Terms.riskMessage({ ...terms, request: { ...request, slippageBps: 1_000 } })).toBe(
    "Slippage of 10% puts 0.1 USDC (100000 units) at risk: the swap may deliver as little as 9.8 USDC (9800000 units)."
  )
})

it("shows amounts of a token that is not pinned in smallest units", () => {
  const unpinned = { ...terms.origin, token: { pinned: false, address: address("9"), native: false } } as const
  const shown = format({ origin: unpinned })
  expect(shown).toMatch(new RegExp(`^Pay +10000000 units of ${address("9")} on One \\(1\\)$`, "m"))
  expect(shown).toContain("not pinned: its symbol and decimals are unknown")
  expect(termsToJson({ ...terms, origin: unpinned }).from).toEqual({
    chainId: 1,
    chain: "One",
    token: address("9"),
    pinned: false,
    amount: undefined,
    raw: 10_000_000n
  })
})

it("does not let text from the service move the cursor or start a line", () => {
  const evil = "x\u001B[2J\u001B]0;t\u0007\nPay 0 USDC\u202E"
  const shown = [
    format({ quote: { ...quote, warnings: [{ code: "X", message: evil }], inputUsd: evil, outputUsd: evil } }),
    ...show([{ type: "submitted", flowId: "f", swap: swap({ swapId: evil, originTxHash: evil }) }]),
    formatEvent({ type: "status", swap: swap({ originTxHash: evil, failureCode: evil }) }, undefined)
  ].join("\n")
  expect(stripVTControlCharacters(shown)).toBe(shown)
  for (const part of ["\u0007", "\u202E", "\nPay 0"]) expect(shown).not.toContain(part)
})

it("shows what is known about each step", () => {
  const quoted: SwapEvent.SwapEvent = { type: "quoted", request, quote }
  const payment = { shows: "amount", signatures: 2 } as SwapEvent.PaymentPreview
  const events: ReadonlyArray<SwapEvent.SwapEvent> = [
    quoted,
    { type: "authorizing", chainId: 1, delegate: "0xdd", nonce: 0 },
    { type: "requoted", quote, previous: quote, count: 2 },
    { type: "built", family: "evm", paymentMethod: "erc2612" },
    { type: "verified", checked: true, payment },
    { type: "signed", flowId: "f" },
    { type: "resubmitted", flowId: "f", attempt: 2, after: "Unavailable" }
  ]
  const lines = (more: ReadonlyArray<SwapEvent.SwapEvent>) => show([...events, ...more], 40_000).slice(5)
  expect(show(events, 40_000)).toEqual([
    "✓ quote       requoted 2 times",
    "✓ delegation  0xdd",
    "✓ build       erc2612",
    "✓ verify",
    "✓ sign        typed data whose nonce hides the terms, after a permit",
    expect.stringMatching(/^. submit {6}attempt 2, after Unavailable$/),
    "· payment",
    "· delivery"
  ])
  const submitted: SwapEvent.SwapEvent = { type: "submitted", flowId: "f", swap: swap({ originTxHash: "0x1" }) }
  expect(lines([submitted])).toEqual(["✓ submit      s1", "✓ payment     0x1", expect.stringMatching(/^. delivery$/)])
  const end = (fields: Partial<Swap.Swap>) => lines([submitted, { type: "done", swap: swap(fields) }]).slice(1)
  expect(end({ status: "refunded", originTxHash: "0x1", refundTxHash: "0x3" })).toEqual([
    "✓ payment     0x1",
    "✗ delivery",
    "✓ refund      0x3"
  ])
  expect(end({ status: "failed", failureCode: "REVERTED" })).toEqual(["✗ payment     REVERTED", "· delivery"])
  expect(show([quoted, { type: "built", family: "evm" }, { type: "verified", checked: false }], 40_000)).toEqual(
    expect.arrayContaining(["– delegation  not needed", "– verify      nothing to check"])
  )
})

it("counts down until the quote expires or is built, and fits every line into the terminal", () => {
  const quoted: ReadonlyArray<SwapEvent.SwapEvent> = [{ type: "quoted", request, quote }]
  expect(show(quoted, 1_000)[0]).toContain("price valid for 30 s")
  expect(show(quoted, 30_500)[0]).toContain("price valid for 1 s")
  expect(show(quoted, 31_500)[0]).not.toContain("price valid")
  expect(show([...quoted, { type: "built", family: "evm" }], 1_000)[0]).not.toContain("price valid")
  const long: ReadonlyArray<SwapEvent.SwapEvent> = [
    { type: "submitted", flowId: "f", swap: swap({ swapId: "s".repeat(200) }) }
  ]
  for (const line of show(long, 1_000, 40)) expect(line.length).toBeLessThanOrEqual(40)
})

const chains = [chainOf(1, "One"), chainOf(2, "Two")]
const directory: Directory.Directory = { ...Directory.make([], []), chains }
const origin: History.Origin = { flowId: "f1", createdAt: 0, request, output: 9_900_000n }
const entryOf = (reported: Swap.Swap, known?: History.Origin | History.Entry) =>
  Effect.runSync(Effect.provideService(History.entryOf(reported, known), Directory.Directory, directory))

const settled = swap({
  status: "settled",
  deliveryTxHash: "0xd",
  input: { chainId: 1, token: address("1"), amount: 10_000_000n },
  quotedOutput: { chainId: 2, token: address("1"), amount: 9_900_000n },
  output: { chainId: 2, token: address("1"), amount: 9_900_000n },
  feeBps: 12.5,
  networkCost: 10_000n,
  recipient: address("b"),
  acceptedAt: new Date("2026-01-01T00:00:00.000Z"),
  collectedAt: new Date("2026-01-01T00:00:04.200Z"),
  finishedAt: new Date("2026-01-01T00:01:07.000Z")
})

const linesOf = (entry: History.Entry) =>
  Outcome.format(entry, style)
    .split("\n")
    .map((line) => line.replace(/ +/g, " "))

it("shows what a settled swap paid, delivered and cost, and when", () => {
  expect(linesOf(entryOf(settled, origin))).toEqual([
    "Swap id s1",
    "Status settled: the service says that the output was delivered; no node of yours has confirmed it",
    "Swap 10 USDC on One for 9.9 USDC on Two",
    "Received 9.9 USDC on Two",
    "Fee 0.125%",
    "Network cost 0.01 USDC",
    `To ${address("a")}`,
    "Delivered in 0xd",
    "Accepted 2026-01-01 00:00:00 UTC",
    "Paid 2026-01-01 00:00:04 UTC, after 4.2 s",
    "Delivered 2026-01-01 00:01:07 UTC, after 67.0 s"
  ])
})

it("shows what a refunded swap returned, and marks an amount that is not the expected one", () => {
  const refund = { chainId: 1, token: address("1"), amount: 9_990_000n }
  const { output: _, ...rest } = settled
  const refunded = entryOf({ ...rest, status: "refunded", failureCode: "REVERTED", refund }, origin)
  expect(refunded.refunded).toEqual({
    chainId: 1,
    chain: "One",
    token: address("1"),
    symbol: "USDC",
    amount: "9.99",
    raw: "9990000"
  })
  expect(linesOf(refunded)).toEqual(
    expect.arrayContaining([
      "Status refunded: the service says that the input was returned; that is not proved, so the output may still be delivered",
      "Reason REVERTED",
      "Returned 9.99 USDC on One, not 10",
      "Refunded 2026-01-01 00:01:07 UTC, after 67.0 s"
    ])
  )
})

it("says that an amount is below the agreed minimum", () => {
  const output = { chainId: 2, token: address("1"), amount: 9_700_000n }
  const less = entryOf({ ...settled, output, minOutput: 9_800_000n }, origin)
  expect(linesOf(less)).toContain("Received 9.7 USDC on Two, not 9.9; that is below the agreed minimum")
  // A later report does not contain the minimum.
  expect(entryOf({ ...settled, output }, less).belowMinimum).toBe(true)
  expect(entryOf({ ...settled, output, minOutput: 9_700_000n }, origin)).not.toHaveProperty("belowMinimum")
})

it("says that the service reports the terms of a swap that was not started on this machine", () => {
  const entry = entryOf(settled)
  expect(entry).toMatchObject({ from: { raw: "10000000" }, to: { raw: "9900000" }, recipient: address("b") })
  expect(linesOf(entry)).toEqual(expect.arrayContaining([" not started on this machine: as the service reports it"]))
  expect(linesOf(entryOf(swap({ status: "settled" })))).toEqual([
    "Swap id s1",
    "Status settled: the service says that the output was delivered; no node of yours has confirmed it"
  ])
})

it("does not let the service change the terms of a swap that was started on this machine", () => {
  const other = { chainId: 2, token: address("9"), amount: 1n }
  const lies = { ...settled, input: other, quotedOutput: other, output: other, recipient: address("9"), feeBps: 0 }
  const signed = { ...entryOf(settled, origin), updatedAt: expect.any(String) as string }
  const { delivered: _, ...undelivered } = signed
  const { feeBps: fee, networkCost: cost, ...expected } = undelivered
  // The fee and the network cost are known only if they were stored, in the second case.
  expect(entryOf(lies, origin)).toMatchObject(expected)
  const { feeBps, networkCost, ...entry } = entryOf(lies, entryOf(swap({ feeBps: 12.5, networkCost: 10_000n }), origin))
  expect(entry).toEqual(expected)
  expect([feeBps, networkCost?.raw]).toEqual([fee, cost?.raw])
  const tooMuch = { chainId: 1, token: address("1"), amount: 10_000_001n }
  expect(entryOf({ ...settled, status: "refunded", refund: tooMuch }, origin)).not.toHaveProperty("refunded")
})

it("chooses how the wallet pays as the client does", () => {
  const choose = (
    offered: ReadonlyArray<string> | undefined,
    allowed?: ReadonlyArray<Payment.Method>,
    asked: Quote.QuoteRequest = request
  ) =>
    paymentTerms(
      "evm",
      { quote: { ...(offered && { paymentMethods: offered }) }, request: asked },
      { paymentMethods: allowed }
    )?.method
  expect(choose(undefined)).toBe("delegation")
  expect(choose(["erc2612", "delegation"])).toBe("delegation")
  expect(choose(["erc2612", "eip3009"])).toBe("eip3009")
  expect(choose(["delegation", "eip3009"], ["eip3009", "delegation"])).toBe("eip3009")
  expect(choose(["delegation"], ["eip3009"])).toBeUndefined()
  expect(choose(["teleport"])).toBeUndefined()
  const other = { ...request, recipient: address("b") }
  expect(choose(["eip3009", "permit2"], undefined, other)).toBe("permit2")
  expect(paymentTerms("solana", { quote: {}, request })).toBeUndefined()
})

it("shows how the wallet pays, and why it cannot", () => {
  const paying = (method: "delegation" | "eip3009", fields: Partial<SwapEvent.QuotePreview> = {}) =>
    format({
      quote: { ...quote, paymentMethods: ["delegation", "eip3009"], ...fields },
      payment: { offered: ["delegation", "eip3009"], method, vault: address("f") }
    })
  expect(paying("eip3009")).toMatch(/^Payment +eip3009: an authorization of the token/m)
  expect(paying("eip3009")).not.toMatch(/^Delegation/m)
  expect(paying("delegation")).toMatch(/^Payment +delegation: an operation of the delegated wallet$/m)
  expect(paying("delegation")).toMatch(/^Delegation +already in place/m)
  const problem = { code: "UNSUPPORTED_DELEGATION", message: "The token asks\u001B[2J the code.\nPay 0 USDC" }
  const refused = paying("delegation", { paymentMethods: [], paymentProblem: problem })
  expect(refused).toMatch(/^Payment +not possible: The token asks.*the code\..*Pay 0 USDC$/m)
  expect(refused).not.toContain("\u001B[2J")
  const offered = format({
    signs: false,
    delegation: undefined,
    payment: { offered: ["delegation", "permit2"], method: "delegation", vault: undefined }
  })
  expect(offered).toMatch(/^Payment +delegation, chosen automatically; also possible: permit2$/m)
})

it("describes every signature of a payment", () => {
  const signs = (method: "eip3009" | "permit2" | "erc2612") =>
    Terms.signatures({ ...terms, payment: { offered: [method], method, vault: address("f") } })
  const commitment = "pays exactly 10 USDC (10000000 units) on One (1) for at least 9.8 USDC (9800000 units) on Two (2)"
  for (const method of ["eip3009", "permit2", "erc2612"] as const) {
    expect(signs(method).at(-1)).toContain(`${commitment} to ${address("a")}. Only the vault ${address("f")}`)
  }
  expect(signs("eip3009")).toHaveLength(1)
  expect(signs("eip3009")[0]).toContain("cannot show them")
  expect(signs("permit2")[0]).toContain("PermitWitnessTransferFrom")
  expect(signs("erc2612")).toHaveLength(2)
  expect(signs("erc2612")[0]).toContain("transfer exactly 10 USDC (10000000 units). It pays nothing without the second")
})

it("reports the method and what is signed", () => {
  const payment = { method: "eip3009", shows: "amount", signatures: 1 } as SwapEvent.PaymentPreview
  const verified = { type: "verified", checked: true, payment } as const
  expect(formatEvent({ type: "built", family: "evm", deadline: 0, paymentMethod: "eip3009" }, undefined)).toBe(
    "built: expires at 1970-01-01T00:00:00.000Z, paid with eip3009"
  )
  expect(formatEvent(verified, undefined)).toBe(
    "verified: matches the accepted quote; signs typed data whose nonce hides the terms"
  )
  expect(formatEvent({ ...verified, payment: { ...payment, shows: "terms", signatures: 2 } }, undefined)).toBe(
    "verified: matches the accepted quote; signs typed data with all terms, after a permit"
  )
})
