import { describe, expect, it } from "@effect/vitest"
import { type Address, type Hex, maxUint256 } from "viem"
import * as FeeToken from "../src/generated/FeeToken.ts"
import * as GeoVault from "../src/generated/GeoVault.ts"
import * as PausableToken from "../src/generated/PausableToken.ts"
import * as TestToken from "../src/generated/TestToken.ts"
import * as ShareToken from "./generated/ShareToken.ts"
import * as SilentToken from "./generated/SilentToken.ts"
import { useChain } from "./suite.ts"
import {
  balanceOf,
  cap,
  collect,
  delegateTo,
  eventsOf,
  operation,
  owner,
  recipient,
  relayer,
  sign,
  stranger,
  vault,
  wallet
} from "./fixture.ts"

const swapId = `0x${"52".repeat(32)}` as const

describe("a token", () => {
  const chain = useChain(async (chain) => {
    await delegateTo(chain, wallet)
  })

  /** Deploys a token with 1000 for the wallet and for the vault, and without a limit for relayers. */
  const issue = async (bytecode: Hex): Promise<Address> => {
    const token = await chain.deploy(owner, bytecode)
    for (const to of [wallet.address, vault]) await chain.write(owner, token, TestToken, "mint", [to, 1000n])
    await chain.write(owner, vault, GeoVault, "setCap", [token, cap])
    return token
  }
  const pay = async (token: Address) => {
    const op = operation({ token, amount: 100n })
    return collect(chain, wallet.address, op, await sign(wallet, op))
  }
  const deliver = (token: Address) => chain.write(relayer, vault, GeoVault, "deliver", [swapId, token, recipient, 100n])
  const balances = async (token: Address) => [
    await balanceOf(chain, token, wallet.address),
    await balanceOf(chain, token, vault),
    await balanceOf(chain, token, recipient)
  ]

  it("with a transfer fee is refused as input", async () => {
    const token = await issue(FeeToken.bytecode)
    expect((await pay(token)).result).toBe("WrongAmount")
    expect(await balances(token)).toEqual([1000n, 1000n, 0n])
  })

  it("with a transfer fee delivers less than the event says: the vault does not support such tokens", async () => {
    const token = await issue(FeeToken.bytecode)
    expect((await deliver(token)).result).toBe("done")
    expect(await balances(token)).toEqual([1000n, 900n, 99n])
  })

  it("that is paused can be neither collected nor delivered, until it is resumed", async () => {
    const token = await issue(PausableToken.bytecode)
    await chain.write(stranger, token, PausableToken, "setPaused", [true])
    expect((await pay(token)).result).toBe("TransfersPaused")
    expect((await deliver(token)).result).toBe("TransfersPaused")
    await chain.write(stranger, token, PausableToken, "setPaused", [false])
    expect((await pay(token)).result).toBe("done")
    expect((await deliver(token)).result).toBe("done")
    expect(await balances(token)).toEqual([900n, 1000n, 100n])
  })

  it("without code is refused", async () => {
    expect((await pay(stranger.address)).result).toBe("without a reason")
    await chain.write(owner, vault, GeoVault, "setCap", [stranger.address, cap])
    expect((await deliver(stranger.address)).result).toBe("SafeERC20FailedOperation")
  })

  it("that is the wallet or the vault itself is refused", async () => {
    for (const token of [wallet.address, vault]) expect((await pay(token)).result).toBe("without a reason")
  })

  it("that rebases is refused as input if rounding loses a unit, and accepted otherwise", async () => {
    const token = await issue(ShareToken.bytecode)
    await chain.write(stranger, token, ShareToken, "rebase", [3000n])
    // 66 shares of 100 units are worth 99.
    const refused = await pay(token)
    expect([refused.result, eventsOf(refused.receipt)]).toEqual(["WrongAmount", []])
    expect(await balances(token)).toEqual([1500n, 1500n, 0n])
    await chain.write(stranger, token, ShareToken, "rebase", [2500n])
    expect((await pay(token)).result).toBe("done")
    expect(await balances(token)).toEqual([1150n, 1350n, 0n])
  })

  it("that rebases delivers a unit less than the event says: the vault does not support such tokens", async () => {
    const token = await issue(ShareToken.bytecode)
    await chain.write(stranger, token, ShareToken, "rebase", [3000n])
    expect((await deliver(token)).result).toBe("done")
    expect((await balances(token))[2]).toBe(99n)
  })

  it("with balances that overflow a sum is refused with a panic", async () => {
    const token: Address = "0x00000000000000000000000000000000000b0010"
    // Returns 1 - 2 * (calldatasize == 36): true for `transfer`, and the maximum for `balanceOf`.
    await chain.client.setCode({ address: token, bytecode: "0x6024361460011b6001035f5260205ff3" })
    expect(await balanceOf(chain, token, vault)).toBe(maxUint256)
    const outcome = await pay(token)
    expect([outcome.result, eventsOf(outcome.receipt)]).toEqual(["Panic", []])
  })

  describe("from before the standard", () => {
    const misbehave = (token: Address, refusing: boolean, lying: boolean) =>
      chain.write(stranger, token, SilentToken, "misbehave", [refusing, lying])

    it("that returns nothing works as input and as output", async () => {
      const token = await issue(SilentToken.bytecode)
      expect((await pay(token)).result).toBe("done")
      expect((await deliver(token)).result).toBe("done")
      expect(await balances(token)).toEqual([900n, 1000n, 100n])
    })

    it("that returns false is refused as input and as output, and the swap stays open", async () => {
      const token = await issue(SilentToken.bytecode)
      await misbehave(token, true, false)
      expect((await pay(token)).result).toBe("SafeERC20FailedOperation")
      expect((await deliver(token)).result).toBe("SafeERC20FailedOperation")
      expect(await chain.read(vault, GeoVault, "isUsed", [swapId])).toBe(false)
      expect(await balances(token)).toEqual([1000n, 1000n, 0n])
    })

    it("that returns true and moves nothing is refused as input, without an event", async () => {
      const token = await issue(SilentToken.bytecode)
      await misbehave(token, false, true)
      const outcome = await pay(token)
      expect(outcome.result).toBe("WrongAmount")
      expect(eventsOf(outcome.receipt)).toEqual([])
    })

    it("that returns true and moves nothing is accepted as output: the vault does not support such tokens", async () => {
      const token = await issue(SilentToken.bytecode)
      await misbehave(token, false, true)
      expect((await deliver(token)).result).toBe("done")
      expect(await balances(token)).toEqual([1000n, 1000n, 0n])
    })
  })
})
