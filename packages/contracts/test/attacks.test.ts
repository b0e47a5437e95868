import { describe, expect, it } from "@effect/vitest"
import { hashTypedData } from "viem"
import * as TestToken from "../src/generated/TestToken.ts"
import * as Permit2 from "../src/Permit2.ts"
import { attacks, payerOf, type Setting, submitPermit, validOrder } from "./attacks.ts"
import { prepareSetting } from "./attackSetting.ts"
import { balanceOf, collect, eventsOf, operation, otherWallet, present, wallet } from "./fixture.ts"
import { collectOrder, hashTerms, methods, paymentDigest, signOrder, typedData } from "./payments.ts"
import { at } from "./model.ts"
import { useChain } from "./suite.ts"

describe("an attack on a payment by signature", () => {
  let setting: Setting
  const chain = useChain(async (chain) => {
    setting = await prepareSetting(chain)
  })
  const succeeded: Array<string> = []

  it.each(attacks)("fails: $name", async ({ attempt, expected, name }) => {
    const result = await attempt(setting)
    if (result === "done") succeeded.push(name)
    expect(result).toBe(expected)
  })

  it("never succeeds, although every order that the attacks start from is valid", async () => {
    expect(attacks.length).toBeGreaterThan(90)
    expect(succeeded).toEqual([])
    for (const [index, method] of methods.entries()) {
      const order = validOrder(method, setting, BigInt(index))
      const outcome = await collectOrder(chain, method, order, await signOrder(method, payerOf(method), order))
      expect([method, outcome.result]).toEqual([method, "done"])
    }
  })

  it("by a stranger who submits the permit first changes nothing: the order is collected", async () => {
    const order = validOrder("erc2612", setting)
    const signed = await signOrder("erc2612", otherWallet, order)
    const { result } = await submitPermit(chain, order, Permit2.address, signed.permit ?? signed)
    expect(result).toBe("done")
    const outcome = await collectOrder(chain, "erc2612", order, signed)
    expect(outcome.result).toBe("done")
    expect(eventsOf(outcome.receipt)).toMatchObject([
      { eventName: "Collected", args: { account: otherWallet.address, terms: hashTerms(order.terms) } }
    ])
    const allowance = await chain.read(order.token, TestToken, "allowance", [otherWallet.address, Permit2.address])
    expect(allowance).toBe(0n)
  })

  describe("with two signatures for one order", () => {
    it("succeeds, as the design says: only the SDK and the service prevent it", async () => {
      const results = []
      for (const method of ["eip3009", "permit2"] as const) {
        const order = validOrder(method, setting)
        results.push((await collectOrder(chain, method, order, await signOrder(method, otherWallet, order))).result)
      }
      expect(results).toEqual(["done", "done"])
    })
  })

  it("with a typed signature presented as personal_sign fails", async () => {
    const order = validOrder("typed", setting)
    const op = operation({ token: order.token, terms: hashTerms(order.terms), deadline: order.deadline })
    const typed = await signOrder("typed", wallet, { ...order, orderId: op.orderId })
    expect((await collect(chain, wallet.address, op, typed)).result).toBe("InvalidSignature")
  })

  it("with a personal_sign signature presented as typed data fails", async () => {
    const order = validOrder("typed", setting)
    const signed = present(await wallet.signMessage({ message: { raw: paymentDigest("typed", order) } }))
    expect((await collectOrder(chain, "typed", order, signed)).result).toBe("InvalidSignature")
  })

  it("with another field of the domain fails: name, version and verifying contract are bound", async () => {
    const order = validOrder("typed", setting)
    const data = typedData.typed(order)
    const digests = [
      { ...data.domain, name: "geoswap" },
      { ...data.domain, version: "2" },
      { ...data.domain, verifyingContract: wallet.address },
      { ...data.domain, chainId: 1 }
    ].map((domain) => hashTypedData({ ...data, domain }))
    for (const hash of digests) {
      const signed = present(await wallet.sign({ hash }))
      expect((await collectOrder(chain, "typed", order, signed)).result).toBe("InvalidSignature")
    }
  })
})

describe("an order on two chains with the same addresses", () => {
  const settings: Array<Setting> = []
  const chain = useChain(async (chain) => {
    settings[0] = await prepareSetting(chain)
  })
  const other = useChain(async (chain) => {
    settings[1] = await prepareSetting(chain)
  }, 31338)

  it.each(methods)("is paid only on its own chain: %s", async (method) => {
    const [here, there] = [at(settings, 0), at(settings, 1)]
    expect([there.vault, there.token, there.delegate]).toEqual([here.vault, here.token, here.delegate])
    const order = validOrder(method, here)
    const signed = await signOrder(method, payerOf(method), order)
    const before = await balanceOf(other, order.token, order.wallet)
    const replayed = await collectOrder(other, method, order, signed)
    expect(replayed.result).toMatch(/^(ERC3009)?Invalid(Signature|Signer)$/)
    expect(await balanceOf(other, order.token, order.wallet)).toBe(before)
    expect((await collectOrder(chain, method, order, signed)).result).toBe("done")
    const local = validOrder(method, there)
    const signedThere = await signOrder(method, payerOf(method), local)
    expect((await collectOrder(other, method, local, signedThere)).result).toBe("done")
  })
})
