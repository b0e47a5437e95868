import { describe, expect, it } from "@effect/vitest"
import * as GeoAccount from "../src/generated/GeoAccount.ts"
import * as GeoVault from "../src/generated/GeoVault.ts"
import { useChain } from "./suite.ts"
import {
  authorize,
  balanceOf,
  cap,
  collect,
  delegate,
  delegateTo,
  eventsOf,
  holding,
  native,
  operation,
  owner,
  payIn,
  recipient,
  relayer,
  sign,
  stranger,
  usdc,
  vault,
  wallet,
  weth
} from "./fixture.ts"

const swapId = `0x${"51".repeat(32)}` as const

describe("a swap of a wallet without gas", () => {
  const chain = useChain()

  it("delegates and pays in one transaction the first time, and needs no authorization later", async () => {
    expect(await balanceOf(chain, native, wallet.address)).toBe(0n)
    const first = operation({ amount: 10_000_000n })
    const one = await collect(chain, wallet.address, first, await sign(wallet, first), [await authorize(wallet)])
    expect(one.result).toBe("done")
    expect(await chain.client.getCode({ address: wallet.address })).toBe(`0xef0100${delegate.slice(2).toLowerCase()}`)
    expect(await balanceOf(chain, usdc, wallet.address)).toBe(holding - 10_000_000n)
    expect(await balanceOf(chain, usdc, vault)).toBe(holding + 10_000_000n)

    const later = operation({ amount: 32n, nonce: 1n })
    const two = await collect(chain, wallet.address, later, await sign(wallet, later))
    expect(two.result).toBe("done")
    expect(await balanceOf(chain, usdc, wallet.address)).toBe(holding - 10_000_032n)
    expect(await balanceOf(chain, usdc, vault)).toBe(holding + 10_000_032n)
    expect(await balanceOf(chain, native, wallet.address)).toBe(0n)
  })

  it("emits one event of the vault with the signed fields", async () => {
    const op = operation({ amount: 7n })
    const { receipt } = await collect(chain, wallet.address, op, await sign(wallet, op), [await authorize(wallet)])
    const { amount, orderId, terms, token } = op
    expect(eventsOf(receipt)).toEqual([
      { eventName: "Collected", args: { orderId, account: wallet.address, token, amount, terms } }
    ])
  })

  it("can pay the whole balance of the wallet, and not a unit more", async () => {
    const authorizationList = [await authorize(wallet)]
    const more = operation({ amount: holding + 1n })
    const refused = await collect(chain, wallet.address, more, await sign(wallet, more), authorizationList)
    expect(refused.result).toBe("ERC20InsufficientBalance")
    const all = operation({ amount: holding })
    expect((await collect(chain, wallet.address, all, await sign(wallet, all))).result).toBe("done")
    expect(await balanceOf(chain, usdc, wallet.address)).toBe(0n)
  })

  it("keeps the delegation if the payment fails, so that the next attempt needs no authorization", async () => {
    const op = operation({ deadline: 1n })
    const outcome = await collect(chain, wallet.address, op, await sign(wallet, op), [await authorize(wallet)])
    expect(outcome.result).toBe("Expired")
    expect(await balanceOf(chain, usdc, wallet.address)).toBe(holding)
    const again = operation()
    expect((await collect(chain, wallet.address, again, await sign(wallet, again))).result).toBe("done")
  })

  it("works if another account submitted the wallet's authorization first", async () => {
    const authorizationList = [await authorize(wallet)]
    const before = await chain.send(stranger, { to: stranger.address, authorizationList })
    expect(before.result).toBe("done")
    expect(await chain.client.getTransactionCount({ address: wallet.address })).toBe(1)
    const op = operation()
    const outcome = await collect(chain, wallet.address, op, await sign(wallet, op), authorizationList)
    expect(outcome.result).toBe("done")
    expect(await balanceOf(chain, usdc, vault)).toBe(holding + op.amount)
  })

  it("refuses a payment of zero and of native tokens", async () => {
    const authorizationList = [await authorize(wallet)]
    const zero = operation({ amount: 0n })
    const outcome = await collect(chain, wallet.address, zero, await sign(wallet, zero), authorizationList)
    expect(outcome.result).toBe("Nothing")
    const gas = operation({ token: native, amount: 1n })
    await chain.client.setBalance({ address: wallet.address, value: 10n })
    expect((await collect(chain, wallet.address, gas, await sign(wallet, gas))).result).toBe("without a reason")
    expect(await balanceOf(chain, native, wallet.address)).toBe(10n)
  })

  it.each([
    ["a token", usdc],
    ["the native token", native]
  ] as const)("delivers %s to the recipient once, and then cannot be refunded", async (_, token) => {
    const before = await balanceOf(chain, token, vault)
    const args = [swapId, token, recipient, 5n] as const
    const delivery = await chain.write(relayer, vault, GeoVault, "deliver", args)
    expect(delivery.result).toBe("done")
    expect(eventsOf(delivery.receipt)).toEqual([
      { eventName: "Delivered", args: { swapId, to: recipient, token, amount: 5n } }
    ])
    expect(await balanceOf(chain, token, recipient)).toBe(5n)
    expect(await balanceOf(chain, token, vault)).toBe(before - 5n)
    expect(await chain.read(vault, GeoVault, "isUsed", [swapId])).toBe(true)
    for (const name of ["deliver", "refund"] as const)
      expect((await chain.write(relayer, vault, GeoVault, name, args)).result).toBe("IdUsed")
    expect(await balanceOf(chain, token, recipient)).toBe(5n)
  })

  it.each([
    ["a token", weth, relayer],
    ["the native token, which only the owner can,", native, owner]
  ] as const)("refunds %s once to the wallet that paid, and then cannot be delivered", async (_, token, by) => {
    await delegateTo(chain, wallet)
    await payIn(chain, 6n, { token: weth })
    const before = await balanceOf(chain, token, wallet.address)
    const args = [swapId, token, wallet.address, 6n] as const
    const refund = await chain.write(by, vault, GeoVault, "refund", args)
    expect(refund.result).toBe("done")
    expect(eventsOf(refund.receipt)).toEqual([
      { eventName: "Refunded", args: { swapId, to: wallet.address, token, amount: 6n } }
    ])
    expect(await balanceOf(chain, token, wallet.address)).toBe(before + 6n)
    for (const name of ["deliver", "refund"] as const)
      expect((await chain.write(relayer, vault, GeoVault, name, args)).result).toBe("IdUsed")
    expect(await balanceOf(chain, token, wallet.address)).toBe(before + 6n)
  })

  it.each([
    ["of an amount of zero", recipient, 0n],
    ["to the zero address", native, 1n],
    ["to the vault itself", vault, 1n]
  ] as const)("refuses a delivery and a refund %s", async (_, to, amount) => {
    await delegateTo(chain, wallet)
    await payIn(chain, 1n)
    for (const [name, token, by] of [
      ["deliver", usdc, relayer],
      ["deliver", native, relayer],
      ["refund", usdc, relayer],
      ["refund", native, owner]
    ] as const)
      expect((await chain.write(by, vault, GeoVault, name, [swapId, token, to, amount])).result).toBe("Nothing")
    expect(await chain.read(vault, GeoVault, "isUsed", [swapId])).toBe(false)
  })

  it("cannot deliver more than the vault has, and the swap stays open", async () => {
    const deliver = (token: typeof usdc) =>
      chain.write(relayer, vault, GeoVault, "deliver", [swapId, token, recipient, cap])
    await chain.client.setBalance({ address: vault, value: cap - 1n })
    expect((await deliver(native)).result).toBe("InsufficientBalance")
    expect(await chain.read(vault, GeoVault, "isUsed", [swapId])).toBe(false)
    expect((await deliver(usdc)).result).toBe("done")
  })

  it("has an account that only the vault can ask to pay", async () => {
    const op = operation()
    const { r, vs } = await sign(wallet, op)
    await collect(chain, wallet.address, op, { r, vs }, [await authorize(wallet)])
    const next = operation({ nonce: 1n })
    const signed = await sign(wallet, next)
    for (const by of [stranger, relayer]) {
      const outcome = await chain.write(by, wallet.address, GeoAccount, "pay", [next, signed.r, signed.vs])
      expect(outcome.result).toBe("NotVault")
    }
  })
})
