import { address, type EncodedAccount, lamports } from "@solana/kit"
import { describe, expect, it } from "vitest"
import { anvilMissing, anvilPackage } from "../src/internal/binary.js"
import { blockhashes } from "../src/internal/solana/blocks.js"
import { uiAmount } from "../src/internal/solana/token.js"
import { wordsOf } from "../src/internal/solana/transactionError.js"
import { make } from "../src/internal/solana/versions.js"

const usdc = address("Hm5SsnZNagxe4Ku753DXBNuKTQrb18Xt5mL6sGoYSGhm")
const accountOf = (balance: bigint): EncodedAccount => ({
  address: usdc,
  data: new Uint8Array(),
  executable: false,
  lamports: lamports(balance),
  programAddress: usdc,
  space: 0n
})

describe("the binary of anvil", () => {
  it("comes from Foundry's package of the platform, where there is one", () => {
    expect(anvilPackage("linux", "x64")).toBe("@foundry-rs/anvil-linux-amd64")
    expect(anvilPackage("darwin", "arm64")).toBe("@foundry-rs/anvil-darwin-arm64")
    expect(anvilPackage("linux", "riscv64")).toBeUndefined()
    expect(anvilPackage("win32", "x64")).toBeUndefined()
  })

  it("is told how to be had where it is missing", () => {
    const { message, package: name } = anvilMissing("anvil")
    expect(name).toBe(anvilPackage(process.platform, process.arch))
    expect(message).toContain("anvil is not on the PATH")
    expect(message).toContain("foundryup")
    expect(message).toContain("option anvil")
  })
})

describe("amounts as nodes show them", () => {
  it.each([
    [0n, 6, "0"],
    [1n, 6, "0.000001"],
    [1_500_000n, 6, "1.5"],
    [10_000_000n, 6, "10"],
    [7n, 0, "7"],
    [2n ** 64n - 1n, 9, "18446744073.709551615"]
  ])("%s with %s decimals is %s", (amount, decimals, text) => {
    expect(uiAmount(amount, decimals)).toEqual({
      amount: amount.toString(),
      decimals,
      uiAmount: Number(text),
      uiAmountString: text
    })
  })
})

describe("the history of accounts", () => {
  it("shows each slot what it was then, and forgets what nobody can see", () => {
    const versions = make()
    const [a, b, c] = [accountOf(1n), accountOf(2n), accountOf(3n)]
    expect(versions.record(10, usdc, a, b)).toBe(true)
    expect(versions.record(12, usdc, b, c)).toBe(true)
    expect(versions.record(13, usdc, c, accountOf(3n))).toBe(false)
    const at = (slot: number) => versions.at(slot, usdc)?.state?.lamports
    expect([9, 10, 11, 12].map(at)).toEqual([1n, 2n, 2n, 3n])
    expect(versions.since(11)).toEqual([{ address: usdc, state: b }])
    versions.prune(11)
    expect([10, 11, 12].map(at)).toEqual([2n, 2n, 3n])
    versions.prune(12)
    expect([...versions.addresses()]).toEqual([])
  })

  it("goes back to a slot", () => {
    const versions = make()
    versions.record(10, usdc, undefined, accountOf(1n))
    versions.record(11, usdc, accountOf(1n), undefined)
    expect(versions.at(11, usdc)).toMatchObject({ state: undefined })
    versions.rewind(10)
    expect(versions.at(11, usdc)?.state?.lamports).toBe(1n)
  })
})

describe("blockhashes", () => {
  it("are good for 150 blocks, at heights that have seen them", () => {
    const chain = blockhashes({ slot: 5, blockhash: "first", time: 0 })
    const first = chain.head()
    for (let made = 1; made <= 151; made += 1) chain.push(`hash ${made}`, made)
    expect(chain.isValid("first", chain.back(1))).toBe(true)
    expect(chain.isValid("first", chain.head())).toBe(false)
    expect(chain.isValid("hash 1", chain.head())).toBe(true)
    expect(chain.isValid("hash 1", first)).toBe(false)
    expect(chain.slotHashes()[0]).toEqual({ slot: 155n, hash: "hash 151" })
  })
})

describe("errors of transactions", () => {
  it("are said as nodes say them", () => {
    expect(wordsOf("AlreadyProcessed")).toBe("This transaction has already been processed")
    expect(wordsOf({ InstructionError: [1, { Custom: 26 }] })).toBe(
      "Error processing Instruction 1: custom program error: 0x1a"
    )
    expect(wordsOf({ InstructionError: [0, "InvalidAccountData"] })).toBe(
      "Error processing Instruction 0: invalid account data for instruction"
    )
    expect(wordsOf({ InsufficientFundsForRent: { account_index: 2 } })).toBe(
      "Transaction results in an account (2) with insufficient funds for rent"
    )
  })
})
