import { describe, expect, it } from "@effect/vitest"
import { getSetComputeUnitLimitInstruction, getSetComputeUnitPriceInstruction } from "@solana-program/compute-budget"
import { type Blockhash, type Instruction } from "@solana/kit"
import { SolanaSigner } from "../src/index.js"
import { otherKey, signWire, walletKey } from "./keys.js"
import { neverAborted, rejection } from "./expectError.js"
import {
  agreed,
  budget,
  bytesOf,
  compiledOf,
  honest,
  limit,
  memo,
  price,
  recompiled,
  relayer,
  stranger,
  transfer,
  transferOf,
  wireOf,
  wireOfCompiled
} from "./transactions.js"
import { modifyingSigner, standardWallet } from "./wallets.js"

const key = walletKey()

/** The error message if a wallet returns something other than requested. */
const messageOf = async (given: (bytes: Uint8Array) => unknown): Promise<string> => {
  const wallet = { ...standardWallet(key, given), name: "Phantom" }
  const error = await rejection(SolanaSigner.fromWalletStandard(wallet).signTransaction(agreed, neverAborted()))
  expect(error).toMatchObject({ _tag: "SignerError", reason: "invalid" })
  expect(error).not.toHaveProperty("cause")
  // A remote signer that returns the same value gets the same message.
  const remote = {
    address: key.address,
    signTransaction: async () => given(bytesOf(agreed.unsignedTransaction)) as Uint8Array
  }
  const again = await rejection(
    SolanaSigner.fromKeyService(remote, { name: "Phantom" }).signTransaction(agreed, neverAborted())
  )
  expect(again.message).toBe(error.message)
  return error.message
}

/** The wallet signs these instructions instead of the agreed ones. */
const instead = (instructions: ReadonlyArray<Instruction>, feePayer = relayer, blockhash?: Blockhash) =>
  messageOf(() => signWire(key, bytesOf(wireOf(instructions, feePayer, blockhash))))

const lighthouse: Instruction = { programAddress: stranger, data: Uint8Array.of(1) }

describe("the error about a changed transaction names", () => {
  it("the compute unit price", async () => {
    expect(
      await instead([limit, getSetComputeUnitPriceInstruction({ microLamports: 5000n }), transfer, memo])
    ).toMatchInlineSnapshot(
      `"Phantom changed the transaction before signing it: the compute unit price changed from 1000 to 5000. GeoSwap submitted nothing. Turn off the wallet's fee or priority setting for this site, or use another wallet."`
    )
  })

  it("the compute unit limit", async () => {
    expect(await instead([getSetComputeUnitLimitInstruction({ units: 90_000 }), price, transfer, memo])).toContain(
      "the compute unit limit changed from 60000 to 90000."
    )
  })

  it("both of them and an additional instruction", async () => {
    expect(
      await instead([
        getSetComputeUnitLimitInstruction({ units: 90_000 }),
        getSetComputeUnitPriceInstruction({ microLamports: 5000n }),
        transfer,
        memo,
        lighthouse
      ])
    ).toMatchInlineSnapshot(
      `"Phantom changed the transaction before signing it: an instruction for AoVsGaj8MSJ6xwKxfFxo9iZWH3enC8RRTXKH2fx2F8os was added; the compute unit limit changed from 60000 to 90000; the compute unit price changed from 1000 to 5000. GeoSwap submitted nothing. The wallet signed something that you did not agree to. Use another wallet."`
    )
  })

  it("an added instruction", async () => {
    expect(await instead([...honest, lighthouse])).toContain(`an instruction for ${stranger} was added.`)
    expect(await instead([...honest, memo])).toContain("an instruction was added.")
  })

  it("a removed instruction", async () => {
    expect(await instead([...budget, transfer])).toContain("an instruction was removed.")
    const price = await instead([limit, transfer, memo])
    expect(price).toContain("it: the compute unit price was removed. ")
  })

  it("a changed instruction", async () => {
    expect(await instead([...budget, transferOf({ amount: 1n }), memo])).toContain("an instruction was changed.")
  })

  it("a different order", async () => {
    expect(await instead([...budget, memo, transfer])).toContain("the instructions are in a different order.")
  })

  it("the fee payer", async () => {
    expect(await instead(honest, stranger)).toContain(`the fee payer is ${stranger} instead of ${relayer}.`)
  })

  it("the blockhash", async () => {
    expect(await instead(honest, relayer, stranger as string as Blockhash)).toContain("the blockhash was replaced.")
  })

  it("the rights of an account", async () => {
    const writable = recompiled(({ header }) => ({ header: { ...header, numReadonlySignerAccounts: 0 } }))
    expect(await messageOf(() => signWire(key, bytesOf(writable)))).toContain("its accounts or their rights differ.")
  })

  it("trailing bytes", async () => {
    expect(await messageOf((bytes) => Uint8Array.from([...signWire(key, bytes), 0]))).toContain("its encoding differs.")
  })
})

