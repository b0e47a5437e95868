import { expect, it } from "@effect/vitest"
import { maxUint256, toFunctionSelector } from "viem"
import * as GeoVault from "../src/generated/GeoVault.ts"
import type { Setting } from "./attacks.ts"
import { prepareSetting } from "./attackSetting.ts"
import { batchProbes } from "./batchProbes.ts"
import { collectMany, deliverMany, denseId, holderOf, refundMany } from "./batches.ts"
import { owner, usdc, vault } from "./fixture.ts"
import { describeOnChain, useChain } from "./suite.ts"

it("the vault has none of the functions that it calls at an address of a caller's choice", () => {
  const called = [
    "balanceOf(address)",
    "transfer(address,uint256)",
    "permit(address,address,uint256,uint256,uint8,bytes32,bytes32)",
    "receiveWithAuthorization(address,address,uint256,uint256,uint256,bytes32,uint8,bytes32,bytes32)",
    "pay((address,uint256,bytes32,bytes32,uint256,uint256),bytes32,bytes32)",
    "payTyped((address,uint256,bytes32,bytes32,uint256,uint256),bytes32,bytes32)",
    "vault()"
  ].map((signature) => toFunctionSelector(signature))
  const own = GeoVault.abi.flatMap((item) => (item.type === "function" ? [toFunctionSelector(item)] : []))
  expect(own.filter((selector) => called.includes(selector))).toEqual([])
  expect(GeoVault.abi.filter((item) => (item.type as string) === "fallback")).toEqual([])
})

describeOnChain("batches", () => {
  let setting: Setting
  const chain = useChain(async (chain) => {
    setting = await prepareSetting(chain)
  })

  it.each(batchProbes)("pass: %s", async (_, passes) => {
    expect(await passes(setting)).toBe(true)
  })

  const item = { swapId: denseId(0), token: usdc, to: holderOf(0), amount: 1n }

  it("are refused while the vault is paused", async () => {
    await chain.write(owner, vault, GeoVault, "pause", [])
    for (const send of [deliverMany, refundMany]) expect((await send(chain, [item])).result).toBe("IsPaused")
    expect((await collectMany(chain, [])).result).toBe("IsPaused")
  })

  it("without items, without gas for an item, or with more gas than there is, do nothing", async () => {
    for (const send of [deliverMany, refundMany]) {
      expect(await send(chain, [])).toMatchObject({ result: "done", settled: [], failed: {}, stopped: undefined })
      expect(await send(chain, [item], { itemGas: 0n })).toMatchObject({
        result: "done",
        settled: [],
        failed: { 0: "without a reason" },
        stopped: undefined
      })
      for (const itemGas of [maxUint256, maxUint256 / 64n + 1n, 2n ** 64n])
        expect(await send(chain, [item], { itemGas, gas: 1_000_000n })).toMatchObject({
          result: "done",
          settled: [],
          failed: {},
          stopped: 0
        })
    }
    expect(await collectMany(chain, [])).toMatchObject({ result: "done", settled: [], failed: {} })
    expect(await chain.read(vault, GeoVault, "isUsed", [item.swapId])).toBe(false)
  })
})
