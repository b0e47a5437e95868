import { describe, expect, it } from "@effect/vitest"
import type { SwapError } from "@geoswap/core"
import { getSetComputeUnitLimitInstruction, getSetComputeUnitPriceInstruction } from "@solana-program/compute-budget"
import { type Blockhash, type Instruction } from "@solana/kit"
import { SolanaSigner } from "../src/index.js"
import { otherKey, signWire, walletKey } from "./keys.js"
import { patience, rejection } from "./settle.js"
import {
  agreed,
  budget,
  bytesOf,
  honest,
  limit,
  memo,
  price,
  recompiled,
  relayer,
  stranger,
  transfer,
  transferOf,
  wireOf
} from "./transactions.js"
import { modifyingSigner, standardWallet } from "./wallets.js"

const key = walletKey()

/** What a wallet's user reads when it gives back something else than was asked. */
const wordsOf = async (given: (bytes: Uint8Array) => unknown): Promise<string> => {
  const wallet = { ...standardWallet(key, given), name: "Phantom" }
  const error = await rejection(SolanaSigner.fromWalletStandard(wallet).signTransaction(agreed, patience()))
  expect(error).toMatchObject({ _tag: "SignerError", reason: "invalid" })
  expect(error).not.toHaveProperty("cause")
  // A remote signer that gives back the same is told the same.
  const remote = {
    address: key.address,
    signTransaction: async () => given(bytesOf(agreed.unsignedTransaction)) as Uint8Array
  }
  const again = await rejection(
    SolanaSigner.fromPromise(remote, { name: "Phantom" }).signTransaction(agreed, patience())
  )
  expect(again.message).toBe(error.message)
  return error.message
}

/** The wallet signs these instructions in place of the agreed ones. */
const instead = (instructions: ReadonlyArray<Instruction>, feePayer = relayer, blockhash?: Blockhash) =>
  wordsOf(() => signWire(key, bytesOf(wireOf(instructions, feePayer, blockhash))))

const lighthouse: Instruction = { programAddress: stranger, data: Uint8Array.of(1) }

describe("a wallet that changes the transaction before signing it is told what it changed:", () => {
  it("the compute unit price", async () => {
    expect(
      await instead([limit, getSetComputeUnitPriceInstruction({ microLamports: 5000n }), transfer, memo])
    ).toMatchInlineSnapshot(
      `"Phantom changed the transaction before signing it: the compute unit price went from 1000 to 5000. Nothing was submitted. Turn off the wallet's own fee, priority or protection setting for this site, or use another wallet."`
    )
  })

  it("the compute unit limit", async () => {
    expect(await instead([getSetComputeUnitLimitInstruction({ units: 90_000 }), price, transfer, memo])).toContain(
      "the compute unit limit went from 60000 to 90000."
    )
  })

  it("both of them, and an instruction of its own", async () => {
    expect(
      await instead([
        getSetComputeUnitLimitInstruction({ units: 90_000 }),
        getSetComputeUnitPriceInstruction({ microLamports: 5000n }),
        transfer,
        memo,
        lighthouse
      ])
    ).toMatchInlineSnapshot(
      `"Phantom changed the transaction before signing it: the compute unit limit went from 60000 to 90000; the compute unit price went from 1000 to 5000; an instruction of AoVsGaj8MSJ6xwKxfFxo9iZWH3enC8RRTXKH2fx2F8os was added. Nothing was submitted. Turn off the wallet's own fee, priority or protection setting for this site, or use another wallet."`
    )
  })

  it("an added instruction", async () => {
    expect(await instead([...honest, lighthouse])).toContain(`an instruction of ${stranger} was added.`)
    expect(await instead([...honest, memo])).toContain("an instruction was added.")
  })

  it("a removed instruction", async () => {
    expect(await instead([...budget, transfer])).toContain("an instruction was removed.")
    expect(await instead([limit, transfer, memo])).toContain(
      "the compute unit price was removed; an instruction was removed."
    )
  })

  it("a changed instruction", async () => {
    expect(await instead([...budget, transferOf({ amount: 1n }), memo])).toContain("an instruction was changed.")
  })

  it("the order", async () => {
    expect(await instead([...budget, memo, transfer])).toContain("its accounts or its form are not what they were.")
  })

  it("the fee payer", async () => {
    expect(await instead(honest, stranger)).toContain(`the fee payer is ${stranger} instead of ${relayer}.`)
  })

  it("the blockhash", async () => {
    expect(await instead(honest, relayer, stranger as string as Blockhash)).toContain("the blockhash was replaced.")
  })

  it("the rights of an account", async () => {
    const writable = recompiled(({ header }) => ({ header: { ...header, numReadonlySignerAccounts: 0 } }))
    expect(await wordsOf(() => signWire(key, bytesOf(writable)))).toContain(
      "its accounts or its form are not what they were."
    )
  })

  it("something behind its end", async () => {
    expect(await wordsOf((bytes) => Uint8Array.from([...signWire(key, bytes), 0]))).toContain(
      "its accounts or its form"
    )
  })
})

