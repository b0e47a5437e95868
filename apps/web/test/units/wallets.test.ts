import { afterEach, expect, test, vi } from "vitest"
import { paymentBlocker } from "../../src/form/paymentBlocker.js"
import { discover } from "../../src/wallets/injected.js"
import { type WalletOption, type EvmWallet, iconOf, nameOf } from "../../src/wallets/Wallet.js"

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

const wallet = (authorization: boolean): EvmWallet => ({
  family: "evm",
  name: "Foxglove",
  address: "0x1",
  prompts: true,
  preload: () => undefined,
  signer: { address: "0x1", capabilities: { authorization }, signOperation: () => Promise.reject(new Error("unused")) }
})
const origin = { id: 1, name: "here" }
const config = { service: "/web/api", chains: [] }
const undelegated = { chainId: 1, walletAddress: "0x1", delegated: false, originReady: false }

test("paymentBlocker explains why a wallet cannot pay", () => {
  const fresh = { ...undelegated, delegationTarget: "0xde1e" as const, accountNonce: 0 }
  expect(paymentBlocker(wallet(true), origin, fresh, config)).toBeUndefined()
  expect(paymentBlocker(wallet(false), origin, fresh, config)?.title).toBe("Foxglove can receive but not pay on here.")
  expect(paymentBlocker(wallet(false), origin, { ...fresh, delegated: true }, config)).toBeUndefined()
  const otherProvider = { ...undelegated, delegatedTo: "0x63c0c19a282a1B52b07dD5a65b58948A07DAE32B" as const }
  expect(paymentBlocker(wallet(true), origin, otherProvider, config)?.title).toBe(
    "Foxglove is delegated to another provider (0x63c0…E32B) on here."
  )
  expect(paymentBlocker(wallet(false), origin, undefined, config)).toBeUndefined()
  expect(paymentBlocker(undefined, origin, fresh, config)).toBeUndefined()
})
