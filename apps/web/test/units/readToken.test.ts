import { expect, test } from "vitest"
import { readToken } from "../../src/wallets/readToken.js"

const word = (value: number) => value.toString(16).padStart(64, "0")
const text = (value: string) => Buffer.from(value).toString("hex").padEnd(64, "0")
const address = `0x${"ab".repeat(20)}`

/** A provider on chain 5 whose token answers like this. */
const providerOf = (decimals: unknown, symbol: unknown) => ({
  request: async ({ method, params }: { readonly method: string; readonly params?: unknown }): Promise<unknown> => {
    if (method === "eth_chainId") return "0x5"
    const [{ data, to }] = params as [{ readonly data: string; readonly to: string }]
    expect([method, to]).toEqual(["eth_call", address])
    const answer = data === "0x313ce567" ? decimals : symbol
    if (answer === undefined) throw new Error("execution reverted")
    return answer
  }
})

const usdc = `0x${word(32)}${word(4)}${text("USDC")}`

test("readToken decodes the contract's answers", async () => {
  expect(await readToken(providerOf(`0x${word(6)}`, usdc), 5, address)).toEqual({ symbol: "USDC", decimals: 6 })
  // An old token answers with 32 bytes.
  expect(await readToken(providerOf(`0x${word(18)}`, `0x${text("MKR")}`), 5, address)).toEqual({
    symbol: "MKR",
    decimals: 18
  })
})

test("readToken removes what could be mistaken for something else", async () => {
  const odd = `0x${word(32)}${word(12)}${text("US\u202eDC <b>")}`
  expect(await readToken(providerOf(`0x${word(6)}`, odd), 5, address)).toEqual({ symbol: "USDCb", decimals: 6 })
})

test("readToken refuses another network and anything that is not a token", async () => {
  expect(await readToken(providerOf(`0x${word(6)}`, usdc), 1, address)).toEqual({ problem: "network" })
  for (const [decimals, symbol] of [
    [undefined, usdc],
    [`0x${word(256)}`, usdc],
    ["0x06", usdc],
    [6, usdc],
    [`0x${word(6)}`, undefined],
    [`0x${word(6)}`, "0x"]
  ] as const) {
    expect(await readToken(providerOf(decimals, symbol), 5, address)).toEqual({ problem: "not a token" })
  }
})
