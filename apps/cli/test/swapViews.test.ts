import { stripVTControlCharacters } from "node:util"
import { expect, it } from "@effect/vitest"
import type { Swap, SwapEvent } from "@geoswap/core"
import * as Directory from "../src/chains/Directory.js"
import { make } from "../src/output/Output.js"
import { ofProcess } from "../src/node/Host.js"
import { frame, lineOf } from "../src/swap/progress.js"
import * as Question from "../src/terminal/confirmBeforeExpiry.js"
import * as Steps from "../src/swap/steps.js"
import * as Terms from "../src/swap/terms.js"

const address = (digit: string) => `0x${digit.repeat(40)}`

const chainOf = (id: number, name: string): Directory.KnownChain => {
  const [only] = Directory.make(
    [
      {
        id,
        name,
        aliases: [],
        kind: "evm",
        rpcUrl: undefined,
        tokens: [{ symbol: "USDC", address: address("1"), decimals: 6 }]
      }
    ],
    []
  ).chains
  if (only === undefined) throw new Error("There is one chain.")
  return only
}

const place = (id: number, name: string): Directory.Place => {
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
  priceImpactBps: -100,
  networkCost: 10_000n
}

const request = {
  originChain: 1,
  destinationChain: 2,
  inputToken: address("1"),
  outputToken: address("1"),
  amount: 10_000_000n,
  walletAddress: address("a")
}

const terms: Terms.Terms = {
  origin: place(1, "One"),
  destination: place(2, "Two"),
  request,
  quote,
  signs: true,
  delegation: { needed: false, contract: address("d"), pinned: true }
}

const { style } = make({ json: false, jsonLines: false, plain: true }, ofProcess())
const words = (changed: Partial<Terms.Terms> = {}) => Terms.words({ ...terms, ...changed }, style)

const swap = (fields: Partial<Swap.Swap>): Swap.Swap => ({ swapId: "s1", status: "pending", ...fields })

const after = (...events: ReadonlyArray<SwapEvent.SwapEvent>) =>
  events.reduce((steps, event) => Steps.after(steps, event, 1_000), Steps.begin("quote"))

const show = (steps: Steps.Steps, now = 1_000, width = 100) => frame(steps, now, style, width)

it("says all that is signed, and what the signature binds last: exact input, least output, recipient", () => {
  expect(
    words()
      .split("\n")
      .map((line) => line.replace(/ +/g, " "))
  ).toEqual([
    "Receive 9.9 USDC (9900000 units) on Two (2)",
    "Fee 0.1%",
    "Network 0.01 USDC (10000 units), already taken out of what is received",
    "Slippage 1.01%",
    "Refund the whole input; less the network cost if the recipient cannot receive the output but others can",
    "Impact -1%",
    "Deadline at most 180 seconds from the signature; checked before it",
    "Delegation there already: no authorization is signed",
    "Pay 10 USDC (10000000 units) on One (1)",
    ` token ${address("1")}`,
    `From ${address("a")}`,
    "At least 9.8 USDC (9800000 units); otherwise the input comes back",
    ` token ${address("1")}`,
    `To ${address("a")} (the same wallet)`
  ])
  expect(words({ request: { ...request, recipient: address("b") } })).toContain(`${address("b")} (another wallet)`)
  expect(words({ signs: false, delegation: undefined })).not.toMatch(/Deadline|Delegation/)
})

it("says what a first delegation means, and whether its contract is pinned", () => {
  const first = words({ delegation: { needed: true, contract: address("d"), pinned: true } })
  expect(first).toContain("first swap of this wallet on One: it is delegated (EIP-7702) to")
  expect(first).toContain(`${address("d")}, which is pinned.`)
  expect(first).toContain("that contract acts for the wallet there")
  expect(words({ delegation: { needed: true, contract: address("e"), pinned: false } })).toContain(
    "which is NOT pinned"
  )
})

it("takes an impact for high where the service warns, and where it does not but the loss is 3%", () => {
  const high = (fields: Partial<SwapEvent.QuotePreview>) => Terms.isHighImpact({ ...quote, ...fields })
  expect(high({})).toBe(false)
  expect(high({ priceImpactBps: -299 })).toBe(false)
  expect(high({ priceImpactBps: -300 })).toBe(true)
  expect(high({ priceImpactBps: 300 })).toBe(false)
  expect(high({ warnings: [{ code: "HIGH_PRICE_IMPACT" }] })).toBe(true)
  expect(high({ warnings: [{ code: "OTHER" }] })).toBe(false)
})

it("takes an impact for high where the service states none", () => {
  const { priceImpactBps: _, ...silent } = quote
  expect(Terms.isHighImpact(silent)).toBe(true)
  expect(words({ quote: silent })).toMatch(/^Impact +not known: this is treated as high$/m)
  expect(Terms.json({ ...terms, quote: silent })).toMatchObject({ priceImpactBps: undefined, highImpact: true })
})

it("shows a handful of warnings, each on a line that does not wrap, above what is signed", () => {
  const shown = (warnings: ReadonlyArray<string>) =>
    words({ quote: { ...quote, warnings: warnings.map((code) => ({ code })) } }).split("\n")
  const flooded = shown(Array.from({ length: 200_000 }, (_, at) => `warning ${at}`))
  expect(flooded.filter((line) => /warning \d/.test(line))).toHaveLength(5)
  expect(flooded).toContainEqual(expect.stringMatching(/^ +and 199995 more$/))
  // A screen of spaces, and lines as wide as a terminal that read like this program's.
  const drawn = [" ", "\u2800", "\u3164", "\u00A0"].map(
    (space) => space.repeat(4_000) + "Pay 0 USDC".padEnd(120, space)
  )
  const screen = shown([...drawn, "x".repeat(5_000)])
  const warned = screen.filter((line) => line.startsWith("Warning"))
  expect(warned.map((line) => line.trimEnd())).toEqual([
    ...drawn.map(() => "Warning     Pay 0 USDC"),
    `Warning     ${"x".repeat(63)}…`
  ])
  expect(screen.slice(-6).map((line) => line.split("  ")[0])).toEqual(["Pay", "", "From", "At least", "", "To"])
})

