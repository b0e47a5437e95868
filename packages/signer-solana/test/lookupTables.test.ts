import { describe, expect, it } from "@effect/vitest"
import { SolanaSigner } from "../src/index.js"
import { isSignedBy, walletKey } from "./keys.js"
import { neverAborted, rejection } from "./expectError.js"
import { rpcOf, secondTableName, table, tableName } from "./lookupTables.js"
import { against, agreed, destination, mint, source, stranger, wireWithTables } from "./transactions.js"

const { fromKeyService } = SolanaSigner
const { address } = walletKey()

describe("lookup tables", () => {
  const key = walletKey()
  const service = { address, signMessage: async (message: Uint8Array) => key.sign(message) }
  const looked = against(wireWithTables({ [tableName]: [stranger, destination, mint] }))
  const tables = { [tableName]: table([stranger, destination, mint]) }

  it("are read through the application's RPC, and the transaction is signed", async () => {
    const { calls, rpc } = rpcOf(tables)
    const signer = fromKeyService(service, { lookupTables: rpc })
    expect(isSignedBy(await signer.signTransaction(looked, neverAborted()), address)).toBe(true)
    // Kit omits "finalized" from a request, since it is the default.
    expect(calls.map(({ method, params }) => [method, ...params])).toStrictEqual([
      ["getMultipleAccounts", [tableName], { encoding: "base64" }]
    ])
  })

  it("may be two, for all three accounts of the transfer", async () => {
    const transaction = against(
      wireWithTables({ [tableName]: [source, mint], [secondTableName]: [stranger, destination] })
    )
    const { rpc } = rpcOf({ [tableName]: table([source, mint]), [secondTableName]: table([stranger, destination]) })
    const signed = await fromKeyService(service, { lookupTables: rpc }).signTransaction(transaction, neverAborted())
    expect(isSignedBy(signed, address)).toBe(true)
  })

  it("are not read if a transaction has none", async () => {
    const { calls, rpc } = rpcOf({})
    await fromKeyService(service, { lookupTables: rpc }).signTransaction(agreed, neverAborted())
    expect(calls).toHaveLength(0)
  })

  it.each<[string, () => unknown]>([
    ["fails", () => Promise.reject(new Error("connect ECONNREFUSED https://rpc.example/?api-key=canary"))],
    ["answers with nothing", () => undefined],
    ["answers with fewer accounts", () => []],
    ["answers with something else", () => [{ data: 5 }]]
  ])("are refused if the RPC %s, and the error does not show its URL", async (_, answer) => {
    const { rpc } = rpcOf(tables, answer)
    const before = key.signed()
    const signer = fromKeyService(service, { lookupTables: rpc })
    for (const call of [signer.verifyTransaction, signer.signTransaction]) {
      const error = await rejection(call?.(looked, neverAborted()))
      expect(error).toMatchObject({ _tag: "SignerError", reason: "failed" })
      expect(error.message).toMatchInlineSnapshot(
        `"The address lookup tables could not be read because the RPC passed as lookupTables failed. Try again."`
      )
      expect(JSON.stringify(error)).not.toContain("canary")
    }
    expect(key.signed()).toBe(before)
  })

  it.each<[string, unknown, string]>([
    ["not printable", `\u001b[31m${"S".repeat(3000)}`, `?[31m${"S".repeat(59)}…`],
    ["an object", { of: "another" }, "an object"]
  ])("are refused with a printable message if their owner is %s", async (_, owner, found) => {
    const { rpc } = rpcOf(tables, (value) => value.map((account) => ({ ...(account as object), owner })))
    const signer = fromKeyService(service, { lookupTables: rpc })
    expect(await rejection(signer.signTransaction(looked, neverAborted()))).toMatchObject({
      _tag: "UnsafeOperation",
      field: "lookupTables",
      found: `${tableName}, owned by ${found}`
    })
  })

  it("are no longer read after the caller aborts", async () => {
    const controller = new AbortController()
    const { rpc } = rpcOf(tables, (_, signal) => {
      setImmediate(() => controller.abort(new Error("the page was left")))
      return new Promise((_, reject) => signal?.addEventListener("abort", () => reject(new Error("stopped"))))
    })
    const signer = fromKeyService(service, { lookupTables: rpc })
    await expect(signer.signTransaction(looked, controller)).rejects.toThrow("the page was left")
  })
})
