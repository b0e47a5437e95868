import { describe, expect, it } from "@effect/vitest"
import { type Hex, hexToBytes, maxUint256, toFunctionSelector } from "viem"
import * as GeoVault from "../src/generated/GeoVault.ts"
import type { Setting } from "./attacks.ts"
import { prepareSetting } from "./attackSetting.ts"
import { batchProbes } from "./batchProbes.ts"
import {
  collectMany,
  deliverMany,
  denseId,
  holderOf,
  itemGas,
  payers,
  payment,
  refundMany,
  reportOf
} from "./batches.ts"
import { encode } from "./chain.ts"
import { authorize, delegate, owner, relayer, usdc, vault } from "./fixture.ts"
import { at } from "./model.ts"
import { useChain } from "./suite.ts"

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

describe("batches", () => {
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

  /** The gas limit of a batch, as in docs/contracts.md. */
  const limitOf = (data: Hex, count: bigint, itemGas: bigint, authorizations: bigint): bigint => {
    const calldata = hexToBytes(data).reduce((sum, byte) => sum + (byte === 0 ? 4n : 16n), 0n)
    return 25_000n + 25_000n * authorizations + calldata + count * (itemGas + 3_000n) + itemGas / 63n + 5_000n
  }

  it.each([1, 2, 10, 50])("of %i items have enough gas if each item uses up its own", async (count) => {
    // Too little for any item, so that nothing is left of it.
    const each = 4_000n
    const call = await payment(at(payers, 0))
    const calls = Array.from({ length: count }, () => call)
    const items = Array.from({ length: count }, () => item)
    const authorizationList = await Promise.all(
      payers.slice(0, 3).map((payer) => authorize(payer, { chainId: chain.id, address: delegate }))
    )
    for (const [data, authorizations] of [
      [encode(GeoVault, "collectMany", [calls, each]), []],
      [encode(GeoVault, "collectMany", [calls, each]), authorizationList],
      [encode(GeoVault, "deliverMany", [items, each]), []],
      [encode(GeoVault, "refundMany", [items, each]), []]
    ] as const) {
      const gas = limitOf(data, BigInt(count), each, BigInt(authorizations.length))
      const { receipt, result } = await chain.send(relayer, {
        to: vault,
        data,
        gas,
        ...(authorizations.length > 0 && { authorizationList: authorizations })
      })
      const { failed, stopped } = reportOf(receipt)
      expect([result, Object.keys(failed).length, stopped]).toEqual(["done", count, undefined])
    }
  })

  it("are not tried completely with the gas that the chain estimates", async () => {
    const items = Array.from({ length: 3 }, (_, index) => ({ ...item, swapId: denseId(index) }))
    const data = encode(GeoVault, "deliverMany", [items, itemGas])
    const gas = await chain.client.estimateGas({ account: relayer.address, to: vault, data })
    const { result, settled, stopped } = await deliverMany(chain, items, { gas })
    expect(result).toBe("done")
    expect(stopped).toBe(settled.length)
    expect(settled.length).toBeLessThan(items.length)
  })
})
