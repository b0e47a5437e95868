import { expect, test } from "vitest"
import type { Config } from "../../src/config.js"
import { initialValues, isUnknownLink, linkOf } from "../../src/form/sharedForm.js"

const usdc = `0x${"ab".repeat(20)}`
const config: Config = {
  service: "/api",
  chains: [
    {
      id: 1,
      name: "here",
      family: "evm",
      native: { symbol: "ETH", decimals: 18 },
      tokens: [{ symbol: "USDC", address: usdc, decimals: 6 }],
      deployment: { vault: "0x1" }
    }
  ]
}

test("a link selects a pair and an amount, and the form makes the same link", () => {
  const native = `0x${"0".repeat(40)}`
  const link = `?from=1:${usdc}&to=1:${native}&amount=1.5`
  const values = initialValues(link, config)
  expect(values).toEqual({ originChain: 1, inputToken: usdc, destinationChain: 1, outputToken: native, amount: "1.5" })
  expect(linkOf({ ...values, amount: "1.5", recipient: "0xdead" })).toBe(link)
})

test("a link with an unknown chain or token is reported, and its amount is not used", () => {
  const other = `0x${"cd".repeat(20)}`
  for (const link of [`?from=1:${other}&to=1:${usdc}&amount=5`, `?from=9&amount=5`, `?to=1:x&amount=5`]) {
    expect([isUnknownLink(link, config), initialValues(link, config).amount]).toEqual([true, undefined])
  }
  for (const link of ["", "?amount=5", "?from=1&amount=5", `?from=1:${usdc}&amount=5`]) {
    expect(isUnknownLink(link, config)).toBe(false)
  }
})

test("a link cannot name a token that is not in the configuration, a recipient or a slippage", () => {
  const other = `0x${"cd".repeat(20)}`
  expect(initialValues(`?from=1:${other}&to=9:${usdc}&amount=1e9&recipient=0x1&slippageBps=9000`, config)).toEqual({
    originChain: 1,
    inputToken: undefined
  })
  for (const odd of ["?from=", "?from=1:<b>", "?to=x", "?from=1&amount=-1"]) {
    expect(
      Object.values(initialValues(odd, config)).filter((value) => value !== undefined && value !== "" && value !== 1)
    ).toEqual([])
  }
})
