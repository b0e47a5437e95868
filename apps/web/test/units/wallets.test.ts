import { afterEach, expect, test, vi } from "vitest"
import { paymentBlocker } from "../../src/form/paymentBlocker.js"
import { discover } from "../../src/wallets/injected.js"
import { type WalletOption, type EvmWallet, iconOf, nameOf } from "../../src/wallets/Wallet.js"

/** What the page makes of a wallet that announces itself with this. */
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
  ["a text", "wallet"],
  ["no provider", { info: { name: "Foxglove" } }],
  ["a provider that cannot be asked", { info: { name: "Foxglove" }, provider: { request: "no" } }]
] as const)("%s announces no wallet", ([, detail]) => {
  expect(announced(detail)).toBeUndefined()
})

test("a wallet that says nothing about itself is a wallet all the same", async () => {
  const choice = announced({ provider })
  expect(choice).toMatchObject({ name: "Browser wallet", icon: undefined, family: "evm" })
  expect(await choice?.connect(false)).toMatchObject({ address: "0x15b7BEF3248b3f320A8281941B84D17608dfBE2b" })
})

test.for([[[]], ["0x15b7"], [["0x15b7"]], [[null]], [{}]])("%j are no accounts", async ([accounts]) => {
  expect(await announced({ provider: { request: () => Promise.resolve(accounts) } })?.connect(false)).toBeUndefined()
})

test("a wallet's name cannot say more than a name", () => {
  expect(nameOf("  Fox\u202Eglove\n ", "x")).toBe("Foxglove")
  expect(nameOf("a".repeat(100), "x")).toBe("a".repeat(40))
  expect([nameOf("\u0000", "none"), nameOf(7, "none"), nameOf("", "none")]).toEqual(["none", "none", "none"])
})

test("a wallet's picture comes along or is not shown", () => {
  const data = "data:image/png;base64,AAAA"
  expect(iconOf(data)).toBe(data)
  for (const icon of ["https://elsewhere.example/a.png", "data:text/html,<b>", "javascript:1", 7, undefined]) {
    expect(iconOf(icon)).toBeUndefined()
  }
})

const wallet = (authorization: boolean): EvmWallet => ({
  family: "evm",
  name: "Foxglove",
  address: "0x1",
  asks: true,
  preload: () => undefined,
  signer: { address: "0x1", capabilities: { authorization }, signOperation: () => Promise.reject(new Error("unused")) }
})
const origin = { id: 1, name: "here" }
const config = { service: "/web/api", chains: [] }
const undelegated = { chainId: 1, walletAddress: "0x1", delegated: false, originReady: false }

test("whether a wallet can pay is known from its delegation, before anything is asked for", () => {
  const fresh = { ...undelegated, delegationTarget: "0xde1e" as const, accountNonce: 0 }
  expect(paymentBlocker(wallet(true), origin, fresh, config)).toBeUndefined()
  expect(paymentBlocker(wallet(false), origin, fresh, config)?.title).toBe("Foxglove can receive here, but cannot pay.")
  expect(paymentBlocker(wallet(false), origin, { ...fresh, delegated: true }, config)).toBeUndefined()
  const elsewhere = { ...undelegated, delegatedTo: "0x63c0c19a282a1B52b07dD5a65b58948A07DAE32B" as const }
  expect(paymentBlocker(wallet(true), origin, elsewhere, config)?.title).toBe(
    "Foxglove is delegated to another provider (0x63c0…E32B) on here."
  )
  expect(paymentBlocker(wallet(false), origin, undefined, config)).toBeUndefined()
  expect(paymentBlocker(undefined, origin, fresh, config)).toBeUndefined()
})
