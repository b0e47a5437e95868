import { describe, expect, it } from "@effect/vitest"
import { type Address, maxUint256, numberToHex } from "viem"
import * as GeoVault from "../src/generated/GeoVault.ts"
import * as TestToken from "../src/generated/TestToken.ts"
import { genesis } from "./chain.ts"
import { useChain } from "./suite.ts"
import {
  authorize,
  balanceOf,
  cap,
  collect,
  eventsOf,
  holding,
  native,
  operation,
  owner,
  recipient,
  relayer,
  sign,
  tokenOf,
  usdc,
  vault,
  wallet,
  weth
} from "./fixture.ts"

/** A future full hour, and the next one. */
const hour = genesis + 7200n
const nextHour = hour + 3600n

describe("the cap of a token", () => {
  const chain = useChain()
  let ids = 0
  const deliver = async (token: Address, amount: bigint) => {
    const args = [numberToHex(++ids, { size: 32 }), token, recipient, amount] as const
    return (await chain.write(relayer, vault, GeoVault, "deliver", args)).result
  }
  const setCap = (token: Address, perHour: bigint) => chain.write(owner, vault, GeoVault, "setCap", [token, perHour])
  const sent = (token: Address) => chain.read(vault, GeoVault, "sentThisHour", [token])

  it.each([
    ["a token", usdc],
    ["the native token", native]
  ] as const)("limits deliveries of %s, to the unit", async (_, token) => {
    await setCap(token, 100n)
    await chain.at(hour)
    expect(await deliver(token, 60n)).toBe("done")
    expect(await deliver(token, 41n)).toBe("CapExceeded")
    expect(await deliver(token, 40n)).toBe("done")
    expect(await sent(token)).toBe(100n)
    expect(await deliver(token, 1n)).toBe("CapExceeded")
    expect(await balanceOf(chain, token, recipient)).toBe(100n)
  })

  it("resets with each hour: the last second still belongs to the hour, the next does not", async () => {
    await setCap(usdc, 100n)
    await chain.at(hour)
    expect(await deliver(usdc, 60n)).toBe("done")
    await chain.at(nextHour - 2n)
    expect(await deliver(usdc, 41n)).toBe("CapExceeded")
    await chain.at(nextHour - 1n)
    expect(await deliver(usdc, 40n)).toBe("done")
    await chain.at(nextHour)
    expect(await deliver(usdc, 100n)).toBe("done")
    expect(await sent(usdc)).toBe(100n)
    expect(await deliver(usdc, 1n)).toBe("CapExceeded")
  })

  it("applies to one token only", async () => {
    for (const token of [usdc, weth, native]) await setCap(token, 100n)
    await chain.at(hour)
    for (const token of [usdc, weth, native]) expect(await deliver(token, 100n)).toBe("done")
    for (const token of [usdc, weth, native]) expect(await deliver(token, 1n)).toBe("CapExceeded")
  })

  it("is zero by default, and a cap of zero stops the token", async () => {
    const token = await chain.deploy(owner, tokenOf("Unknown", "UNK", 18))
    await chain.write(owner, token, TestToken, "mint", [vault, 100n])
    expect(await deliver(token, 1n)).toBe("CapExceeded")
    const { receipt } = await setCap(token, 1n)
    expect(eventsOf(receipt)).toEqual([{ eventName: "CapSet", args: { token, perHour: 1n } }])
    expect(await chain.read(vault, GeoVault, "capOf", [token])).toBe(1n)
    expect(await deliver(token, 1n)).toBe("done")
    await setCap(token, 0n)
    await chain.at(nextHour)
    expect(await deliver(token, 1n)).toBe("CapExceeded")
  })

  it("that is lowered below the sent amount stops the token until the hour is over", async () => {
    await setCap(usdc, 100n)
    await chain.at(hour)
    expect(await deliver(usdc, 80n)).toBe("done")
    await setCap(usdc, 50n)
    expect(await deliver(usdc, 1n)).toBe("CapExceeded")
    expect(await sent(usdc)).toBe(80n)
    await chain.at(nextHour)
    expect(await deliver(usdc, 51n)).toBe("CapExceeded")
    expect(await deliver(usdc, 50n)).toBe("done")
  })

  it("that is raised takes effect immediately", async () => {
    await setCap(usdc, 100n)
    await chain.at(hour)
    expect(await deliver(usdc, 100n)).toBe("done")
    await setCap(usdc, 101n)
    expect(await deliver(usdc, 2n)).toBe("CapExceeded")
    expect(await deliver(usdc, 1n)).toBe("done")
  })

  it("counts up to 2^216 - 1 in an hour, and refuses larger sums", async () => {
    const most = 2n ** 216n - 1n
    await chain.write(owner, usdc, TestToken, "mint", [vault, 2n ** 220n])
    await setCap(usdc, maxUint256)
    await chain.at(hour)
    for (const amount of [maxUint256, 2n ** 216n]) expect(await deliver(usdc, amount)).toBe("CapExceeded")
    expect(await deliver(usdc, most - 1n)).toBe("done")
    expect(await deliver(usdc, 2n)).toBe("CapExceeded")
    expect(await deliver(usdc, 1n)).toBe("done")
    expect(await sent(usdc)).toBe(most)
    expect(await deliver(usdc, 1n)).toBe("CapExceeded")
    await chain.at(nextHour)
    expect(await deliver(usdc, 1n)).toBe("done")
  })

  it("is not used up by failed deliveries", async () => {
    await setCap(native, 100n)
    await chain.client.setBalance({ address: vault, value: 99n })
    await chain.at(hour)
    expect(await deliver(native, 100n)).toBe("InsufficientBalance")
    expect(await sent(native)).toBe(0n)
    expect(await deliver(native, 99n)).toBe("done")
  })

  it("does not limit the owner's withdrawals, which do not use it up", async () => {
    await setCap(usdc, 1n)
    const outcome = await chain.write(owner, vault, GeoVault, "withdraw", [usdc, recipient, 500n])
    expect(outcome.result).toBe("done")
    expect(eventsOf(outcome.receipt)).toEqual([
      { eventName: "Withdrawn", args: { to: recipient, token: usdc, amount: 500n } }
    ])
    expect(await sent(usdc)).toBe(0n)
    expect(await deliver(usdc, 1n)).toBe("done")
  })

  it("is not checked by collect: an input above it is accepted, and only the owner can refund it", async () => {
    const op = operation({ amount: cap + 1n })
    const collected = await collect(chain, wallet.address, op, await sign(wallet, op), [await authorize(wallet)])
    expect(collected.result).toBe("done")
    const args = [op.orderId, usdc, wallet.address, op.amount] as const
    expect((await chain.write(relayer, vault, GeoVault, "refund", args)).result).toBe("CapExceeded")
    expect((await chain.write(owner, vault, GeoVault, "refund", args)).result).toBe("done")
    expect(await balanceOf(chain, usdc, wallet.address)).toBe(holding)
    expect(await chain.read(vault, GeoVault, "isUsed", [op.orderId])).toBe(true)
    expect((await chain.write(relayer, vault, GeoVault, "refund", args)).result).toBe("IdUsed")
  })

  it("is not used up by the owner's refunds, even if the owner is a relayer", async () => {
    await setCap(usdc, 1n)
    await chain.write(owner, vault, GeoVault, "setRelayer", [owner.address, true])
    const id = numberToHex(++ids, { size: 32 })
    expect((await chain.write(owner, vault, GeoVault, "refund", [id, usdc, recipient, 2n])).result).toBe("done")
    expect(await sent(usdc)).toBe(0n)
    const next = numberToHex(++ids, { size: 32 })
    const delivery = await chain.write(owner, vault, GeoVault, "deliver", [next, usdc, recipient, 2n])
    expect(delivery.result).toBe("CapExceeded")
  })
})
