/** Chains and their two families, EVM and Solana: addresses, native tokens and chain ids. */
import * as Context from "effect/Context"
import * as Schema from "effect/Schema"
import { keccak256 } from "./codecs/keccak.js"
import { Index } from "./codecs/lenient.js"
import { openStruct } from "./codecs/openStruct.js"

/** The family of a chain. It decides what is signed, and by which signer. */
export const Family = Schema.Literals(["evm", "solana"])
export type Family = typeof Family.Type

/** A chain id: the EIP-155 number of an EVM chain, or a number that the protocol assigns to a Solana network. */
export const ChainId = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }))

/** Whether a value is a valid chain id. */
export const isChainId = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) > 0

/** The chain id of Solana mainnet. */
export const solanaMainnet = 792703809

/** The address of the native token, which can only be the output of a swap. */
export const nativeToken: Readonly<Record<Family, string>> = {
  evm: "0x0000000000000000000000000000000000000000",
  solana: "11111111111111111111111111111111"
}

/** The decimals of the native token: 18 for wei, 9 for lamports. */
export const nativeDecimals: Readonly<Record<Family, number>> = { evm: 18, solana: 9 }

/** A token in the list of the service. */
export const Token = openStruct({
  symbol: Schema.String,
  address: Schema.NonEmptyString,
  decimals: Index.check(Schema.isBetween({ minimum: 0, maximum: 255 }))
})
export type Token = typeof Token.Type

/** A chain in the response of `GET /swap/chains`. */
export const Chain = openStruct({
  id: ChainId,
  name: Schema.String,
  kind: Family,
  tokens: Schema.Array(Token)
})
export type Chain = typeof Chain.Type

/**
 * Returns the family of a chain id. Every id except Solana mainnet is an EVM chain; list other Solana networks in
 * `known`.
 *
 * @example
 * ```ts
 * const familyOf = Chain.families({ 792703810: "solana" })
 * familyOf(8453) // "evm"
 * ```
 */
export const families =
  (known: Readonly<Record<number, Family>> = {}) =>
  (chainId: number): Family =>
    known[chainId] ?? (chainId === solanaMainnet ? "solana" : "evm")

/** The families that the programs use. Provide another function to add Solana networks. */
export const Families = Context.Reference<(chainId: number) => Family>("@geoswap/core/Families", {
  defaultValue: () => families()
})

const base58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"

const valueOf = (text: string): bigint => {
  let value = 0n
  for (const char of text) value = value * 58n + BigInt(base58.indexOf(char))
  return value
}

/** Whether a string is the base58 encoding of 32 bytes. */
const isBase58Key = (text: string): boolean => {
  const value = valueOf(text)
  const zeros = text.search(/[^1]|$/)
  return zeros + Math.ceil((value === 0n ? "" : value.toString(16)).length / 2) === 32
}

/**
 * Formats an EVM address with its EIP-55 checksum. Accepts any case.
 *
 * @example
 * ```ts
 * Chain.checksum("0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266") // "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"
 * ```
 */
export const checksum = (address: string): string => {
  const digits = address.slice(2).toLowerCase()
  const hash = keccak256(digits)
  const cased = Array.from(digits, (digit, index) => (hash.charAt(index) >= "8" ? digit.toUpperCase() : digit))
  return `0x${cased.join("")}`
}

/** Whether an address is all lower case, all upper case, or has a valid checksum. */
const isCased = (address: string): boolean => {
  const digits = address.slice(2)
  return digits === digits.toLowerCase() || digits === digits.toUpperCase() || address === checksum(address)
}

/**
 * Whether a string is an address of that family. A mixed-case EVM address must have a valid EIP-55 checksum, so that a typo
 * does not send funds to a stranger. All lower case and all upper case are valid: they have no checksum.
 */
export const isAddress = (family: Family, text: unknown): text is string =>
  typeof text === "string" &&
  (family === "evm"
    ? /^0x[0-9a-fA-F]{40}$/.test(text) && isCased(text)
    : /^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(text) && isBase58Key(text))

/** Whether two addresses are the same; EVM addresses may differ in case. */
export const sameAddress = (family: Family, a: string, b: string): boolean =>
  family === "evm" ? a.toLowerCase() === b.toLowerCase() : a === b

/** An address of either family as a 256-bit integer, as it is encoded in signed data. */
export const toWord = (address: string): bigint => (address.startsWith("0x") ? BigInt(address) : valueOf(address))
