/** Formats accounts for JSON-RPC responses, in every encoding. */
import { zstdCompressSync } from "node:zlib"
import { type Address, getBase58Decoder } from "@solana/kit"
import * as Nonce from "./nonce.js"
import { type Config, integer, oneOf } from "./params.js"
import { RpcError } from "../rpcError.js"
import * as LookupTable from "./lookupTable.js"
import * as Token from "./token.js"
import type { State } from "./accountHistory.js"

/** How account data is encoded; `binary` is the legacy default. */
export type Encoding = "binary" | "base58" | "base64" | "base64+zstd" | "jsonParsed"

const encodings = ["binary", "base58", "base64", "base64+zstd", "jsonParsed"] as const
const base58Limit = 128

/** The encoding and the slice of the data that a call requests. */
export interface View {
  readonly encoding: Encoding
  readonly slice: { readonly offset: number; readonly length: number } | undefined
}

/** Parses the requested encoding and slice. */
export const viewOf = ({ dataSlice, encoding }: Config, fallback: Encoding = "binary"): View => {
  const given = dataSlice === undefined || dataSlice === null ? undefined : (dataSlice as Config)
  return {
    encoding: oneOf(encoding, encodings, fallback),
    slice: given && { offset: integer(given["offset"]), length: integer(given["length"]) }
  }
}

type MintOf = (mint: Address) => Token.Mint | undefined

const parsed = (account: NonNullable<State>, mintOf: MintOf) => {
  const space = account.data.length
  const program = Token.programs.get(account.programAddress)
  const held = Token.readAccount(account)
  const mint = held === undefined ? Token.readMint(account) : undefined
  if (program !== undefined && held !== undefined) {
    const decimals = mintOf(held.mint)?.decimals
    if (decimals === undefined) return undefined
    const info = {
      isNative: held.rentExemptReserve !== undefined,
      mint: held.mint,
      owner: held.owner,
      state: held.state,
      tokenAmount: Token.uiAmount(held.amount, decimals),
      ...(held.delegate !== undefined && {
        delegate: held.delegate,
        delegatedAmount: Token.uiAmount(held.delegatedAmount, decimals)
      }),
      ...(held.rentExemptReserve !== undefined && {
        rentExemptReserve: Token.uiAmount(held.rentExemptReserve, decimals)
      }),
      ...(held.closeAuthority !== undefined && { closeAuthority: held.closeAuthority })
    }
    return { program, parsed: { info, type: "account" }, space }
  }
  if (program !== undefined && mint !== undefined) {
    const { decimals, freezeAuthority = null, isInitialized, mintAuthority = null, supply } = mint
    const info = { decimals, freezeAuthority, isInitialized, mintAuthority, supply: supply.toString() }
    return { program, parsed: { info, type: "mint" }, space }
  }
  const table = LookupTable.read(account)
  if (table !== undefined) {
    const info = {
      addresses: table.addresses,
      ...(table.authority !== undefined && { authority: table.authority }),
      deactivationSlot: table.deactivationSlot.toString(),
      lastExtendedSlot: table.lastExtendedSlot.toString(),
      lastExtendedSlotStartIndex: table.lastExtendedSlotStartIndex
    }
    return { program: "address-lookup-table", parsed: { info, type: "lookupTable" }, space }
  }
  const nonce = Nonce.read(account)
  if (nonce !== undefined) {
    const feeCalculator = { lamportsPerSignature: nonce.lamportsPerSignature.toString() }
    const info = { authority: nonce.authority, blockhash: nonce.value, feeCalculator }
    return { program: "nonce", parsed: { info, type: "initialized" }, space }
  }
  return undefined
}

const seenOf = (account: NonNullable<State>, { slice }: View): Uint8Array => {
  const all = new Uint8Array(account.data)
  return slice === undefined ? all : all.subarray(slice.offset, slice.offset + slice.length)
}

/** Whether an account's data is too long for nodes to encode in base58. */
export const isTooLong = (account: NonNullable<State>, view: View): boolean =>
  (view.encoding === "binary" || view.encoding === "base58") && seenOf(account, view).length > base58Limit

const dataOf = (account: NonNullable<State>, view: View, mintOf: MintOf): unknown => {
  const { encoding } = view
  const data = seenOf(account, view)
  const base64 = () => [Buffer.from(data).toString("base64"), "base64"]
  switch (encoding) {
    case "binary":
    case "base58": {
      if (isTooLong(account, view)) {
        const message = `Encoded binary (base 58) data should be less than ${base58Limit} bytes, please use Base64 encoding.`
        throw new RpcError(-32600, message)
      }
      const base58 = getBase58Decoder().decode(data)
      return encoding === "binary" ? base58 : [base58, "base58"]
    }
    case "base64":
      return base64()
    case "base64+zstd":
      return [zstdCompressSync(data).toString("base64"), "base64+zstd"]
    case "jsonParsed":
      return parsed(account, mintOf) ?? base64()
  }
}

/** An account in the requested encoding, or null if the account does not exist. */
export const show = (account: State, view: View, mintOf: MintOf) =>
  account === undefined
    ? null
    : {
        lamports: account.lamports,
        data: dataOf(account, view, mintOf),
        owner: account.programAddress,
        executable: account.executable,
        // Rent is no longer collected, because all accounts are rent-exempt.
        rentEpoch: 18_446_744_073_709_551_615n,
        space: account.data.length
      }
