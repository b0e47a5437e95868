import { expect, it } from "vitest"
import type { Scenario } from "../src/demo/scenarios.js"
import { type Outcome, findProblems } from "../src/demo/swap.js"
import { formatTable } from "../src/demo/table.js"

const side = (name: string, symbol: string, decimals: number) => ({
  chain: { id: 1, name, family: "evm" as const, rpcUrl: "", tokens: [], contracts: { vault: "0x" } },
  token: { symbol, decimals, address: "0x" },
  wallet: { name: "alice", family: "evm" as const, address: "0x", privateKey: "0x" }
})

const scenario: Scenario = {
  title: "A swap",
  note: "",
  amount: "100",
  from: side("here", "USDC", 6),
  to: side("there", "WETH", 18),
  ends: "settled",
  delegates: false
}

const outcome: Outcome = {
  scenario,
  swap: { swapId: "s", status: "settled", originTxHash: `0x${"1".repeat(64)}`, deliveryTxHash: `0x${"2".repeat(64)}` },
  amount: 100_000_000n,
  quote: {
    output: 25_000_000_123_456_789n,
    feeBps: 12.5,
    networkCost: 1_500_000n,
    costs: { fee: { bps: 12.5 } },
    expiresAt: new Date(0)
  },
  ms: 1_234,
  before: { input: 150_000_000n, output: 0n },
  after: { input: 50_000_000n, output: 25_000_000_123_456_789n },
  problems: []
}

it("shows a swap in a row, with shortened amounts and hashes", () => {
  expect(formatTable([outcome], { full: false, width: Number.POSITIVE_INFINITY }).split("\n")).toEqual([
    "#  route                             status   time   fee                    origin transaction  delivery or refund  wallet's input        recipient's output",
    "-  --------------------------------  -------  -----  ---------------------  ------------------  ------------------  --------------------  ---------------------",
    "1  100 USDC on here → WETH on there  settled  1.2 s  0.125% + 1.5 USDC gas  0x111111…111111     0x222222…222222     alice: 150 → 50 USDC  alice: 0 → 0.025 WETH"
  ])
})

it("splits the table if the terminal is too narrow, and keeps every line within its width", () => {
  const lines = formatTable([outcome, outcome], { full: false, width: 80 }).split("\n")
  expect(lines.every((line) => line.length <= 80)).toBe(true)
  expect(lines.filter((line) => line.startsWith("2  ")).length).toBeGreaterThan(1)
  expect(lines.filter((line) => line.startsWith("#  ")).length).toBeGreaterThan(1)
})

it("finds no problem with a swap that moved exactly the quoted amounts", () => {
  expect(findProblems(outcome, false)).toEqual([])
  const refunded = { ...outcome, scenario: { ...scenario, ends: "refunded" as const }, after: outcome.before }
  expect(findProblems({ ...refunded, swap: { swapId: "s", status: "refunded" } }, false)).toEqual([])
})

it("finds a difference of one unit on either side, an unexpected status, and an extra signature", () => {
  const { after, before } = outcome
  const wrong: ReadonlyArray<readonly [Partial<Outcome>, boolean, string]> = [
    [{ after: { ...after, input: after.input + 1n } }, false, "change in the wallet's input balance"],
    [{ after: { ...after, output: after.output - 1n } }, false, "change in the recipient's output balance"],
    [{ before: { ...before, output: 1n } }, false, "change in the recipient's output balance"],
    [{ swap: { swapId: "s", status: "failed" } }, false, "status: expected settled, got failed"],
    [{}, true, "delegation signed"]
  ]
  for (const [change, delegated, message] of wrong) {
    const problems = findProblems({ ...outcome, ...change }, delegated)
    expect(problems).toHaveLength(1)
    expect(problems[0]).toContain(message)
  }
  const lost = { ...outcome, scenario: { ...scenario, ends: "refunded" as const } }
  expect(findProblems(lost, false)).toHaveLength(3)
})