describe("the advice about a changed transaction", () => {
  const dearer = getSetComputeUnitPriceInstruction({ microLamports: 5000n })
  const otherBlockhash = stranger as string as Blockhash
  const compiled = compiledOf(wireOf([limit, dearer, transfer, memo]))
  const swap = (index: number) => ([2, 3].includes(index) ? 5 - index : index)
  const swapped = wireOfCompiled({
    ...compiled,
    staticAccounts: compiled.staticAccounts.map((_, index, all) => all[swap(index)] ?? relayer),
    instructions: compiled.instructions.map(({ accountIndices, ...instruction }) => ({
      ...instruction,
      ...(accountIndices && { accountIndices: accountIndices.map(swap) })
    }))
  })
  const writable = (wire: string) => bytesOf(wire).map((byte, at) => (at === 131 ? 0 : byte))

  it.each<[string, () => Promise<string>]>([
    ["a price", () => instead([limit, dearer, transfer, memo])],
    ["a second price", () => instead([limit, price, dearer, transfer, memo])],
    ["no price and no limit", () => instead([transfer, memo])],
    ["a blockhash", () => instead(honest, relayer, otherBlockhash)],
    ["a price and a blockhash", () => instead([limit, dearer, transfer, memo], relayer, otherBlockhash)],
    ["a price behind the rest", () => instead([transfer, memo, limit, dearer])],
    ["a price, in a message with its accounts in another order", () => messageOf(() => signWire(key, bytesOf(swapped)))]
  ])("treats %s as a setting of the wallet", async (_, message) => {
    expect(await message()).toMatch(/\. GeoSwap submitted nothing\. Turn off the wallet's fee or priority setting/)
  })

  it.each<[string, () => Promise<string>]>([
    ["another amount", () => instead([...budget, transferOf({ amount: 1n }), memo])],
    ["another memo", () => instead([...budget, transfer, { ...memo, data: Uint8Array.of(65) }])],
    ["an additional instruction", () => instead([...honest, lighthouse])],
    ["an instruction twice", () => instead([...honest, transfer])],
    ["no memo", () => instead([...budget, transfer])],
    ["another order", () => instead([...budget, memo, transfer])],
    ["another fee payer", () => instead(honest, stranger)],
    ["another amount and a price", () => instead([limit, dearer, transferOf({ amount: 1n }), memo])],
    ["another order and a price", () => instead([limit, dearer, memo, transfer])],
    [
      "a writable wallet and a price",
      () => messageOf(() => signWire(key, writable(wireOf([limit, dearer, transfer, memo]))))
    ],
    ["a trailing byte", () => messageOf((bytes) => Uint8Array.from([...signWire(key, bytes), 0]))]
  ])("treats %s as a reason to use another wallet", async (_, message) => {
    expect(await message()).toMatch(
      /\. GeoSwap submitted nothing\. The wallet signed something that you did not agree to\. Use another wallet\.$/
    )
  })
})

describe("an error describes a wallet that returns", () => {
  it.each<[string, (bytes: Uint8Array) => unknown, string]>([
    ["the transaction unsigned", (bytes) => bytes, "Phantom returned the transaction unsigned."],
    ["undefined", () => undefined, "Phantom returned undefined instead of a signed transaction."],
    ["a number", () => 7, "Phantom returned a number instead of a signed transaction."],
    ["an object", () => ({ length: 5 }), "Phantom returned an object instead of a signed transaction."],
    [
      "an array",
      (bytes) => [...signWire(key, bytes)],
      "Phantom returned an array of length 606 instead of a signed transaction."
    ],
    [
      "no bytes",
      () => new Uint8Array(),
      "Phantom returned 0 bytes, which cannot be decoded, instead of a signed transaction."
    ],
    [
      "half of the transaction",
      (bytes) => signWire(key, bytes).slice(0, 300),
      "Phantom returned 300 bytes, which cannot be decoded, instead of a signed transaction."
    ],
    [
      "a signature alone",
      (bytes) => key.sign(bytes),
      "Phantom returned 64 bytes, which cannot be decoded, instead of a signed transaction."
    ],
    [
      "a megabyte",
      () => new Uint8Array(1_000_000),
      "Phantom returned 1000000 bytes, which is too many, instead of a signed transaction."
    ],
    [
      "another key's signature as that of the wallet",
      (bytes) => signWire(otherKey(), bytes, key.address),
      `Phantom returned a signature that is not ${key.address}'s signature over this transaction.`
    ]
  ])("%s", async (_, given, expected) => {
    expect(await messageOf(given)).toBe(expected)
  })

  it("a signature for the fee payer", async () => {
    const filled = await messageOf((bytes) => {
      const signed = signWire(key, bytes)
      signed.set(new Uint8Array(64).fill(7), 1)
      return signed
    })
    expect(filled).toMatchInlineSnapshot(
      `"Phantom added a signature for the fee payer, which only the relayer can make. Use a wallet that signs without sending."`
    )
  })
})

describe("a modifying kit signer", () => {
  const of = async (give: (transaction: { messageBytes: Uint8Array; signatures: object }) => unknown) => {
    const { address } = modifyingSigner(key)
    const modifyAndSignTransactions = async (transactions: ReadonlyArray<unknown>) =>
      transactions.map((each) => give(each as never)) as never
    const error = await rejection(
      SolanaSigner.fromKitSigner({ address, modifyAndSignTransactions }).signTransaction(agreed, neverAborted())
    )
    expect(error).toMatchObject({ _tag: "SignerError", reason: "invalid" })
    return error.message
  }

  it("gets an error with its changes", async () => {
    const changed = await of(({ signatures }) => ({
      messageBytes: bytesOf(wireOf([...honest, lighthouse])).slice(129),
      signatures
    }))
    expect(changed).toContain(
      `The signer changed the transaction before signing it: an instruction for ${stranger} was added.`
    )
  })

  it.each<[string, unknown, string]>([
    ["undefined", undefined, "undefined"],
    ["an empty object", {}, "an object"],
    ["no signatures", { messageBytes: bytesOf(agreed.unsignedTransaction).slice(129) }, "an object"],
    ["no message", { signatures: {} }, "an object"]
  ])("gets an error if it returns %s", async (_, given, found) => {
    expect(await of(() => given)).toBe(`The signer returned ${found} instead of a signed transaction.`)
  })

  it("gets an error if it returns the transaction unsigned", async () => {
    expect(await of((transaction) => transaction)).toBe("The signer returned the transaction unsigned.")
  })
})
