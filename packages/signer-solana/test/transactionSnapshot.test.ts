/** The caller's agreement is read once, validated, and compared with the transaction every time. */
import { describe, expect, it } from "@effect/vitest"
import { Operation, type Signer } from "@geoswap/core"
import { keccak_256 } from "@noble/hashes/sha3.js"
import {
  type Address,
  compileTransaction,
  compressTransactionMessageUsingAddressLookupTables,
  getBase64EncodedWireTransaction,
  type Instruction
} from "@solana/kit"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import { SolanaSigner } from "../src/index.js"
import { isSignedBy, walletKey } from "./keys.js"
import { neverAborted, rejection } from "./expectError.js"
import { rpcOf, table, tableName } from "./lookupTables.js"
import {
  against,
  agreed,
  amount,
  budget,
  destination,
  honest,
  memo,
  memoOf,
  messageOf,
  mint,
  orderId,
  relayer,
  source,
  stranger,
  strangersAccount,
  transfer,
  transferOf,
  vault,
  wallet,
  wireOf
} from "./transactions.js"
import { kinds, signerOf } from "./wallets.js"

const key = walletKey()
const service = { address: key.address, signMessage: async (message: Uint8Array) => key.sign(message) }

/** The refusals of verifying and of signing. A crash fails the test. */
const refusalsOf = async (transaction: unknown) => {
  const signer = await signerOf(SolanaSigner.layerKeyService(service))
  const before = key.signed()
  const calls = [signer.verifyTransaction?.(transaction as never), signer.signTransaction(transaction as never)]
  const errors = []
  for (const call of calls) {
    const exit = await Effect.runPromiseExit(call ?? Effect.die("no check"))
    if (exit._tag === "Success") throw new Error("this was not refused")
    expect(Cause.hasDies(exit.cause)).toBe(false)
    errors.push(Cause.squash(exit.cause))
  }
  expect(key.signed()).toBe(before)
  return errors
}

const throwing = (names: ReadonlyArray<string>, rest: object = {}) =>
  Object.defineProperties(
    { ...rest },
    Object.fromEntries(
      names.map((name) => [
        name,
        {
          get: () => {
            throw new Error("secret")
          }
        }
      ])
    )
  )

describe("an unreadable request is refused without a crash:", () => {
  it.each<[string, string, unknown]>([
    ["undefined", "transaction", undefined],
    ["null", "transaction", null],
    ["a string", "deployment", "transaction"],
    ["no request", "request", { ...agreed, request: undefined }],
    ["a request that is a string", "request", { ...agreed, request: "swap" }],
    ["no quote", "quote", { ...agreed, quote: undefined }],
    ["a null for a deployment", "deployment", { ...agreed, deployment: null }],
    ["a deployment that is a string", "deployment", { ...agreed, deployment: vault }],
    ["a request that throws", "transaction", throwing(["request"], agreed)],
    ["a transaction that throws", "transaction", throwing(["unsignedTransaction"], agreed)],
    ["an amount that throws", "transaction", { ...agreed, request: throwing(["amount"], agreed.request) }],
    ["a minimum that throws", "transaction", { ...agreed, quote: throwing(["minOutput"], agreed.quote) }],
    ["a vault that throws", "transaction", { ...agreed, deployment: throwing(["vault"], agreed.deployment) }],
    [
      "an unsigned transaction that is an object",
      "unsignedTransaction",
      { ...agreed, unsignedTransaction: { text: "AAAA" } }
    ]
  ])("%s (%s)", async (_, field, transaction) => {
    for (const error of await refusalsOf(transaction)) {
      expect(error).toMatchObject({ _tag: "UnsafeOperation", field })
      expect(JSON.stringify(error)).not.toContain("secret")
    }
  })
})

