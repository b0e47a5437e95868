import { describe, expect, it } from "@effect/vitest"
import type { Signer } from "@geoswap/core"
import { createClient } from "@geoswap/core/promise"
import { Fault, ScriptedTransport } from "@geoswap/core/testing"
import * as Effect from "effect/Effect"
import { SolanaSigner } from "../src/index.js"
import { accounts, forms, resolved, signers, unresolved } from "./hostileEncodings.js"
import { additions, budgets, type Hostile, memos, requests, transfers } from "./hostileTransactions.js"
import { isSignedBy, walletKey } from "./keys.js"
import { neverAborted, rejection } from "./expectError.js"
import { rpcOf } from "./lookupTables.js"
import { chainLibrary } from "./chainLibrary.js"
import { agreed, textOf, wireOf, honest, transferOf, strangersAccount, budget, transfer, memo } from "./transactions.js"

/** A signer whose key counts its signatures. */
const counting = (options?: SolanaSigner.Options) => {
  const key = walletKey()
  const service = { address: key.address, signMessage: async (message: Uint8Array) => key.sign(message) }
  return { key, signer: SolanaSigner.fromKeyService(service, options) }
}

/** Refused by verifyTransaction and by signTransaction, without calling the wallet. */
const isRefused = async (transaction: Signer.TransactionToSign, field: string, options?: SolanaSigner.Options) => {
  const { key, signer } = counting(options)
  const refusals = [
    await rejection(signer.verifyTransaction?.(transaction, neverAborted())),
    await rejection(signer.signTransaction(transaction, neverAborted()))
  ]
  for (const refusal of refusals) {
    expect(refusal).toMatchObject({ _tag: "UnsafeOperation", field })
    expect(refusal.message.length).toBeLessThan(400)
    expect(refusal.message).toMatch(/^[\x20-\x7e…]*$/)
  }
  expect(key.signed()).toBe(0)
}

const groups: Readonly<Record<string, ReadonlyArray<Hostile>>> = {
  "a transfer": transfers,
  "another instruction": additions,
  "a compute budget": budgets,
  "a memo": memos,
  "an agreement": requests,
  "a set of signers": signers,
  "a set of accounts": accounts,
  "an encoding": forms,
  "a lookup table": unresolved
}

describe("the test cases", () => {
  it("start from a transaction that is signed", async () => {
    const { key, signer } = counting()
    await signer.verifyTransaction?.(agreed, neverAborted())
    expect(isSignedBy(await signer.signTransaction(agreed, neverAborted()), key.address)).toBe(true)
    expect(key.signed()).toBe(1)
  })

  it("are all different", () => {
    const all = [...Object.values(groups).flat(), ...resolved]
    const texts = all.map((hostile) =>
      JSON.stringify(hostile.slice(2), (_, value: unknown) => (typeof value === "bigint" ? `${value}` : value))
    )
    expect(new Set(all.map(([name]) => name)).size).toBe(all.length)
    expect(new Set(texts).size).toBe(all.length)
  })
})

describe.each(Object.entries(groups))("%s that was not agreed is refused without calling the wallet:", (_, hostile) => {
  it.each(hostile)("%s (%s)", (_, field, transaction) => isRefused(transaction, field))
})

describe("a lookup table that the signer can read is refused without calling the wallet:", () => {
  it.each(resolved)("%s (%s)", (_, field, transaction, tables) =>
    isRefused(transaction, field, { lookupTables: rpcOf(tables).rpc })
  )
})

describe("a complete swap", () => {
  /** A client of a service that builds real transactions, unless it has a fault. */
  const clientOf = (lie?: (answer: Record<string, unknown>) => unknown) => {
    const service = ScriptedTransport.make({ library: chainLibrary })
    if (lie !== undefined) service.always("build-solana-tx", Fault.alter(lie))
    service.ends("settled", 0)
    const { key, signer } = counting()
    const client = createClient({
      transport: { send: (request, { signal }) => Effect.runPromise(service.send(request), { signal }) },
      signers: { solana: signer },
      network: service.network
    })
    return { client, key, service }
  }

  it("with an honest service is signed, submitted and settled", async () => {
    const { client, key, service } = clientOf()
    const swap = await client.execute(ScriptedTransport.solanaRequest)
    expect(swap.status).toBe("settled")
    expect(key.signed()).toBe(1)
    expect(service.seen("submit-solana")).toHaveLength(1)
  })

  const changed = (change: (bytes: Buffer) => Uint8Array) => (answer: Record<string, unknown>) => ({
    ...answer,
    unsignedTransaction: textOf(change(Buffer.from(String(answer["unsignedTransaction"]), "base64")))
  })

  it.each<[string, (answer: Record<string, unknown>) => unknown]>([
    ["sends the transaction of another swap", (answer) => ({ ...answer, unsignedTransaction: wireOf(honest) })],
    [
      "sends the tokens to a stranger",
      (answer) => ({
        ...answer,
        unsignedTransaction: wireOf([...budget, transferOf({ destination: strangersAccount }), memo])
      })
    ],
    [
      "sends a second transfer along",
      (answer) => ({ ...answer, unsignedTransaction: wireOf([...budget, transfer, transfer, memo]) })
    ],
    ["appends a byte", changed((bytes) => Buffer.concat([bytes, Buffer.of(0)]))],
    [
      "changes the terms by one digit",
      changed((bytes) => bytes.map((byte, index) => (index === bytes.length - 2 ? byte ^ 1 : byte)))
    ],
    ["makes the wallet writable", changed((bytes) => bytes.map((byte, index) => (index === 131 ? 0 : byte)))],
    [
      "pins its own vault on the way",
      (answer) => ({
        ...answer,
        deployment: { vault: strangersAccount },
        unsignedTransaction: wireOf([...budget, transferOf({ destination: strangersAccount }), memo])
      })
    ]
  ])("with a service that %s ends with nothing signed and nothing submitted", async (_, lie) => {
    const { client, key, service } = clientOf(lie)
    const error = await rejection(client.execute(ScriptedTransport.solanaRequest))
    expect(error._tag).toBe("UnsafeOperation")
    expect(key.signed()).toBe(0)
    expect(service.seen("build-solana-tx")).toHaveLength(1)
    expect(service.seen("submit-solana")).toHaveLength(0)
  })
})
