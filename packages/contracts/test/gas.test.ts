/**
 * The gas of every path, compared exactly with `gas.snapshot.json`; `pnpm gas:update` writes it anew. Anvil takes every
 * account for one that exists, so that it gives 12,500 gas back for a first authorization that a real chain keeps where
 * the wallet has neither a nonce nor native tokens.
 */
import { expect, it } from "@effect/vitest"
import { type Address, concat, encodeAbiParameters, getContractAddress, numberToHex } from "viem"
import * as GeoVault from "../src/generated/GeoVault.ts"
import { genesis } from "./anvil.ts"
import type { Outcome } from "./chain.ts"
import { describeOnChain, useChain } from "./suite.ts"
import {
  authorize,
  collect,
  guardian,
  native,
  operation,
  owner,
  recipient,
  relayer,
  sign,
  stranger,
  usdc,
  vault,
  wallet
} from "./world.ts"

const hour = genesis + 7200n

describeOnChain("the gas", () => {
  const chain = useChain()
  const gas: Record<string, number> = {}

  const note = async (name: string, work: Promise<Outcome>): Promise<number> => {
    const { receipt, result } = await work
    expect([name, result]).toEqual([name, "done"])
    return (gas[name] = Number(receipt.gasUsed))
  }

  it("of collecting stays within its budgets: 98,000 with the authorization, 63,000 later", async () => {
    const [first, later, word] = [operation({ nonce: 0n }), operation({ nonce: 1n }), operation({ nonce: 256n })]
    const signed = await Promise.all([first, later, word].map((op) => sign(wallet, op)))
    const pay = (index: number, op: typeof first, authorizations?: Parameters<typeof collect>[4]) =>
      collect(chain, wallet.address, op, signed[index] ?? { r: "0x", vs: "0x" }, authorizations)
    const one = await note("collect, first, with the authorization", pay(0, first, [await authorize(wallet)]))
    const two = await note("collect, later", pay(1, later))
    await note("collect, every 256th, which opens a word of nonces", pay(2, word))
    expect(one).toBeLessThanOrEqual(98_000)
    expect(two).toBeLessThanOrEqual(63_000)
  })

  it.each([
    ["token", usdc],
    ["native token", native]
  ] as const)("of releasing the %s", async (token, address: Address) => {
    let ids = 0
    const release = (name: "deliver" | "refund", to: Address) =>
      chain.write(relayer, vault, GeoVault, name, [numberToHex(++ids, { size: 32 }), address, to, 1_000_000n])
    await chain.at(hour)
    await note(`deliver, ${token}, first ever, to a new holder`, release("deliver", recipient))
    await chain.at(hour + 1n)
    await note(`deliver, ${token}, later in the hour`, release("deliver", recipient))
    await chain.at(hour + 3600n)
    await note(`deliver, ${token}, first in an hour`, release("deliver", recipient))
    await chain.at(hour + 3601n)
    await note(
      `deliver, ${token}, later in the hour, to a new holder`,
      release("deliver", "0x00000000000000000000000000000000c0ffee02")
    )
    await chain.at(hour + 3602n)
    await note(`refund, ${token}, later in the hour`, release("refund", recipient))
    await chain.at(hour + 7200n)
    await note(`refund, ${token}, first in an hour`, release("refund", recipient))
  })

  it("of running the vault", async () => {
    const creation = concat([GeoVault.bytecode, encodeAbiParameters([{ type: "address" }], [owner.address])])
    const nonce = await chain.client.getTransactionCount({ address: owner.address })
    await note("deploy vault and account", chain.send(owner, { data: creation, gas: 8_000_000n }))
    expect(
      await chain.client.getCode({
        address: getContractAddress({ from: owner.address, nonce: BigInt(nonce) })
      })
    ).toBeDefined()
    await note("setRelayer", chain.write(owner, vault, GeoVault, "setRelayer", [stranger.address, true]))
    await note("setCap", chain.write(owner, vault, GeoVault, "setCap", [usdc, 1n]))
    await note("withdraw, token", chain.write(owner, vault, GeoVault, "withdraw", [usdc, owner.address, 1n]))
    await note("pause, two relayers", chain.write(guardian, vault, GeoVault, "pause", []))
    await note("unpause, two relayers", chain.write(owner, vault, GeoVault, "unpause", []))
  })

  it("is what the snapshot says", async () => {
    await expect(`${JSON.stringify(gas, undefined, 2)}\n`).toMatchFileSnapshot("./gas.snapshot.json")
  })
})