describe("an EVM address in mixed case with a wrong checksum", () => {
  /** The address of the second test account with a different last digit. */
  const mistyped = "0x70997970C51812dc3A010C7d01b50e0d17dc79C9"

  it("is refused as a recipient and as a token, even if the transaction names the same", async () => {
    for (const field of ["recipient", "outputToken"] as const) {
      const request = { ...agreed.request, [field]: mistyped }
      const terms = `0x${Buffer.from(keccak_256(Operation.encodeTerms({ request, quote: agreed.quote }))).toString("hex")}`
      const wire = wireOf([...budget, transfer, memoOf(`geoswap:${orderId}:${terms}`)])
      for (const error of await refusalsOf(against(wire, { request }))) {
        expect(error).toMatchObject({ _tag: "UnsafeOperation", field })
        expect((error as Error).message).toContain("EIP-55")
      }
    }
  })
})

describe("an invalid agreement is refused with a message:", () => {
  const wire = agreed.unsignedTransaction
  it.each<[string, string, Signer.TransactionToSign]>([
    [
      "the wallet as the relayer",
      "Nothing was signed: expected relayer to be an account other than the wallet, because the relayer pays, got the wallet.",
      against(wireOf(honest, wallet), { deployment: { vault, relayer: wallet } })
    ],
    [
      "an amount that is a number",
      "Nothing was signed: expected amount to be a bigint from 1 to 18446744073709551615, got a number.",
      against(wire, { request: { amount: Number(amount) as never } })
    ],
    [
      "an amount that is a string",
      `Nothing was signed: expected amount to be a bigint from 1 to 18446744073709551615, got ${amount}.`,
      against(wire, { request: { amount: `${amount}` as never } })
    ],
    [
      "a zero amount",
      "Nothing was signed: expected amount to be a bigint from 1 to 18446744073709551615, got 0.",
      against(wireOf([...budget, transferOf({ amount: 0n }), memo]), { request: { amount: 0n } })
    ],
    [
      "an amount of more than 64 bits",
      "Nothing was signed: expected amount to be a bigint from 1 to 18446744073709551615, got 18446744073709551616.",
      against(wire, { request: { amount: 2n ** 64n } })
    ],
    [
      "a wallet in lower case",
      `Nothing was signed: expected walletAddress to be ${wallet}, got ${wallet.toLowerCase()}.`,
      against(wire, { request: { walletAddress: wallet.toLowerCase() } })
    ]
  ])("%s", async (_, message, transaction) => {
    for (const error of await refusalsOf(transaction)) {
      expect(error).toMatchObject({ _tag: "UnsafeOperation", message })
    }
  })

  it("except for the largest amount, which is valid", async () => {
    const most = 2n ** 64n - 1n
    const transaction = against(wireOf([...budget, transferOf({ amount: most }), memo]), { request: { amount: most } })
    const signed = await SolanaSigner.fromKeyService(service).signTransaction(transaction, neverAborted())
    expect(isSignedBy(signed, key.address)).toBe(true)
  })

  it.each<[string, Partial<Signer.TransactionToSign["quote"]>, Partial<Signer.TransactionToSign["request"]>]>([
    ["a minimum of more than 256 bits", { minOutput: (agreed.quote.minOutput ?? 0n) + 2n ** 256n }, {}],
    ["a minimum below zero", { minOutput: -1n }, {}],
    ["a destination of more than 256 bits", {}, { destinationChain: (8453n + 2n ** 256n) as never }]
  ])("%s, in the terms", async (_, quote, request) => {
    const transaction = against(wire, { quote: { ...agreed.quote, ...quote }, request })
    for (const error of await refusalsOf(transaction)) {
      expect(error).toMatchObject({ _tag: "UnsafeOperation", field: "terms" })
    }
  })
})

