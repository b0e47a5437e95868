/** Chains and the two chain families, EVM and Solana: addresses, native tokens and chain ids. */
import * as Context from "effect/Context"
import * as Schema from "effect/Schema"
import { keccak256 } from "./codecs/keccak.js"
import { Index, lenient } from "./codecs/lenient.js"
import { openStruct } from "./codecs/openStruct.js"

/** A chain family, which determines what is signed and by which signer. */
export const Family = Schema.Literals(["evm", "solana"])
export type Family = typeof Family.Type

/** A chain id: the EIP-155 chain id for EVM chains, or a number that the protocol assigns to a Solana network. */
export const ChainId = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }))

/** Whether a value is a valid chain id. */
export const isChainId = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) > 0

/** The chain id for Solana mainnet. */
export const solanaMainnet = 792703809

/** The address that represents the native token. The native token can be the output of a swap, but not the input. */
export const nativeToken: Readonly<Record<Family, string>> = {
  evm: "0x0000000000000000000000000000000000000000",
  solana: "11111111111111111111111111111111"
}

/** The decimals of the native token: 18 on EVM chains (wei), 9 on Solana (lamports). */
export const nativeDecimals: Readonly<Record<Family, number>> = { evm: 18, solana: 9 }

/** A token in the service's list of chains and tokens. */
export const Token = openStruct({
  symbol: Schema.String,
  address: Schema.NonEmptyString,
  decimals: Index.check(Schema.isBetween({ minimum: 0, maximum: 255 }))
})
export type Token = typeof Token.Type

/** A chain in the response to `GET /swap/chains`, which calls the family `kind`. */
export const Chain = lenient(
  openStruct({ kind: Family }),
  openStruct({ id: ChainId, name: Schema.String, family: Family, tokens: Schema.Array(Token) }),
  ({ kind, ...rest }) => ({ ...rest, family: kind }) as never,
  ({ family, ...rest }) => ({ ...rest, kind: family })
)
export type Chain = typeof Chain.Type

/** The chain family of a chain id that no network lists: `solana` for Solana mainnet, and `evm` for every other id. */
export const defaultFamily = (chainId: number): Family => (chainId === solanaMainnet ? "solana" : "evm")

/** The function that the swap programs use to look up a chain's family. `Policy.layer` provides that of its network. */
export const Families = Context.Reference<(chainId: number) => Family>("@geoswap/core/Families", {
  defaultValue: () => defaultFamily
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

/** Whether an EVM address is all lowercase, is all uppercase, or has a valid checksum. */
const isCased = (address: string): boolean => {
  const digits = address.slice(2)
  return digits === digits.toLowerCase() || digits === digits.toUpperCase() || address === checksum(address)
}

/**
 * Whether a string is a valid address for the chain family. A mixed-case EVM address must have a valid EIP-55 checksum,
 * so that a typo does not send funds to a stranger. All-lowercase and all-uppercase addresses have no checksum and are
 * valid.
 */
export const isAddress = (family: Family, text: unknown): text is string =>
  typeof text === "string" &&
  (family === "evm"
    ? /^0x[0-9a-fA-F]{40}$/.test(text) && isCased(text)
    : /^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(text) && isBase58Key(text))

/** Whether two addresses are the same. EVM addresses are compared case-insensitively. */
export const sameAddress = (family: Family, a: string, b: string): boolean =>
  family === "evm" ? a.toLowerCase() === b.toLowerCase() : a === b

/** Converts an address of either chain family to a 256-bit integer, which is how signed data encodes addresses. */
export const toWord = (address: string): bigint => (address.startsWith("0x") ? BigInt(address) : valueOf(address))
