import { describe, expect, it } from "@effect/vitest"
import { type Address, type Hex, maxUint256 } from "viem"
import * as FeeToken from "../src/generated/FeeToken.ts"
import * as GeoVault from "../src/generated/GeoVault.ts"
import * as PausableToken from "../src/generated/PausableToken.ts"
import * as TestToken from "../src/generated/TestToken.ts"
import * as ShareToken from "./generated/ShareToken.ts"
import * as SilentToken from "./generated/SilentToken.ts"
import { describeOnChain, useChain } from "./suite.ts"
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

describeOnChain("a token", () => {
  const chain = useChain(async (chain) => {
    await delegateTo(chain, wallet)
  })

  /** Deploys a token of which the wallet and the vault have 1000 each, and relayers may send any. */
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

  it("that keeps a fee of each transfer is refused as input", async () => {
    const token = await issue(FeeToken.bytecode)
    expect((await pay(token)).result).toBe("WrongAmount")
    expect(await balances(token)).toEqual([1000n, 1000n, 0n])
  })

  it("that keeps a fee delivers less than is said: such a token is not for the vault", async () => {
    const token = await issue(FeeToken.bytecode)
    expect((await deliver(token)).result).toBe("done")
    expect(await balances(token)).toEqual([1000n, 900n, 99n])
  })

  it("that is paused moves neither way, and both can be done once it moves again", async () => {
    const token = await issue(PausableToken.bytecode)
    await chain.write(stranger, token, PausableToken, "setPaused", [true])
    expect((await pay(token)).result).toBe("TransfersPaused")
    expect((await deliver(token)).result).toBe("TransfersPaused")
    await chain.write(stranger, token, PausableToken, "setPaused", [false])
    expect((await pay(token)).result).toBe("done")
    expect((await deliver(token)).result).toBe("done")
    expect(await balances(token)).toEqual([900n, 1000n, 100n])
  })

  it("that is no contract is refused", async () => {
    expect((await pay(stranger.address)).result).toBe("without a reason")
    await chain.write(owner, vault, GeoVault, "setCap", [stranger.address, cap])
    expect((await deliver(stranger.address)).result).toBe("SafeERC20FailedOperation")
  })

  it("that is the wallet or the vault itself is refused", async () => {
    for (const token of [wallet.address, vault]) expect((await pay(token)).result).toBe("without a reason")
  })

  it("that keeps shares is refused as input where rounding loses a unit, and taken where it does not", async () => {
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

  it("that keeps shares delivers a unit less than is said: such a token is not for the vault", async () => {
    const token = await issue(ShareToken.bytecode)
    await chain.write(stranger, token, ShareToken, "rebase", [3000n])
    expect((await deliver(token)).result).toBe("done")
    expect((await balances(token))[2]).toBe(99n)
  })

  it("whose balances are so high that a sum overflows is refused, by no name of ours", async () => {
    const token: Address = "0x00000000000000000000000000000000000b0010"
    // Answers 1 - 2 * (calldatasize == 36): true to `transfer`, and the highest number to `balanceOf`.
    await chain.client.setCode({ address: token, bytecode: "0x6024361460011b6001035f5260205ff3" })
    expect(await balanceOf(chain, token, vault)).toBe(maxUint256)
    const outcome = await pay(token)
    expect([outcome.result, eventsOf(outcome.receipt)]).toEqual(["Panic", []])
  })

  describe("from before the standard", () => {
    const misbehave = (token: Address, refusing: boolean, lying: boolean) =>
      chain.write(stranger, token, SilentToken, "misbehave", [refusing, lying])

    it("that returns nothing works both ways", async () => {
      const token = await issue(SilentToken.bytecode)
      expect((await pay(token)).result).toBe("done")
      expect((await deliver(token)).result).toBe("done")
      expect(await balances(token)).toEqual([900n, 1000n, 100n])
    })

    it("that returns false is refused both ways, and the swap stays open", async () => {
      const token = await issue(SilentToken.bytecode)
      await misbehave(token, true, false)
      expect((await pay(token)).result).toBe("SafeERC20FailedOperation")
      expect((await deliver(token)).result).toBe("SafeERC20FailedOperation")
      expect(await chain.read(vault, GeoVault, "isUsed", [swapId])).toBe(false)
      expect(await balances(token)).toEqual([1000n, 1000n, 0n])
    })

    it("that says yes and moves nothing is refused as input, and no event says that it arrived", async () => {
      const token = await issue(SilentToken.bytecode)
      await misbehave(token, false, true)
      const outcome = await pay(token)
      expect(outcome.result).toBe("WrongAmount")
      expect(eventsOf(outcome.receipt)).toEqual([])
    })

    it("that says yes and moves nothing is believed as output: such a token is not for the vault", async () => {
      const token = await issue(SilentToken.bytecode)
      await misbehave(token, false, true)
      expect((await deliver(token)).result).toBe("done")
      expect(await balances(token)).toEqual([1000n, 1000n, 0n])
    })
  })
})
