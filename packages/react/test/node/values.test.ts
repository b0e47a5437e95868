import { Chain } from "@geoswap/core"
import { describe, expect, it } from "vitest"
import { seededRandom } from "../../../../tooling/testing/seededRandom.ts"
import { findToken } from "../../src/form/choices.js"
import type { FormValues } from "../../src/index.js"
import { changeForm, fillForm, flipForm, formChoices, initialForm } from "../../src/query.js"
import { chains, network, usdcA, usdcB, usdcSolana, wethA } from "./formChains.js"

const withNatives = {
  chains: network.chains.map((chain) => (chain.id === 1 ? { ...chain, nativeSymbol: "ETH" } : chain))
}
const nativeToken = Chain.nativeToken.evm
const choices = formChoices(chains, withNatives)
const fresh = initialForm()

describe("formChoices", () => {
  it("offers native tokens only as output", () => {
    expect(choices.outputTokens(1).map(({ symbol }) => symbol)).toEqual(["USDC", "WETH", "ETH"])
    expect(choices.inputTokens(1).map(({ symbol }) => symbol)).toEqual(["USDC", "WETH"])
    expect(choices.outputTokens(1)[2]).toEqual({ symbol: "ETH", address: nativeToken, decimals: 18, native: true })
    expect(choices.outputTokens(undefined)).toEqual([])
    expect(choices.inputTokens(99)).toEqual([])
  })

  it("offers only what the policy allows", () => {
    const allowedTokens = [
      { chainId: 1, token: usdcA.toUpperCase().replace("0X", "0x") },
      { chainId: 1, token: nativeToken },
      { chainId: 3, token: usdcSolana }
    ]
    const some = formChoices(chains, withNatives, { allowedTokens })
    expect(some.chains.map(({ id }) => id)).toEqual([1, 3])
    expect(some.outputTokens(1).map(({ symbol }) => symbol)).toEqual(["USDC", "ETH"])
    const one = formChoices(chains, network, { allowedChains: [2] })
    expect(one.chains.map(({ id }) => id)).toEqual([2])
    expect(one.outputTokens(1)).toEqual([])
  })

  it("offers only pinned tokens that the service lists, with the pinned symbol and decimals", () => {
    const lying = chains.map((chain) => ({
      ...chain,
      name: "Another name",
      tokens: [
        ...chain.tokens.map((token) => ({ ...token, symbol: "DAI", decimals: 18 })),
        { symbol: "USDC", address: `0x${"f".repeat(40)}`, decimals: 6 }
      ]
    }))
    const own = formChoices(lying, withNatives)
    expect(own.outputTokens(1)).toEqual(choices.outputTokens(1))
    expect(own.inputTokens(1)).toEqual(choices.inputTokens(1))
    expect(own.chains.map(({ tokens }) => tokens)).toEqual(chains.map(({ tokens }) => tokens))
    expect(own.chains.map(({ name }) => name)).toEqual(["A", "B", "Sol"])
    expect(formChoices(lying, { chains: [] }).chains).toEqual([])
  })

  it("leaves out tokens that the service does not list and keeps the pinned address", () => {
    const [first, ...rest] = chains
    if (first === undefined) throw new Error("no chains")
    const some = formChoices(
      [{ ...first, tokens: [{ symbol: "", address: usdcA.toUpperCase().replace("0X", "0x"), decimals: 0 }] }, ...rest],
      network
    )
    expect(some.inputTokens(1)).toEqual([{ symbol: "USDC", address: usdcA, decimals: 6 }])
  })

  it("findToken ignores case, except on Solana", () => {
    const [evm, , solana] = chains
    if (evm === undefined || solana === undefined) throw new Error("no chains")
    expect(findToken(evm, choices.outputTokens(1), usdcA.toUpperCase().replace("0X", "0x"))?.symbol).toBe("USDC")
    expect(findToken(solana, choices.outputTokens(3), usdcSolana.toLowerCase())).toBeUndefined()
    expect(findToken(evm, choices.outputTokens(1), undefined)).toBeUndefined()
  })
})