describe("a wallet that gives back something else is told so:", () => {
  it.each<[string, (bytes: Uint8Array) => unknown, string]>([
    ["the transaction unsigned", (bytes) => bytes, "Phantom gave the transaction back unsigned."],
    ["nothing", () => undefined, "Phantom gave back nothing in place of a signed transaction."],
    ["a number", () => 7, "Phantom gave back a number in place of a signed transaction."],
    ["an object", () => ({ length: 5 }), "Phantom gave back an object in place of a signed transaction."],
    [
      "a list",
      (bytes) => [...signWire(key, bytes)],
      "Phantom gave back a list of 606 in place of a signed transaction."
    ],
    [
      "no bytes",
      () => new Uint8Array(),
      "Phantom gave back 0 bytes that are no transaction in place of a signed transaction."
    ],
    [
      "half of it",
      (bytes) => signWire(key, bytes).slice(0, 300),
      "Phantom gave back 300 bytes that are no transaction in place of a signed transaction."
    ],
    [
      "a signature alone",
      (bytes) => key.sign(bytes),
      "Phantom gave back 64 bytes that are no transaction in place of a signed transaction."
    ],
    [
      "a megabyte",
      () => new Uint8Array(1_000_000),
      "Phantom gave back 1000000 bytes, more than a transaction has, in place of a signed transaction."
    ],
    [
      "another key's signature in the wallet's place",
      (bytes) => signWire(otherKey(), bytes, key.address),
      `Phantom gave back a signature that is not ${key.address}'s over this transaction.`
    ]
  ])("%s", async (_, given, expected) => {
    expect(await wordsOf(given)).toBe(expected)
  })

  it("a fee payer's signature, as from a wallet that sent it", async () => {
    const filled = await wordsOf((bytes) => {
      const signed = signWire(key, bytes)
      signed.set(new Uint8Array(64).fill(7), 1)
      return signed
    })
    expect(filled).toMatchInlineSnapshot(
      `"Phantom filled in the signature of the fee payer, which only the relayer can give. It must not send the transaction either: use a wallet that only signs."`
    )
  })

  it("no list of outputs at all", async () => {
    const wallet = standardWallet(key)
    const features = {
      "solana:signTransaction": { ...wallet.features["solana:signTransaction"], signTransaction: async () => undefined }
    }
    const error = await rejection(
      SolanaSigner.fromWalletStandard({ ...wallet, features }).signTransaction(agreed, patience())
    )
    expect(error).toMatchObject({ _tag: "SignerError" } satisfies Partial<SwapError.SignerError>)
    expect(error.message).toMatch(/^Test Wallet /)
  })
})

describe("a modifying signer of kit", () => {
  const of = async (give: (transaction: { messageBytes: Uint8Array; signatures: object }) => unknown) => {
    const { address } = modifyingSigner(key)
    const modifyAndSignTransactions = async (transactions: ReadonlyArray<unknown>) =>
      transactions.map((each) => give(each as never)) as never
    const error = await rejection(
      SolanaSigner.fromKitSigner({ address, modifyAndSignTransactions }).signTransaction(agreed, patience())
    )
    expect(error).toMatchObject({ _tag: "SignerError", reason: "invalid" })
    return error.message
  }

  it("that modifies is told what it changed", async () => {
    const changed = await of(({ signatures }) => ({
      messageBytes: bytesOf(wireOf([...honest, lighthouse])).slice(129),
      signatures
    }))
    expect(changed).toContain(
      `The signer changed the transaction before signing it: an instruction of ${stranger} was added.`
    )
  })

  it.each<[string, unknown, string]>([
    ["nothing", undefined, "nothing"],
    ["an empty object", {}, "an object"],
    ["no signatures", { messageBytes: bytesOf(agreed.unsignedTransaction).slice(129) }, "an object"],
    ["no message", { signatures: {} }, "an object"]
  ])("that gives back %s is told so", async (_, given, found) => {
    expect(await of(() => given)).toBe(`The signer gave back ${found} in place of a signed transaction.`)
  })

  it("that gives it back unsigned is told so", async () => {
    expect(await of((transaction) => transaction)).toBe("The signer gave the transaction back unsigned.")
  })
})
