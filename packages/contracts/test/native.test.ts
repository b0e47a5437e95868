import { describe, expect, it } from "@effect/vitest"
import { type Address, concat, type Hex, numberToHex, toFunctionSelector } from "viem"
import * as GeoVault from "../src/generated/GeoVault.ts"
import * as TestToken from "../src/generated/TestToken.ts"
import { useChain } from "./suite.ts"
import {
  balanceOf,
  delegateTo,
  native,
  otherWallet,
  owner,
  recipient,
  relayer,
  usdc,
  vault,
  wallet
} from "./fixture.ts"

const swapId = `0x${"57".repeat(32)}` as const
const otherId = `0x${"58".repeat(32)}` as const
/** An address with code that the tests set. */
const hostile: Address = "0x00000000000000000000000000000000000b0001"
/** The gas of a recipient, and the maximum gas of the rest of a delivery. */
const bound = 100_000n
const rest = 110_000n

/** Code that reverts with an error of the vault. */
const revertWith = (error: string): Hex => concat(["0x63", toFunctionSelector(error), "0x5f526004601cfd"])
/** Code that uses almost all gas and succeeds. */
const burnAndStop = "0x5b5a6103e8105f5700"
/** Code that uses all gas. */
const burnAll = "0xfe"
/** Code that returns or reverts with as many zeros as its gas allows: 192 KiB. */
const longReturn = "0x620300005ff3"
const longRevert = "0x620300005ffd"
/** Code that writes to new slots, at 22,106 gas each. */
const writes = (count: number): Hex =>
  concat(Array.from({ length: count }, (_, slot) => concat(["0x600160", numberToHex(slot, { size: 1 }), "0x55"])))

describe("a delivery of native tokens", () => {
  const chain = useChain()
  /** The native token is never collected, so only the owner can refund it. */
  const release = (name: "deliver" | "refund", to: Address = hostile, gas = 10_000_000n) =>
    chain.write(name === "refund" ? owner : relayer, vault, GeoVault, name, [swapId, native, to, 5n], { gas })
  const code = (bytecode: Hex) => chain.client.setCode({ address: hostile, bytecode })

  it.each(["IdUsed()", "CapExceeded()", "IsPaused()", "NotAllowed()"])(
    "that the recipient reverts with %s fails with Undeliverable",
    async (error) => {
      await code(revertWith(error))
      for (const name of ["deliver", "refund"] as const) expect((await release(name)).result).toBe("Undeliverable")
      expect((await chain.write(owner, vault, GeoVault, "withdraw", [native, hostile, 5n])).result).toBe(
        "Undeliverable"
      )
      expect(await chain.read(vault, GeoVault, "isUsed", [swapId])).toBe(false)
      expect((await release("refund", recipient)).result).toBe("done")
    }
  )

  it.each<[string, Hex, string]>([
    ["uses almost all gas", burnAndStop, "done"],
    ["uses all gas", burnAll, "Undeliverable"],
    ["returns long data", longReturn, "done"],
    ["reverts with long data", longRevert, "Undeliverable"]
  ])("to code that %s costs no more than the limit", async (_, bytecode, expected) => {
    await code(bytecode)
    const { receipt, result } = await release("deliver")
    expect(result).toBe(expected)
    expect(receipt.gasUsed).toBeGreaterThan(bound)
    expect(receipt.gasUsed).toBeLessThan(bound + rest)
    expect(await chain.read(vault, GeoVault, "isUsed", [swapId])).toBe(expected === "done")
    expect(await balanceOf(chain, native, hostile)).toBe(expected === "done" ? 5n : 0n)
  })

  it("does not copy return data, whose length costs only the recipient's gas", async () => {
    const used: Array<bigint> = []
    for (const bytecode of [burnAndStop, longReturn] as const) {
      const snapshot = await chain.client.snapshot()
      await code(bytecode)
      used.push((await release("deliver")).receipt.gasUsed)
      await chain.revert(snapshot)
    }
    const [all = 0n, long = 0n] = used
    expect(long).toBeLessThan(all)
  })

  it("reaches code that uses less than the gas limit, but not code that uses more", async () => {
    await code(writes(4))
    expect((await release("deliver")).result).toBe("done")
    await chain.client.setCode({ address: recipient, bytecode: writes(5) })
    const args = [otherId, native, recipient, 5n] as const
    expect((await chain.write(relayer, vault, GeoVault, "deliver", args)).result).toBe("Undeliverable")
  })

  it("reaches a delegated wallet", async () => {
    await delegateTo(chain, wallet)
    expect((await release("deliver", wallet.address)).result).toBe("done")
    expect(await balanceOf(chain, native, wallet.address)).toBe(5n)
  })

  it("with too little gas for the recipient fails with Undeliverable, and can be retried", async () => {
    await code(writes(4))
    expect((await release("deliver", hostile, 150_000n)).result).toBe("Undeliverable")
    expect(await chain.read(vault, GeoVault, "isUsed", [swapId])).toBe(false)
    expect((await release("deliver", hostile, 250_000n)).result).toBe("done")
  })

  it("reports the balance if the vault does not have enough", async () => {
    await chain.client.setBalance({ address: vault, value: 4n })
    expect((await release("deliver", otherWallet.address)).result).toBe("InsufficientBalance")
    expect((await release("deliver", hostile)).result).toBe("InsufficientBalance")
  })

  it("limits gas for native tokens only: a token goes to any address, no matter its code", async () => {
    await code(burnAll)
    const args = [swapId, usdc, hostile, 5n] as const
    expect((await chain.write(relayer, vault, GeoVault, "deliver", args)).result).toBe("done")
    expect(await chain.read(usdc, TestToken, "balanceOf", [hostile])).toBe(5n)
  })
})
