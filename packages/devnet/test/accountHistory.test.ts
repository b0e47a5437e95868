import { address, type EncodedAccount, lamports } from "@solana/kit"
import { describe, expect, it } from "vitest"
import { make } from "../src/internal/solana/accountHistory.js"

const usdc = address("Hm5SsnZNagxe4Ku753DXBNuKTQrb18Xt5mL6sGoYSGhm")
const accountOf = (balance: bigint): EncodedAccount => ({
  address: usdc,
  data: new Uint8Array(),
  executable: false,
  lamports: lamports(balance),
  programAddress: usdc,
  space: 0n
})

describe("accountHistory", () => {
  it("returns the state as of each slot, and prunes states that no slot can see", () => {
    const history = make()
    const [a, b, c] = [accountOf(1n), accountOf(2n), accountOf(3n)]
    expect(history.record(10, usdc, a, b)).toBe(true)
    expect(history.record(12, usdc, b, c)).toBe(true)
    expect(history.record(13, usdc, c, accountOf(3n))).toBe(false)
    const at = (slot: number) => history.at(slot, usdc)?.state?.lamports
    expect([9, 10, 11, 12].map(at)).toEqual([1n, 2n, 2n, 3n])
    expect(history.since(11)).toEqual([{ address: usdc, state: b }])
    history.prune(11)
    expect([10, 11, 12].map(at)).toEqual([2n, 2n, 3n])
    history.prune(12)
    expect([...history.addresses()]).toEqual([])
  })

  it("rewinds to a slot", () => {
    const history = make()
    history.record(10, usdc, undefined, accountOf(1n))
    history.record(11, usdc, accountOf(1n), undefined)
    expect(history.at(11, usdc)).toMatchObject({ state: undefined })
    history.rewind(10)
    expect(history.at(11, usdc)?.state?.lamports).toBe(1n)
  })
})