describe("fillForm", () => {
  it("selects the first chain, another chain and their first tokens", () => {
    expect(fillForm(fresh, choices)).toEqual({
      originChain: 1,
      destinationChain: 2,
      inputToken: usdcA,
      outputToken: usdcB,
      amount: "",
      recipient: ""
    })
  })

  it("does not select the same token on the same chain", () => {
    expect(fillForm({ ...fresh, destinationChain: 1 }, choices)).toMatchObject({
      inputToken: usdcA,
      outputToken: wethA
    })
    const values = {
      ...fresh,
      originChain: 1,
      destinationChain: 1,
      outputToken: usdcA.toUpperCase().replace("0X", "0x")
    }
    expect(fillForm(values, choices).inputToken).toBe(wethA)
  })

  it("leaves values empty if there is nothing to select", () => {
    const none = formChoices([], network)
    expect(fillForm(fresh, none)).toMatchObject({ originChain: undefined, outputToken: undefined })
    const single = formChoices(chains, network, { allowedChains: [2] })
    expect(fillForm(fresh, single)).toMatchObject({ originChain: 2, destinationChain: 2, outputToken: undefined })
  })

  it("never replaces a selected value", () => {
    const chosen = { ...fresh, originChain: 99, inputToken: "0x1", destinationChain: 3, outputToken: "x" }
    expect(fillForm(chosen, choices)).toEqual(chosen)
  })
})

describe("changeForm", () => {
  it("parses numbers from selects and inputs", () => {
    expect(changeForm(fresh, "originChain", "2", choices).originChain).toBe(2)
    expect(changeForm(fresh, "destinationChain", 3, choices).destinationChain).toBe(3)
    expect(changeForm({ ...fresh, originChain: 1 }, "originChain", "", choices).originChain).toBeUndefined()
    expect(changeForm(fresh, "slippageBps", "50", choices).slippageBps).toBe(50)
    expect(changeForm({ ...fresh, slippageBps: 50 }, "slippageBps", " ", choices).slippageBps).toBeUndefined()
    expect(changeForm(fresh, "slippageBps", "half", choices).slippageBps).toBeNaN()
    expect(changeForm(fresh, "amount", 5, choices).amount).toBe("5")
    expect(changeForm({ ...fresh, recipient: "x" }, "recipient", undefined, choices).recipient).toBe("")
    expect(changeForm({ ...fresh, inputToken: "x" }, "inputToken", "", choices).inputToken).toBeUndefined()
  })

  it("keeps a token with the same symbol when the chain changes", () => {
    const usdc = { ...fresh, originChain: 1, inputToken: usdcA }
    expect(changeForm(usdc, "originChain", 2, choices).inputToken).toBe(usdcB)
    expect(changeForm({ ...usdc, inputToken: wethA }, "originChain", 2, choices).inputToken).toBeUndefined()
    const out = { ...fresh, destinationChain: 2, outputToken: usdcB }
    expect(changeForm(out, "destinationChain", 3, choices).outputToken).toBe(usdcSolana)
  })

  it("keeps the token while the chains are unknown", () => {
    const usdc = { ...fresh, originChain: 1, inputToken: usdcA, outputToken: usdcB }
    expect(changeForm(usdc, "originChain", 2, formChoices([], network)).inputToken).toBe(usdcA)
    expect(changeForm(usdc, "destinationChain", 2, formChoices([], network)).outputToken).toBe(usdcB)
  })
})

describe("flipForm", () => {
  it("swaps both sides and clears the recipient", () => {
    const values = fillForm(
      { ...fresh, destinationChain: 3, amount: "5", recipient: "0xrecipient", slippageBps: 10 },
      choices
    )
    expect(flipForm(values, choices)).toEqual({
      originChain: 3,
      destinationChain: 1,
      inputToken: usdcSolana,
      outputToken: usdcA,
      amount: "5",
      recipient: "",
      slippageBps: 10
    })
  })

  it("replaces a native token by the first token", () => {
    const values = { ...fresh, originChain: 2, destinationChain: 1, inputToken: usdcB, outputToken: nativeToken }
    expect(fillForm(flipForm(values, choices), choices)).toMatchObject({ originChain: 1, inputToken: usdcA })
    const same = { ...fresh, originChain: 1, destinationChain: 1, inputToken: usdcA, outputToken: nativeToken }
    expect(fillForm(flipForm(same, choices), choices)).toMatchObject({ inputToken: wethA, outputToken: usdcA })
  })

  it("is its own inverse without native tokens", () => {
    for (let index = 0; index < 200; index++) {
      const random = seededRandom(4, index)
      let values = fresh
      const fields: ReadonlyArray<keyof FormValues> = ["originChain", "destinationChain", "amount"]
      for (let changes = random.below(6); changes > 0; changes--) {
        values = changeForm(values, random.pick(fields), random.below(3) + 1, choices)
      }
      const filled = fillForm(values, choices)
      expect(flipForm(flipForm(filled, choices), choices), `case ${index}`).toEqual(filled)
    }
  })
})
