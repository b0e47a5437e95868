import { describe, expect, it } from "@effect/vitest"
import { type Address, numberToHex, padHex } from "viem"
import * as GeoVault from "../src/generated/GeoVault.ts"
import { encode } from "./chain.ts"
import { useChain } from "./suite.ts"
import {
  delegateTo,
  eventsOf,
  guardian,
  operation,
  owner,
  payIn,
  recipient,
  relayer,
  sign,
  stranger,
  usdc,
  vault,
  wallet
} from "./fixture.ts"

const swapId = `0x${"56".repeat(32)}` as const
const numbered = (index: number): Address => padHex(numberToHex(0x1000 + index), { size: 20 })

describe("pausing", () => {
  const chain = useChain(async (chain) => {
    await delegateTo(chain, wallet)
    await payIn(chain, 1n, { nonce: 7n })
  })
  const pause = (by = guardian) => chain.write(by, vault, GeoVault, "pause", [])
  const unpause = () => chain.write(owner, vault, GeoVault, "unpause", [])
  const setRelayer = (address: Address, allowed: boolean) =>
    chain.write(owner, vault, GeoVault, "setRelayer", [address, allowed])
  const tryDelivery = (by: Address) =>
    chain.simulate(by, vault, encode(GeoVault, "deliver", [swapId, usdc, recipient, 1n]))
  const relayers = async () => (await chain.read(vault, GeoVault, "relayers", [])).toSorted()

  it("stops all relayers, and nothing else; unpausing allows them again", async () => {
    const op = operation()
    const { r, vs } = await sign(wallet, op)
    const calls = [
      encode(GeoVault, "collect", [wallet.address, op, r, vs]),
      encode(GeoVault, "deliver", [swapId, usdc, recipient, 1n]),
      encode(GeoVault, "refund", [swapId, usdc, recipient, 1n])
    ]
    const results = () => Promise.all(calls.map((data) => chain.simulate(relayer.address, vault, data)))
    expect(await results()).toEqual(["done", "done", "done"])
    const paused = await pause()
    expect(eventsOf(paused.receipt)).toEqual([{ eventName: "Paused", args: { by: guardian.address } }])
    expect(await chain.read(vault, GeoVault, "paused", [])).toBe(true)
    expect(await results()).toEqual(["IsPaused", "IsPaused", "IsPaused"])
    expect(await chain.simulate(owner.address, vault, encode(GeoVault, "setCap", [usdc, 1n]))).toBe("done")
    const unpaused = await unpause()
    expect(eventsOf(unpaused.receipt)).toEqual([{ eventName: "Unpaused", args: { by: owner.address } }])
    expect(await results()).toEqual(["done", "done", "done"])
  })

  it("still lets the owner refund, which marks the swap, and lets no account deliver", async () => {
    const args = [swapId, usdc, recipient, 1n] as const
    await pause()
    expect((await chain.write(owner, vault, GeoVault, "deliver", args)).result).toBe("IsPaused")
    expect((await chain.write(guardian, vault, GeoVault, "refund", args)).result).toBe("IsPaused")
    const refunded = await chain.write(owner, vault, GeoVault, "refund", args)
    expect(eventsOf(refunded.receipt)).toEqual([
      { eventName: "Refunded", args: { swapId, to: recipient, token: usdc, amount: 1n } }
    ])
    await unpause()
    for (const name of ["deliver", "refund"] as const)
      expect((await chain.write(relayer, vault, GeoVault, name, args)).result).toBe("IdUsed")
    expect((await chain.write(owner, vault, GeoVault, "refund", args)).result).toBe("IdUsed")
  })

  it("twice has the effect of once, for owner and guardian", async () => {
    expect((await pause(owner)).result).toBe("done")
    expect((await pause()).result).toBe("done")
    await unpause()
    await unpause()
    expect(await chain.read(vault, GeoVault, "paused", [])).toBe(false)
    expect(await tryDelivery(relayer.address)).toBe("done")
  })

  it("stops every relayer, including those added while paused; unpausing restores all but those removed while paused", async () => {
    const [kept, removed, added, passing] = [numbered(1), numbered(2), numbered(3), numbered(4)]
    for (const address of [kept, removed]) await setRelayer(address, true)
    await pause()
    await setRelayer(added, true)
    await setRelayer(passing, true)
    await setRelayer(passing, false)
    await setRelayer(removed, false)
    for (const address of [relayer.address, kept, removed, added, passing])
      expect(await tryDelivery(address)).toBe("IsPaused")
    expect(await chain.read(vault, GeoVault, "isRelayer", [added])).toBe(true)
    await unpause()
    for (const address of [relayer.address, kept, added]) expect(await tryDelivery(address)).toBe("done")
    for (const address of [removed, passing, stranger.address]) expect(await tryDelivery(address)).toBe("NotAllowed")
  })

  it("keeps removed relayers removed, wherever they were in the list", async () => {
    const all = [relayer.address, numbered(1), numbered(2), numbered(3)]
    for (const address of all.slice(1)) await setRelayer(address, true)
    const lower = (addresses: ReadonlyArray<Address>) => addresses.map((address) => address.toLowerCase()).toSorted()
    for (const [index, victim] of [numbered(1), relayer.address, numbered(3), numbered(2)].entries()) {
      const { receipt } = await setRelayer(victim, false)
      expect(eventsOf(receipt)).toMatchObject([{ eventName: "RelayerSet", args: { allowed: false } }])
      expect(await chain.read(vault, GeoVault, "isRelayer", [victim])).toBe(false)
      expect(await relayers()).toHaveLength(all.length - index - 1)
      await pause()
      await unpause()
      expect(await tryDelivery(victim)).toBe("NotAllowed")
      for (const address of lower(await relayers())) expect(await tryDelivery(address as Address)).toBe("done")
    }
    expect(await relayers()).toEqual([])
  })

  it("handles adding and removing a relayer twice", async () => {
    const again = await setRelayer(relayer.address, true)
    expect([again.result, eventsOf(again.receipt)]).toEqual(["done", []])
    expect(await relayers()).toEqual([relayer.address])
    const unknown = await setRelayer(stranger.address, false)
    expect([unknown.result, eventsOf(unknown.receipt)]).toEqual(["done", []])
    expect(await relayers()).toEqual([relayer.address])
    await setRelayer(relayer.address, false)
    expect(await tryDelivery(relayer.address)).toBe("NotAllowed")
  })

  it("is affordable with the maximum of 32 relayers", async () => {
    for (let index = 1; index < 32; index++) await setRelayer(numbered(index), true)
    expect(await relayers()).toHaveLength(32)
    expect((await setRelayer(numbered(32), true)).result).toBe("TooManyRelayers")
    const paused = await pause()
    expect(paused.receipt.gasUsed).toBeLessThan(400_000n)
    expect(await tryDelivery(numbered(31))).toBe("IsPaused")
    const unpaused = await unpause()
    expect(unpaused.receipt.gasUsed).toBeLessThan(1_000_000n)
    expect(await tryDelivery(numbered(31))).toBe("done")
    await setRelayer(numbered(7), false)
    expect((await setRelayer(numbered(32), true)).result).toBe("done")
  })
})
