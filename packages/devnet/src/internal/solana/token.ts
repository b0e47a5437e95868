/** Reads the token programs' accounts, and formats amounts. */
import { type Address, getAddressDecoder } from "@solana/kit"
import type { State } from "./accountHistory.js"

/** The token programs. */
export const programs: ReadonlyMap<string, string> = new Map([
  ["TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA", "spl-token"],
  ["TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb", "spl-token-2022"]
])

export const accountSize = 165
const mintSize = 82

/** An account that holds tokens from one mint for one owner. */
export interface TokenAccount {
  readonly mint: Address
  readonly owner: Address
  readonly amount: bigint
  readonly delegate: Address | undefined
  readonly state: "initialized" | "frozen"
  readonly rentExemptReserve: bigint | undefined
  readonly delegatedAmount: bigint
  readonly closeAuthority: Address | undefined
}

/** A token's mint. */
export interface Mint {
  readonly mintAuthority: Address | undefined
  readonly supply: bigint
  readonly decimals: number
  readonly isInitialized: boolean
  readonly freezeAuthority: Address | undefined
}

const readData = (account: State) => {
  if (account === undefined || !programs.has(account.programAddress)) return undefined
  const data = new Uint8Array(account.data)
  const view = new DataView(data.buffer)
  const addressAt = (offset: number) => getAddressDecoder().decode(data.subarray(offset, offset + 32))
  return {
    data,
    view,
    addressAt,
    optionalAddressAt: (offset: number) => (view.getUint32(offset, true) === 1 ? addressAt(offset + 4) : undefined)
  }
}

/**
 * Whether the data has the given base size and type: 1 for a mint, 2 for a token account. The data contains a type byte
 * only if it has extensions.
 */
const isOf = (data: Uint8Array, size: number, type: number): boolean =>
  data.length === size || (data.length > accountSize && data[accountSize] === type)

/** Reads a token account. Returns undefined if the account is not a token account. */
export const readAccount = (account: State): TokenAccount | undefined => {
  const fields = readData(account)
  if (fields === undefined || !isOf(fields.data, accountSize, 2)) return undefined
  const { addressAt, data, optionalAddressAt, view } = fields
  if (data[108] !== 1 && data[108] !== 2) return undefined
  return {
    mint: addressAt(0),
    owner: addressAt(32),
    amount: view.getBigUint64(64, true),
    delegate: optionalAddressAt(72),
    state: data[108] === 2 ? "frozen" : "initialized",
    rentExemptReserve: view.getUint32(109, true) === 1 ? view.getBigUint64(113, true) : undefined,
    delegatedAmount: view.getBigUint64(121, true),
    closeAuthority: optionalAddressAt(129)
  }
}

/** Reads a mint. Returns undefined if the account is not a mint. */
export const readMint = (account: State): Mint | undefined => {
  const fields = readData(account)
  if (fields === undefined || !isOf(fields.data, mintSize, 1)) return undefined
  const { data, optionalAddressAt, view } = fields
  return {
    mintAuthority: optionalAddressAt(0),
    supply: view.getBigUint64(36, true),
    decimals: data[44] ?? 0,
    isInitialized: data[45] === 1,
    freezeAuthority: optionalAddressAt(46)
  }
}

/** Formats an amount with its decimals, as nodes do. */
export const uiAmount = (amount: bigint, decimals: number) => {
  const digits = amount.toString().padStart(decimals + 1, "0")
  const whole = digits.slice(0, digits.length - decimals)
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, "")
  const uiAmountString = fraction === "" ? whole : `${whole}.${fraction}`
  return { amount: amount.toString(), decimals, uiAmount: Number(uiAmountString), uiAmountString }
}