it("names the amount at risk where the slippage is above 5%, and takes 5% for the usual", () => {
  const at = (slippageBps: number) => {
    const changed = { ...terms, request: { ...request, slippageBps } }
    return { ...Terms.slippageOf(changed), shown: Terms.words(changed, style) }
  }
  expect(at(500)).toMatchObject({ high: false, shown: expect.stringMatching(/^Slippage +5%$/m) as unknown })
  expect(at(501)).toMatchObject({ high: true, atRisk: 100_000n, minimum: 9_800_000n })
  expect(at(1_000).shown).toMatch(/^Slippage +10%: this is high, and puts 0\.1 USDC \(100000 units\) at risk$/m)
  expect(Terms.riskWords({ ...terms, request: { ...request, slippageBps: 1_000 } })).toBe(
    "A slippage of 10% puts 0.1 USDC (100000 units) at risk: the swap may give as little as 9.8 USDC (9800000 units)."
  )
})

it("shows units alone where a token is not pinned", () => {
  const unpinned = { ...terms.origin, token: { pinned: false, address: address("9"), native: false } } as const
  const shown = words({ origin: unpinned })
  expect(shown).toMatch(new RegExp(`^Pay +10000000 units of ${address("9")} on One \\(1\\)$`, "m"))
  expect(shown).toContain("not pinned: its symbol and its decimals are not known here")
  expect(Terms.json({ ...terms, origin: unpinned }).from).toEqual({
    chainId: 1,
    chain: "One",
    token: address("9"),
    pinned: false,
    amount: undefined,
    raw: 10_000_000n
  })
})

it("lets no word of the service move the cursor or begin a line", () => {
  const evil = "x\u001B[2J\u001B]0;t\u0007\nPay 0 USDC\u202E"
  const told = [
    words({ quote: { ...quote, warnings: [{ code: "X", message: evil }], inputUsd: evil, outputUsd: evil } }),
    ...show(after({ type: "submitted", flowId: "f", swap: swap({ swapId: evil, originTxHash: evil }) })),
    lineOf({ type: "status", swap: swap({ originTxHash: evil, failureCode: evil }) }, undefined)
  ].join("\n")
  expect(stripVTControlCharacters(told)).toBe(told)
  for (const part of ["\u0007", "\u202E", "\nPay 0"]) expect(told).not.toContain(part)
})

it("follows a swap from step to step", () => {
  const quoted: SwapEvent.SwapEvent = { type: "quoted", request, quote }
  const built: SwapEvent.SwapEvent = { type: "built", family: "evm" }
  const states = (steps: Steps.Steps) => Steps.names.map((name) => steps.steps[name].state[0]).join("")
  expect(states(Steps.begin("quote"))).toBe("rwwwwwww")
  expect(states(after(quoted))).toBe("dwrwwwww")
  expect(states(after(quoted, built))).toBe("dsdrwwww")
  const delegating = after(quoted, { type: "authorizing", chainId: 1, delegate: "0xdd", nonce: 0 })
  expect(states(delegating)).toBe("drwwwwww")
  expect(states(Steps.after(delegating, built, 1))).toBe("dddrwwww")
  const signed = after(quoted, built, { type: "verified", checked: true }, { type: "signed", flowId: "f" })
  expect(states(signed)).toBe("dsdddrww")
  const requoted = Steps.after(signed, { type: "requoted", quote, previous: quote, count: 1 }, 1)
  expect(states(requoted)).toBe("dsrwwwww")
  const ends = (fields: Partial<Swap.Swap>) =>
    states(Steps.after(signed, { type: "submitted", flowId: "f", swap: swap(fields) }, 1))
  expect(ends({})).toBe("dsddddrw")
  expect(ends({ originTxHash: "0x1" })).toBe("dsdddddr")
  expect(ends({ status: "settled" })).toBe("dsdddddd")
  expect(ends({ status: "refunded" })).toBe("dsdddddf")
  expect(ends({ status: "failed" })).toBe("dsddddfw")
  expect(states(Steps.begin("submit"))).toBe("sssssrww")
  expect(states(Steps.leave(signed))).toBe("dsdddlww")
})

it("counts the quote down until it is built, and keeps every line on its line", () => {
  const quoted = after({ type: "quoted", request, quote })
  expect(show(quoted, 1_000)[0]).toContain("the price holds 30 s")
  expect(show(quoted, 30_500)[0]).toContain("the price holds 1 s")
  expect(show(quoted, 31_500)[0]).not.toContain("the price holds")
  expect(show(Steps.after(quoted, { type: "built", family: "evm" }, 1), 1_000)[0]).not.toContain("the price holds")
  const long = after({ type: "submitted", flowId: "f", swap: swap({ swapId: "s".repeat(200) }) })
  for (const line of show(long, 1_000, 40)) expect(line.length).toBeLessThanOrEqual(40)
  const question = { text: "Sign this?", typed: false, until: 30_000 }
  expect(Question.lineOf(question, "", 0)).toBe("? Sign this? (y/N)   [the price holds 30 s]")
  expect(Question.lineOf({ ...question, typed: true }, "ye", 30_001)).toMatch(
    /\(type "yes"\) ye {2}\[the price ran out/
  )
})
