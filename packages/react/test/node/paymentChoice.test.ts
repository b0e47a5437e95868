import type { PaymentMethod } from "@geoswap/core/promise"
import { describe, expect, it } from "vitest"
import type { PayingWallet } from "../../src/index.js"
import { paymentOf } from "../../src/query.js"

const wallet = "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266"
const request = { outputToken: "0x82af49447d8a07e3bd95bd0d56f35241523fbab1", walletAddress: wallet }
const all = ["delegation", "eip3009", "permit2", "erc2612"]

const methods = { verifyPayment: () => undefined, signPayment: () => undefined }
/** A browser wallet: it signs typed data, but no delegations. */
const browser = { capabilities: { authorization: false, typedData: true }, ...methods }
/** A local key: it signs everything. */
const local = { capabilities: { authorization: true, typedData: true }, ...methods }
/** A signer without payment methods. */
const old = { capabilities: { authorization: false } }

const fresh = { delegated: false, delegationTarget: "0xde1e" as const }
const elsewhere = { delegated: false }
const ours = { delegated: true }

const usable = (paymentMethods: ReadonlyArray<string> | undefined, payer: PayingWallet): ReadonlyArray<PaymentMethod> =>
  paymentOf({ ...(paymentMethods && { paymentMethods }) }, request, payer).usable

describe("paymentOf", () => {
  it("prefers a delegation, then the order of the service, and erc2612 last", () => {
    expect(usable(["erc2612", "permit2", "eip3009", "delegation"], { signer: local, delegation: fresh })).toEqual([
      "delegation",
      "permit2",
      "eip3009",
      "erc2612"
    ])
    expect(usable(all, {})).toEqual(all)
    expect(paymentOf({ paymentMethods: ["erc2612", "eip3009"] }, request)).toEqual({
      offered: ["erc2612", "eip3009"],
      usable: ["eip3009", "erc2612"],
      method: "eip3009",
      problem: undefined
    })
  })

  it("skips a delegation that the signer cannot sign, unless the wallet is already delegated", () => {
    expect(usable(all, { signer: browser, delegation: fresh })).toEqual(["eip3009", "permit2", "erc2612"])
    expect(usable(all, { signer: browser, delegation: ours })[0]).toBe("delegation")
    expect(usable(all, { signer: local, delegation: elsewhere })[0]).toBe("eip3009")
    // As long as the delegation is unknown, it may exist.
    expect(usable(all, { signer: browser })[0]).toBe("delegation")
  })

  it("uses typed data only with a signer that declares it and can verify payments", () => {
    expect(usable(all, { signer: old, delegation: ours })).toEqual(["delegation"])
    const { signPayment, verifyPayment } = methods
    for (const signer of [old, { ...browser, verifyPayment: undefined }, { ...browser, signPayment: undefined }]) {
      expect(usable(all, { signer, delegation: fresh })).toEqual([])
    }
    expect(usable(all, { signer: { ...old, signPayment, verifyPayment }, delegation: fresh })).toEqual([])
  })

  it("never pays with eip3009 to another recipient, or to Solana", () => {
    const quote = { paymentMethods: ["eip3009"] }
    const recipient = "0x00000000000000000000000000000000000a11ce"
    expect(paymentOf(quote, { ...request, recipient }).method).toBeUndefined()
    expect(paymentOf(quote, { ...request, recipient: wallet.toUpperCase().replace("0X", "0x") }).method).toBe("eip3009")
    expect(
      paymentOf(quote, { ...request, outputToken: "So11111111111111111111111111111111111111112" }).method
    ).toBeUndefined()
  })

  it("follows the policy's list and order", () => {
    expect(usable(all, { paymentMethods: ["erc2612", "permit2"] })).toEqual(["erc2612", "permit2"])
    expect(paymentOf({ paymentMethods: ["delegation"] }, request, { paymentMethods: ["eip3009"] }).problem).toEqual({
      reason: "policy",
      message: "The policy allows none of the ways to pay that the service offers: delegation."
    })
  })

  it("treats a service that lists nothing as one that knows only delegations", () => {
    expect(usable(undefined, { signer: local, delegation: fresh })).toEqual(["delegation"])
    expect(paymentOf({}, request, { signer: browser, delegation: fresh })).toMatchObject({
      offered: ["delegation"],
      method: undefined,
      problem: { reason: "signer" }
    })
  })

  it("ignores methods that it does not know", () => {
    expect(usable(["teleport", "permit2"], {})).toEqual(["permit2"])
    expect(paymentOf({ paymentMethods: ["teleport"] }, request).problem?.reason).toBe("service")
  })

  it("returns the reason of the service, without control characters", () => {
    const paymentProblem = { code: "UNSUPPORTED_DELEGATION", message: "The token asks\u202E the wallet's\n code." }
    expect(paymentOf({ paymentMethods: [], paymentProblem }, request).problem).toEqual({
      reason: "service",
      message: "The token asks  the wallet's  code."
    })
    expect(paymentOf({ paymentMethods: [] }, request).problem?.message).toBe(
      "The service offers this wallet no way to pay with this token."
    )
    const long = { code: "X", message: "x".repeat(10_000) }
    expect(paymentOf({ paymentMethods: [], paymentProblem: long }, request).problem?.message).toHaveLength(600)
  })
})
