import { describe, expect, it } from "@effect/vitest"
import { type Address, maxUint256, numberToHex } from "viem"
import * as GeoVault from "../src/generated/GeoVault.ts"
import * as TestToken from "../src/generated/TestToken.ts"
import { genesis } from "./chain.ts"
import { useChain } from "./suite.ts"
import {
  balanceOf,
  delegateTo,
  eventsOf,
  native,
  otherWallet,
  owner,
  payIn,
  recipient,
  relayer,
  tokenOf,
  usdc,
  vault,
  wallet,
  weth
} from "./fixture.ts"

/** The first second of a clock hour, counted from a future one. */
const hour = (index: number): bigint => genesis + 7200n + BigInt(index) * 3600n

/** The maximum amount of one clock hour. */
const most = 2n ** 216n - 1n

describe("refunds by relayers", () => {
  const chain = useChain(async (chain) => {
    for (const signer of [wallet, otherWallet]) await delegateTo(chain, signer)
  })
  let numbers = 0
  const release = (name: "deliver" | "refund", token: Address, amount: bigint, by = relayer) =>
    chain.write(by, vault, GeoVault, name, [numberToHex(++numbers, { size: 32 }), token, recipient, amount])
  const deliver = async (amount: bigint, token: Address = usdc) => (await release("deliver", token, amount)).result
  const refund = async (amount: bigint, token: Address = usdc) => (await release("refund", token, amount)).result
  const refundByOwner = async (amount: bigint) => (await release("refund", usdc, amount, owner)).result
  const collect = async (amount: bigint, token: Address = usdc, signer = wallet) => {
    const { result } = await payIn(chain, amount, { token, nonce: BigInt(++numbers) }, signer)
    expect(result).toBe("done")
  }
  const setCap = (perHour: bigint, token: Address = usdc) =>
    chain.write(owner, vault, GeoVault, "setCap", [token, perHour])
  const setRefundCap = (perHour: bigint, token: Address = usdc) =>
    chain.write(owner, vault, GeoVault, "setRefundCap", [token, perHour])
  const view = (name: "capOf" | "refundCapOf" | "refundable" | "refundedThisHour" | "sentThisHour", token = usdc) =>
    chain.read(vault, GeoVault, name, [token])

  it("do not use up the delivery cap, no matter how many a caller causes", async () => {
    await setCap(100n)
    await chain.at(hour(0))
    // Each round costs the caller nothing, because its payment is refunded.
    for (const amount of [60n, 40n]) {
      await collect(amount)
      expect(await refund(amount)).toBe("done")
    }
    expect(await deliver(100n)).toBe("done")
    expect([await view("sentThisHour"), await view("refundedThisHour")]).toEqual([100n, 100n])
  })

  it("are not stopped by deliveries that used up the delivery cap", async () => {
    await setCap(100n)
    await chain.at(hour(0))
    await collect(100n)
    expect(await deliver(100n)).toBe("done")
    expect(await refund(100n)).toBe("done")
    expect([await deliver(1n), await refund(1n)]).toEqual(["CapExceeded", "CapExceeded"])
  })

  it("return no more than was collected, to the unit", async () => {
    await chain.at(hour(0))
    expect(await refund(1n)).toBe("ExceedsCollected")
    await collect(60n)
    await collect(40n, usdc, otherWallet)
    expect(await view("refundable")).toBe(100n)
    expect(await refund(101n)).toBe("ExceedsCollected")
    expect(await refund(70n)).toBe("done")
    expect(await view("refundable")).toBe(30n)
    expect(await refund(31n)).toBe("ExceedsCollected")
    expect(await refund(30n)).toBe("done")
    expect(await refund(1n)).toBe("ExceedsCollected")
    expect(await view("refundable")).toBe(0n)
    expect(await balanceOf(chain, usdc, recipient)).toBe(100n)
  })

  it("are limited for each token by its collected amount, and the native token is never collected", async () => {
    await chain.at(hour(0))
    await collect(100n, usdc)
    expect(await refund(1n, weth)).toBe("ExceedsCollected")
    expect(await refund(1n, native)).toBe("ExceedsCollected")
    await collect(50n, weth)
    expect([await view("refundable"), await view("refundable", weth)]).toEqual([100n, 50n])
    expect(await refund(50n, weth)).toBe("done")
    expect(await refund(100n)).toBe("done")
  })

  it("are possible until the second full hour after the input, and then only for the owner", async () => {
    await chain.at(hour(1) - 1n)
    await collect(30n)
    await chain.at(hour(3) - 2n)
    expect(await refund(10n)).toBe("done")
    await chain.at(hour(3) - 1n)
    expect(await refund(10n)).toBe("done")
    expect(await view("refundable")).toBe(10n)
    await chain.at(hour(3))
    expect(await refund(1n)).toBe("ExceedsCollected")
    expect(await view("refundable")).toBe(0n)
    expect(await refundByOwner(10n)).toBe("done")
  })

  it("can use the collections of three hours together, and each input once", async () => {
    for (const [index, amount] of [1n, 20n, 300n].entries()) {
      await chain.at(hour(index))
      await collect(amount)
    }
    expect(await view("refundable")).toBe(321n)
    expect(await refund(322n)).toBe("ExceedsCollected")
    expect(await refund(321n)).toBe("done")
    expect(await refund(1n)).toBe("ExceedsCollected")
    await chain.at(hour(3))
    expect(await refund(1n)).toBe("ExceedsCollected")
  })

  it("take from the oldest inputs first, so that later inputs stay refundable", async () => {
    await chain.at(hour(1) - 1n)
    await collect(100n)
    await chain.at(hour(1))
    await collect(50n)
    expect(await refund(100n)).toBe("done")
    // The first input is too old now, and its refund is too.
    await chain.at(hour(3))
    expect(await refund(50n)).toBe("done")
    expect(await refund(1n)).toBe("ExceedsCollected")
  })

  it("ignore an earlier hour after its slot is reused", async () => {
    await chain.at(hour(0))
    await collect(100n)
    expect(await refund(40n)).toBe("done")
    await chain.at(hour(3))
    await collect(10n)
    expect(await view("refundable")).toBe(10n)
    expect(await refund(11n)).toBe("ExceedsCollected")
    expect(await refund(10n)).toBe("done")
    // The same slot, unused for a long time.
    await chain.at(hour(300))
    expect(await refund(1n)).toBe("ExceedsCollected")
  })

  it("have an hourly cap, which resets with the next hour", async () => {
    await setCap(1_000n)
    const { receipt } = await setRefundCap(100n)
    expect(eventsOf(receipt)).toEqual([{ eventName: "RefundCapSet", args: { token: usdc, perHour: 100n } }])
    await chain.at(hour(0))
    await collect(500n)
    expect(await view("refundable")).toBe(100n)
    expect(await refund(60n)).toBe("done")
    expect(await refund(41n)).toBe("CapExceeded")
    await chain.at(hour(1) - 1n)
    expect(await refund(40n)).toBe("done")
    expect([await view("refundedThisHour"), await view("refundable")]).toEqual([100n, 0n])
    await chain.at(hour(1))
    expect(await refund(101n)).toBe("CapExceeded")
    expect(await refund(100n)).toBe("done")
    expect(await deliver(1_000n)).toBe("done")
  })

  it("have the delivery cap until a smaller one is set, and never a larger one", async () => {
    await setCap(100n)
    expect(await view("refundCapOf")).toBe(100n)
    for (const [set, effective] of [
      [30n, 30n],
      [0n, 0n],
      [101n, 100n],
      [maxUint256 - 1n, 100n],
      [30n, 30n],
      [maxUint256, 100n]
    ] as const) {
      await setRefundCap(set)
      expect([set, await view("refundCapOf")]).toEqual([set, effective])
    }
    await setCap(maxUint256)
    expect(await view("refundCapOf")).toBe(maxUint256)
    await setRefundCap(60n)
    await setCap(50n)
    expect([await view("capOf"), await view("refundCapOf")]).toEqual([50n, 50n])
    await chain.at(hour(0))
    await collect(100n)
    expect(await refund(51n)).toBe("CapExceeded")
    expect(await refund(50n)).toBe("done")
  })

  it("are stopped by a refund cap of zero and by a cap of zero, and deliveries only by the latter", async () => {
    await chain.at(hour(0))
    await collect(100n)
    await setRefundCap(0n)
    expect([await refund(1n), await deliver(1n)]).toEqual(["CapExceeded", "done"])
    expect(await view("refundable")).toBe(0n)
    expect(await refundByOwner(1n)).toBe("done")
    await setRefundCap(maxUint256)
    await setCap(0n)
    expect([await refund(1n), await deliver(1n)]).toEqual(["CapExceeded", "CapExceeded"])
  })

  it("stop until the hour is over if their cap is set below the refunded amount", async () => {
    await chain.at(hour(0))
    await collect(100n)
    expect(await refund(80n)).toBe("done")
    await setRefundCap(50n)
    expect(await refund(1n)).toBe("CapExceeded")
    expect([await view("refundedThisHour"), await view("refundable")]).toEqual([80n, 0n])
    await chain.at(hour(1))
    expect(await refund(20n)).toBe("done")
  })

  it("are not reduced by failed refunds and by those of the owner", async () => {
    await chain.at(hour(0))
    await collect(100n)
    expect(await refundByOwner(200n)).toBe("done")
    await chain.write(owner, vault, GeoVault, "withdraw", [usdc, owner.address, await balanceOf(chain, usdc, vault)])
    expect(await refund(100n)).toBe("ERC20InsufficientBalance")
    expect([await view("refundable"), await view("refundedThisHour")]).toEqual([100n, 0n])
    await chain.write(owner, usdc, TestToken, "mint", [vault, 100n])
    expect(await refund(100n)).toBe("done")
  })

  it("track any amount that can be collected, except for an excess that only the owner can refund", async () => {
    const token = await chain.deploy(owner, tokenOf("Huge", "HUGE", 0))
    const pass = (amount: bigint) => chain.write(owner, vault, GeoVault, "withdraw", [token, wallet.address, amount])
    await chain.write(owner, token, TestToken, "mint", [wallet.address, maxUint256])
    await setCap(maxUint256, token)
    for (const index of [0, 1, 2]) {
      await chain.at(hour(index))
      await collect(maxUint256, token)
      await pass(maxUint256)
      // The same hour is full, and the payment still arrives.
      await collect(maxUint256, token)
      if (index < 2) await pass(maxUint256)
    }
    expect(await view("refundable", token)).toBe(3n * most)
    for (const amount of [maxUint256, 2n ** 216n]) expect(await refund(amount, token)).toBe("CapExceeded")
    expect(await refund(most, token)).toBe("done")
    expect(await refund(1n, token)).toBe("CapExceeded")
    for (const index of [3, 4]) {
      await chain.at(hour(index))
      expect(await refund(most, token)).toBe("done")
    }
    await chain.at(hour(5))
    expect(await refund(1n, token)).toBe("ExceedsCollected")
  })

  it.each([
    ["what was collected, if that is below the refund cap", 300n, [50n, 60n, 70n], 1_000n + 180n],
    ["the refund cap, if more was collected", 300n, [200n, 300n, 400n], 1_000n + 300n],
    ["a second cap, if no refund cap was set and enough was collected", undefined, [900n, 0n, 300n], 2_000n],
    ["nothing, if nothing was collected", undefined, [0n, 0n, 0n], 1_000n]
  ] as const)(
    "let a stolen relayer key take the delivery cap in an hour, and %s",
    async (_, refundCap, inputs, total) => {
      await setCap(1_000n)
      if (refundCap !== undefined) await setRefundCap(refundCap)
      for (const [index, amount] of inputs.entries()) {
        await chain.at(hour(index))
        if (amount > 0n) await collect(amount, usdc, otherWallet)
      }
      /** Takes the maximum now, and checks that one unit more fails. */
      const takeAll = async () => {
        await deliver((await view("capOf")) - (await view("sentThisHour")))
        await refund(await view("refundable"))
        expect(await deliver(1n)).toBe("CapExceeded")
        expect(await refund(1n)).toMatch(/CapExceeded|ExceedsCollected/)
      }
      await chain.at(hour(2) + 1n)
      await takeAll()
      expect(await balanceOf(chain, usdc, recipient)).toBe(total)
      // The thief's own input makes room for a refund of at most itself.
      await collect(100n)
      await takeAll()
      const [own, taken] = [100n, await balanceOf(chain, usdc, recipient)]
      expect(taken - own).toBeLessThanOrEqual(total)
    }
  )
})
