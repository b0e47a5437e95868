import { expect, test } from "vitest"
import { describeSignatures, describeSwitch, type Terms } from "../../src/review/describeSignatures.js"

const terms: Terms = {
  family: "evm",
  wallet: "Foxglove",
  prompts: false,
  origin: "here",
  destination: "there",
  input: { symbol: "USDC", decimals: 6 },
  output: { symbol: "WETH", decimals: 18 },
  amount: 100_000_000n,
  recipient: "0xabc",
  vault: "0x7a17",
  quote: { output: 25_000_000_000_000_001n, minOutput: 24_875_000_000_000_001n },
  method: "delegation"
}

const commitment = "pays exactly 100\u00a0USDC on here for at least 0.024875000000000001\u00a0WETH on there to 0xabc"

/** All descriptions as one string. */
const descriptions = (changed: Partial<Terms>): string =>
  describeSignatures({ ...terms, ...changed })
    .map(({ shown, text, title }) => `${title}: ${text}${shown === undefined ? "" : ` [${shown}]`}`)
    .join("\n")

test("shows amounts to the last digit", () => {
  expect(descriptions({})).toBe(`The payment: It ${commitment}. It allows nothing else.`)
})

test("names the contract of a delegation and whether it is pinned", () => {
  const delegate = { address: "0xde1e", pinned: true }
  expect(descriptions({ delegate })).toMatch(
    /^A delegation: You sign this once. It lets the contract 0xde1e \(the one that this page expects\) act for Foxglove/
  )
  expect(descriptions({ delegate: { ...delegate, pinned: false } })).toContain(
    "NOT the one that this page expects: it will be refused"
  )
  // Solana and other ways to pay need no delegation.
  expect(descriptions({ delegate, family: "solana" })).toMatch(/^A transaction: It pays exactly 100\u00a0USDC/)
  for (const method of ["eip3009", "permit2", "erc2612"] as const) {
    expect(descriptions({ delegate, method })).not.toContain("0xde1e")
  }
})

test.for(["delegation", "eip3009", "permit2", "erc2612"] as const)("shows all the terms for %s", (method) => {
  const found = describeSignatures({ ...terms, method, prompts: true })
  expect(found.at(-1)?.text).toContain(`It ${commitment}.`)
  expect(found).toHaveLength(method === "erc2612" ? 2 : 1)
})

test("says that the wallet cannot show the terms of an authorization, and shows the contract that collects it", () => {
  const found = descriptions({ method: "eip3009", prompts: true })
  expect(found).toMatch(/^A payment authorization \(EIP-3009\): /)
  expect(found).toContain("only the contract 0x7a17 (the one that this page expects) to collect this amount, once")
  expect(found).toContain(
    "[Foxglove shows the amount and that contract. It cannot show the recipient or what you receive"
  )
})

test("says that the wallet shows the terms of a payment through Permit2 and of an operation", () => {
  for (const method of ["delegation", "permit2"] as const) {
    expect(descriptions({ method, prompts: true })).toContain("[Foxglove shows these terms")
  }
})

test("describes the permit before the payment", () => {
  const [permit, payment] = describeSignatures({ ...terms, method: "erc2612" })
  expect(permit?.title).toBe("A permit (ERC-2612)")
  expect(permit?.text).toContain(
    "Permit2, the contract 0x000000000022D473030F116dDEE9F6B43aC78BA3, transfer exactly 100\u00a0USDC."
  )
  expect(permit?.text).toContain("pays nothing without the second signature")
  expect(payment?.title).toBe("A payment through Permit2")
})

test("says what a wallet shows only if the wallet prompts", () => {
  for (const method of ["delegation", "eip3009", "permit2", "erc2612"] as const) {
    expect(describeSignatures({ ...terms, method }).every(({ shown }) => shown === undefined)).toBe(true)
  }
})

test("announces a network switch only in an EVM wallet that prompts", () => {
  const prompts = true
  expect(describeSwitch({ ...terms, prompts, method: "eip3009" })).toBe(
    "If Foxglove is on another network, it first asks to switch to here. Switching signs nothing and costs nothing."
  )
  expect(describeSwitch({ ...terms, prompts })).toBeDefined()
  expect(describeSwitch({ ...terms, method: "eip3009" })).toBeUndefined()
  expect(describeSwitch({ ...terms, prompts, family: "solana" })).toBeUndefined()
})
