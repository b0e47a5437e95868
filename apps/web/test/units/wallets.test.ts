import type { PaymentToSign } from "@geoswap/core/promise"
import type { PaymentChoice } from "@geoswap/react"
import { afterEach, expect, test, vi } from "vitest"
import { paymentBlocker } from "../../src/form/paymentBlocker.js"
import { discover } from "../../src/wallets/injected.js"
import { lazyEvm } from "../../src/wallets/lazySigner.js"
import { type WalletOption, iconOf, nameOf } from "../../src/wallets/Wallet.js"

/** Returns the option for an announcement with this detail. */
const announced = (detail: unknown): WalletOption | undefined => {
  const window = new EventTarget()
  vi.stubGlobal("window", window)
  const found: Array<WalletOption> = []
  discover((choice) => found.push(choice))
  window.dispatchEvent(new CustomEvent("eip6963:announceProvider", { detail }))
  return found[0]
}

afterEach(() => vi.unstubAllGlobals())

const provider = { request: () => Promise.resolve(["0x15b7BEF3248b3f320A8281941B84D17608dfBE2b"]) }

test.for([
  ["nothing", undefined],
  ["a string", "wallet"],
  ["no provider", { info: { name: "Foxglove" } }],
  ["a provider without a request function", { info: { name: "Foxglove" }, provider: { request: "no" } }]
] as const)("discover ignores an announcement with %s", ([, detail]) => {
  expect(announced(detail)).toBeUndefined()
})

test("discover accepts a wallet without a name or icon", async () => {
  const choice = announced({ provider })
  expect(choice).toMatchObject({ name: "Browser wallet", icon: undefined, family: "evm" })
  expect(await choice?.connect(false)).toMatchObject({ address: "0x15b7BEF3248b3f320A8281941B84D17608dfBE2b" })
})

test.for([[[]], ["0x15b7"], [["0x15b7"]], [[null]], [{}]])(
  "connect returns undefined for the accounts %j",
  async ([accounts]) => {
    expect(await announced({ provider: { request: () => Promise.resolve(accounts) } })?.connect(false)).toBeUndefined()
  }
)

test("nameOf removes control characters and limits the length", () => {
  expect(nameOf("  Fox\u202Eglove\n ", "x")).toBe("Foxglove")
  expect(nameOf("a".repeat(100), "x")).toBe("a".repeat(40))
  expect([nameOf("\u0000", "none"), nameOf(7, "none"), nameOf("", "none")]).toEqual(["none", "none", "none"])
})

test("iconOf accepts only embedded images", () => {
  const data = "data:image/png;base64,AAAA"
  expect(iconOf(data)).toBe(data)
  for (const icon of ["https://elsewhere.example/a.png", "data:text/html,<b>", "javascript:1", 7, undefined]) {
    expect(iconOf(icon)).toBeUndefined()
  }
})

const config = { service: "/web/api", chains: [] }
const paymentOfToken = (problem: PaymentChoice["problem"]) => ({
  wallet: { name: "Foxglove" },
  origin: "here",
  token: "USDC",
  payment: { offered: [], problem },
  delegation: { delegated: false, delegationTarget: "0xde1e" as const }
})
const otherProvider = { delegated: false, delegatedTo: "0x63c0c19a282a1B52b07dD5a65b58948A07DAE32B" as const }

test("paymentBlocker returns undefined for a wallet that can pay", () => {
  expect(paymentBlocker(paymentOfToken(undefined), config)).toBeUndefined()
})

test("paymentBlocker says that the wallet cannot sign delegations and what to do instead", () => {
  const signer = { reason: "signer", message: "" } as const
  expect(paymentBlocker(paymentOfToken(signer), config)).toEqual({
    title: "Foxglove cannot pay with USDC on here.",
    text: "Browser wallets do not sign EIP-7702 delegations for websites, and USDC offers this wallet no other way to pay. Pay with another token, another wallet, or from another chain."
  })
  expect(paymentBlocker(paymentOfToken(signer), { ...config, devnet: { wallets: [] } })?.text).toContain(
    "a test wallet, "
  )
})

test("paymentBlocker names the other provider and the reason of the service", () => {
  const service = { reason: "service", message: "The token asks the wallet's code." } as const
  expect(paymentBlocker({ ...paymentOfToken(service), delegation: otherProvider }, config)).toEqual({
    title: "Foxglove cannot pay with USDC on here.",
    text: "It is delegated to another provider (0x63c0…E32B). The service says: The token asks the wallet's code."
  })
  // A service that knows only delegations gives no reason.
  const signer = { reason: "signer", message: "" } as const
  expect(paymentBlocker({ ...paymentOfToken(signer), delegation: otherProvider }, config)?.text).toBe(
    "It is delegated to another provider (0x63c0…E32B). Pay with another token, another wallet, or from another chain."
  )
})

test("a lazy signer loads its code once, and passes on payments", async () => {
  const calls: Array<string> = []
  const payment = { geoOpHash: "0x1" } as unknown as PaymentToSign
  const { signer } = lazyEvm("0x1", false, () => {
    calls.push("load")
    return Promise.resolve({
      address: "0x1",
      capabilities: { authorization: false, typedData: true },
      signOperation: () => Promise.reject(new Error("unused")),
      verifyPayment: (given) => void calls.push(`verify ${given.geoOpHash}`),
      signPayment: (given) => {
        calls.push(`sign ${given.geoOpHash}`)
        return Promise.resolve({ signature: "0x2" })
      }
    })
  })
  const abort = { signal: new AbortController().signal }
  expect(signer.capabilities).toEqual({ authorization: false, typedData: true })
  await signer.verifyPayment?.(payment, abort)
  expect(await signer.signPayment?.(payment, abort)).toEqual({ signature: "0x2" })
  expect(calls).toEqual(["load", "verify 0x1", "sign 0x1"])
})

test("a lazy signer whose code cannot verify payments refuses them", async () => {
  const { signer } = lazyEvm("0x1", false, () =>
    Promise.resolve({
      address: "0x1",
      capabilities: { authorization: false },
      signOperation: () => Promise.reject(new Error("unused"))
    })
  )
  const abort = { signal: new AbortController().signal }
  const payment = {} as unknown as PaymentToSign
  await expect(signer.verifyPayment?.(payment, abort)).rejects.toThrow("missing a required method")
  await expect(signer.signPayment?.(payment, abort)).rejects.toThrow("missing a required method")
})
