import { Chain, Quote } from "@geoswap/core"
import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import { seededRandom } from "../../../../tooling/testing/seededRandom.ts"
import type { FormValues } from "../../src/index.js"
import { fillForm, formChoices, type FormContext, initialForm, parseForm } from "../../src/query.js"
import { english } from "../../src/form/messages.js"
import { chains, network, payer, payerSolana, usdcA, usdcB, usdcSolana, wethA } from "./formChains.js"

const withNatives = {
  chains: network.chains.map((chain) => ({ ...chain, nativeSymbol: { 1: "ETH", 3: "SOL" }[chain.id] }))
}
const choices = formChoices(chains, withNatives)
const wallets = { evm: payer }

const parse = (values: Partial<FormValues>, more: Partial<FormContext> = {}) => {
  const context = { choices, wallets, ...more }
  return parseForm(fillForm({ ...initialForm(), ...values }, context.choices), context)
}

describe("parseForm with complete values", () => {
  it("returns a request", () => {
    expect(parse({ amount: "10", slippageBps: 50 })).toMatchObject({
      origin: { name: "A" },
      destination: { name: "B" },
      inputToken: { symbol: "USDC" },
      amount: 10_000_000n,
      wallet: payer,
      recipient: payer,
      balance: undefined,
      errors: {},
      request: {
        originChain: 1,
        destinationChain: 2,
        inputToken: usdcA,
        outputToken: usdcB,
        amount: 10_000_000n,
        walletAddress: payer,
        slippageBps: 50
      }
    })
    expect(parse({ amount: "10" }).request).not.toHaveProperty("recipient")
    expect(parse({ amount: "10" }).request).not.toHaveProperty("slippageBps")
  })

  it("accepts a native token as output", () => {
    const { errors, request } = parse({
      amount: "10",
      originChain: 2,
      destinationChain: 1,
      outputToken: Chain.nativeToken.evm
    })
    expect(errors).toEqual({})
    expect(request?.outputToken).toBe(Chain.nativeToken.evm)
    expect(parse({ amount: "1", inputToken: Chain.nativeToken.evm }).errors).toEqual({
      inputToken: "This token is not available on A."
    })
  })
})

describe("parseForm with incomplete values", () => {
  it("returns no errors", () => {
    expect(parse({})).toMatchObject({ errors: {}, request: undefined, amount: undefined })
    expect(parse({ amount: "0.0" })).toMatchObject({ errors: {}, request: undefined, amount: 0n })
    expect(parse({ originChain: 99, amount: "1" }, { choices: formChoices([], network) })).toMatchObject({
      errors: {},
      request: undefined
    })
  })
})