describe("the agreement is read once", () => {
  const parts = {
    "": ["request", "quote", "deployment", "unsignedTransaction"],
    request: ["originChain", "destinationChain", "inputToken", "outputToken", "amount", "walletAddress", "recipient"],
    quote: ["output", "minOutput"],
    deployment: ["vault", "relayer"]
  }

  it("in every property, inherited or own", async () => {
    const reads = new Map<string, number>()
    const counted = (part: string, source: object): object =>
      Object.create(
        Object.defineProperties(
          {},
          Object.fromEntries(
            (parts as Readonly<Record<string, ReadonlyArray<string>>>)[part]?.map((name) => [
              name,
              {
                get: () => {
                  const path = `${part}.${name}`
                  reads.set(path, (reads.get(path) ?? 0) + 1)
                  // A second read returns something else.
                  return reads.get(path) === 1 ? (source as Readonly<Record<string, unknown>>)[name] : "something else"
                }
              }
            ]) ?? []
          )
        )
      ) as object
    const { deployment = {}, quote, request, unsignedTransaction } = agreed
    const transaction = counted("", {
      request: counted("request", request),
      quote: counted("quote", quote),
      deployment: counted("deployment", deployment),
      unsignedTransaction
    }) as Signer.TransactionToSign
    const signed = await SolanaSigner.fromKeyService(service).signTransaction(transaction, neverAborted())
    expect(isSignedBy(signed, key.address)).toBe(true)
    const expected = Object.entries(parts).flatMap(([part, names]) => names.map((name) => `${part}.${name}`))
    expect(Object.fromEntries(reads)).toStrictEqual(Object.fromEntries(expected.map((path) => [path, 1])))
  })
})

describe.each(kinds)("$name", ({ make }) => {
  it("verifies again when it signs", async () => {
    const signer = await make(walletKey())
    await signer.verifyTransaction?.(agreed, neverAborted())
    const lies = [
      against(wireOf([...budget, transferOf({ destination: strangersAccount }), memo])),
      against(agreed.unsignedTransaction, { request: { amount: amount + 1n } }),
      against(agreed.unsignedTransaction, { deployment: undefined })
    ]
    for (const lie of lies) {
      expect(await rejection(signer.signTransaction(lie, neverAborted()))).toMatchObject({ _tag: "UnsafeOperation" })
    }
  })
})

describe("lookup tables are not read for a transaction that is refused anyway:", () => {
  const looked = (instructions: ReadonlyArray<Instruction>, feePayer?: Address) =>
    getBase64EncodedWireTransaction(
      compileTransaction(
        compressTransactionMessageUsingAddressLookupTables(messageOf(instructions, feePayer), {
          [tableName]: [destination, mint]
        })
      )
    )
  const ask = async (wire: string, change: Parameters<typeof against>[1] = {}) => {
    const { calls, rpc } = rpcOf({ [tableName]: table([destination, mint]) })
    const signer = SolanaSigner.fromKeyService(service, { lookupTables: rpc })
    const ended = await Promise.resolve(signer.verifyTransaction?.(against(wire, change), neverAborted())).then(
      () => "fits",
      (error: { readonly field?: string }) => error.field
    )
    return [ended, calls.length]
  }

  it("they are read for a valid transaction", async () => {
    expect(await ask(looked(honest))).toStrictEqual(["fits", 1])
  })

  it.each<[string, string, string, Parameters<typeof against>[1]?]>([
    ["another fee payer", "feePayer", looked(honest, stranger)],
    ["another relayer", "feePayer", looked(honest), { deployment: { vault, relayer: stranger } }],
    ["five instructions", "instructions", looked([...honest, memo])],
    ["another amount", "amount", looked([...budget, transferOf({ amount: 1n }), memo])],
    ["another source", "source", looked([...budget, transferOf({ source: strangersAccount }), memo])],
    ["another program", "transfer", looked([...budget, { ...transfer, programAddress: stranger }, memo])],
    ["another memo", "memo", looked([...budget, transfer, memoOf("hello")])],
    ["another order of instructions", "computeUnitPrice", looked([budget[0], transfer, budget[1], memo])],
    ["other terms", "terms", looked(honest), { request: { destinationChain: 10 } }],
    ["another token", "source", looked(honest), { request: { inputToken: source } }],
    ["another wallet", "walletAddress", looked(honest), { request: { walletAddress: relayer } }]
  ])("%s (%s)", async (_, field, wire, change) => {
    expect(await ask(wire, change)).toStrictEqual([field, 0])
  })
})
