import { describe, expect, it } from "@effect/vitest"
import { SolanaSigner } from "../src/index.js"
import { isSignedBy, walletKey } from "./keys.js"
import { neverAborted, refusal, rejection } from "./expectError.js"
import { rpcOf, table, tableName } from "./lookupTables.js"
import { against, agreed, destination, wireWithTables } from "./transactions.js"
import { standardWallet } from "./wallets.js"

const { fromKeyService, fromWalletStandard } = SolanaSigner
const { address } = walletKey()

describe("options", () => {
  const service = { address, signMessage: async () => new Uint8Array(64) }
  it("are refused if one is invalid", () => {
    expect(refusal(() => fromKeyService(service, { name: " " }))).toMatchInlineSnapshot(
      `"name | name: expected the wallet's name for error messages, got a string of 1 characters."`
    )
    expect(refusal(() => fromKeyService(service, { name: 5 as never }))).toMatchInlineSnapshot(
      `"name | name: expected the wallet's name for error messages, got a number."`
    )
    expect(
      refusal(() => fromKeyService(service, { lookupTables: "https://rpc.example" as never }))
    ).toMatchInlineSnapshot(
      `"lookupTables | lookupTables: expected an RPC from createSolanaRpc, got a string of 19 characters."`
    )
  })

  it("are refused if they are not an object, and may be omitted", () => {
    expect(refusal(() => fromKeyService(service, "fast" as never))).toMatchInlineSnapshot(
      `"options | options: expected an object, got a string of 4 characters."`
    )
    expect(fromKeyService(service, null as never).address).toBe(address)
    expect(fromKeyService(service, {}).address).toBe(address)
  })

  it.each(["name", "lookupTables", "account", "chain"])("are read once: %s", async (option) => {
    const values: Readonly<Record<string, unknown>> = {
      name: "The treasury",
      lookupTables: rpcOf({ [tableName]: table([destination]) }).rpc,
      account: address,
      chain: "solana:devnet"
    }
    const reads: Array<string> = []
    const once = {
      get: () => {
        reads.push(option)
        if (reads.length > 1) throw new Error("this was read already")
        return values[option]
      }
    }
    const signer = fromWalletStandard(standardWallet(walletKey()), Object.defineProperty({}, option, once))
    const transaction = option === "lookupTables" ? against(wireWithTables({ [tableName]: [destination] })) : agreed
    expect(isSignedBy(await signer.signTransaction(transaction, neverAborted()), address)).toBe(true)
    expect(reads).toStrictEqual([option])
  })

  it.each(["name", "lookupTables", "account", "chain"])("are refused if %s throws", (option) => {
    const throws = {
      get: () => {
        throw new Error("secret")
      }
    }
    const options = Object.defineProperty({}, option, throws)
    expect(refusal(() => fromWalletStandard(standardWallet(walletKey()), options))).toBe(
      "options | options: cannot be read: one of its properties throws."
    )
  })

  it("set a printable name of the wallet in errors", async () => {
    const signer = fromKeyService(service, { name: "The\u001b[31m treasury\nkey" })
    expect((await rejection(signer.signTransaction(agreed, neverAborted()))).message).toMatch(
      /^The\?\[31m treasury\?key returned/
    )
  })
})