describe("parseForm reports an error", () => {
  const wrong = (values: Partial<FormValues>, more: Partial<FormContext> = {}) => {
    const { errors, request } = parse({ amount: "10", ...values }, more)
    expect(request).toBeUndefined()
    return errors
  }

  it("for chains and tokens that are not available", () => {
    expect(wrong({ originChain: 99, inputToken: usdcA })).toEqual({ originChain: "This chain is not available." })
    expect(wrong({ destinationChain: 99, outputToken: usdcA })).toEqual({
      destinationChain: "This chain is not available."
    })
    expect(wrong({ inputToken: usdcB })).toEqual({ inputToken: "This token is not available on A." })
    expect(wrong({ outputToken: usdcA })).toEqual({ outputToken: "This token is not available on B." })
  })

  it("for swapping a token into itself", () => {
    const values = {
      originChain: 1,
      destinationChain: 1,
      inputToken: usdcA,
      outputToken: usdcA.toUpperCase().replace("0X", "0x")
    }
    expect(wrong(values)).toEqual({ outputToken: "Choose a different token or chain." })
  })

  it("for an amount that is invalid or exceeds the balance", () => {
    expect(wrong({ amount: "1,5" })).toEqual({ amount: "Enter 1.5, with a decimal point." })
    const balances = (chainId: number, token: string) => (chainId === 1 && token === usdcA ? 9_500_000n : undefined)
    expect(wrong({ amount: "9.500001" }, { balances })).toEqual({ amount: "Your balance is 9.5 USDC." })
    expect(parse({ amount: "9.5" }, { balances })).toMatchObject({ errors: {}, balance: 9_500_000n })
    const solana = { originChain: 3, destinationChain: 2 }
    expect(wrong({ ...solana, amount: `${2n ** 64n}` }, { wallets: { evm: payer, solana: payerSolana } })).toEqual({
      amount: "This amount is too large."
    })
  })

  it("for wallets that are not connected", () => {
    expect(wrong({}, { wallets: {} })).toEqual({ wallet: "Connect an EVM wallet to pay on A." })
    expect(wrong({ destinationChain: 3 }, { wallets: {} })).toEqual({
      wallet: "Connect an EVM wallet to pay on A.",
      recipient: "Connect a Solana wallet or enter a recipient."
    })
    expect(wrong({ originChain: 3, destinationChain: 1 })).toEqual({ wallet: "Connect a Solana wallet to pay on Sol." })
    expect(wrong({ destinationChain: 3 })).toEqual({ recipient: "Connect a Solana wallet or enter a recipient." })
  })

  it("for an invalid recipient", () => {
    expect(wrong({ recipient: payerSolana })).toEqual({ recipient: "This is not an address on B." })
    expect(wrong({ recipient: Chain.nativeToken.evm })).toEqual({
      recipient: "This is the zero address. Enter a different one."
    })
    expect(wrong({ destinationChain: 3, recipient: payer })).toEqual({ recipient: "This is not an address on Sol." })
    expect(parse({ amount: "1", recipient: ` ${usdcA} ` })).toMatchObject({
      recipient: usdcA,
      request: { recipient: usdcA }
    })
    expect(parse({ amount: "1", destinationChain: 3, recipient: payerSolana }).errors).toEqual({})
  })

  it("for a recipient with an invalid EIP-55 checksum", () => {
    const address = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"
    const typo = "This address has an invalid checksum, so it contains a typo. Copy it again."
    for (const recipient of [address.replace("6053", "6054"), address.replace("aAeb", "aaeb")]) {
      expect(wrong({ recipient })).toEqual({ recipient: typo })
    }
    // An address in a single case has no checksum.
    for (const recipient of [address, address.toLowerCase(), address.toUpperCase().replace("0X", "0x")]) {
      expect(parse({ amount: "1", recipient })).toMatchObject({ errors: {}, request: { recipient } })
    }
    expect(wrong({ recipient: `0X${address.slice(2)}` })).toEqual({ recipient: "This is not an address on B." })
  })

  it("in the language of the given messages", () => {
    const messages = { ...english, chain: "Diese Chain ist nicht verfügbar.", positive: "Über 0." }
    expect(wrong({ destinationChain: 99, outputToken: usdcA, amount: "-1" }, { messages })).toEqual({
      destinationChain: "Diese Chain ist nicht verfügbar.",
      amount: "Über 0."
    })
    const empty = { ...english, chain: "", slippage: "" }
    expect(wrong({ destinationChain: 99, slippageBps: -1 }, { messages: empty })).toEqual({
      destinationChain: "",
      slippageBps: ""
    })
  })

  it("for an invalid slippage", () => {
    for (const slippageBps of [-1, 10_001, 0.5, Number.NaN]) {
      expect(wrong({ slippageBps }).slippageBps).toContain("in steps of 0.01%")
    }
    expect(parse({ slippageBps: 0 }).errors).toEqual({})
    expect(parse({ slippageBps: 5_000 }).errors).toEqual({})
    expect(wrong({ slippageBps: 5_001 })).toEqual({ slippageBps: "The maximum slippage is 50%." })
    expect(wrong({ slippageBps: 101 }, { policy: { maxSlippageBps: 100 } })).toEqual({
      slippageBps: "The maximum slippage is 1%."
    })
    expect(parse({ slippageBps: 10_000 }, { policy: { maxSlippageBps: 10_000 } }).errors).toEqual({})
  })
})

it("parseForm uses the pinned decimals if a service lists wrong decimals", () => {
  const lying = chains.map((chain) => ({
    ...chain,
    tokens: chain.tokens.map((token) => ({ ...token, decimals: 9 }))
  }))
  const { inputToken, request } = parse({ amount: "10" }, { choices: formChoices(lying, network) })
  expect(inputToken).toEqual({ symbol: "USDC", address: usdcA, decimals: 6 })
  expect(request).toMatchObject({ inputToken: usdcA, amount: 10_000_000n })
})

it("parseForm returns only requests that the client accepts", () => {
  const familyOf = (id: number) => (id === 3 ? "solana" : "evm")
  const texts = ["", "0", "1", "2.5", "100", "1,5", "0.0000001", "-1", "abc", `${10n ** 15n}`]
  const people = ["", "", payer, payerSolana, Chain.nativeToken.evm, Chain.nativeToken.solana, "not-an-address"]
  const tokens = [undefined, undefined, undefined, usdcA, wethA, usdcB, usdcSolana, ...Object.values(Chain.nativeToken)]
  const ids = [undefined, 1, 2, 3, 1, 2, 3, 99]
  let requests = 0
  for (let index = 0; index < 20_000; index++) {
    const random = seededRandom(5, index)
    const values = {
      originChain: random.pick(ids),
      destinationChain: random.pick(ids),
      inputToken: random.pick(tokens),
      outputToken: random.pick(tokens),
      amount: random.pick(texts),
      recipient: random.pick(people),
      slippageBps: random.pick([undefined, 0, 50, 5_000, 10_001])
    }
    const wallets = { evm: random.pick([undefined, payer]), solana: random.pick([undefined, payerSolana]) }
    const { errors, request } = parse(values, { wallets })
    if (request === undefined) continue
    requests++
    expect(errors).toEqual({})
    const checked = Quote.request(request).pipe(Effect.provideService(Chain.Families, familyOf))
    expect(Effect.runSyncExit(checked)._tag, `case ${index}: ${JSON.stringify(values)}`).toBe("Success")
  }
  expect(requests).toBeGreaterThan(200)
})
