/** Token amounts: integers in the token's smallest unit, represented as `bigint`. */
import * as Schema from "effect/Schema"
import type { Family } from "./Chain.js"
import { Index, lenient } from "./codecs/lenient.js"

const pattern = /^(0|[1-9][0-9]{0,77})$/

/** The largest token amount that a chain family can represent: 2^256 - 1 on EVM chains, 2^64 - 1 on Solana. */
export const max = (family: Family): bigint => (family === "evm" ? 2n ** 256n - 1n : 2n ** 64n - 1n)

const Decimal = Schema.String.check(Schema.isPattern(pattern))
const Units = Schema.BigInt.check(Schema.isBetweenBigInt({ minimum: 0n, maximum: max("evm") }))

/**
 * An amount as it is sent over the network: a decimal string. A JSON number is also accepted if it is a safe integer.
 */
export const Amount = lenient(Schema.Union([Decimal, Index]), Units, BigInt, String)

/** An amount that may be wrapped in an object, as some services do: `"5"`, `5` or `{ "amount": "5" }`. */
export const Wrapped = lenient(
  Schema.Union([Decimal, Index, Schema.Struct({ amount: Amount })]),
  Units,
  (wire) => (typeof wire === "object" ? wire.amount : BigInt(wire)),
  String
)

/** Parses an amount in the token's smallest unit. Returns `undefined` if the value is not a non-negative integer. */
export const fromInput = (input: unknown): bigint | undefined =>
  typeof input === "bigint"
    ? input >= 0n
      ? input
      : undefined
    : typeof input === "string" && pattern.test(input)
      ? BigInt(input)
      : undefined

/**
 * Converts an amount from whole tokens to the token's smallest unit. Returns `undefined` if the string is not an amount
 * or has more decimal places than the token.
 *
 * @example
 * ```ts
 * Amount.parse("10.5", 6) // 10500000n
 * ```
 */
export const parse = (text: string, decimals: number): bigint | undefined => {
  const match = /^([0-9]{1,78})(?:\.([0-9]{1,255}))?$/.exec(text)
  if (match === null) return undefined
  const fraction = (match[2] ?? "").replace(/0+$/, "")
  if (fraction.length > decimals) return undefined
  return BigInt(match[1] + fraction.padEnd(decimals, "0"))
}

/**
 * Formats an amount as whole tokens, without trailing zeros.
 *
 * @example
 * ```ts
 * Amount.format(10500000n, 6) // "10.5"
 * ```
 */
export const format = (amount: bigint, decimals: number): string => {
  const digits = amount.toString().padStart(decimals + 1, "0")
  const whole = digits.slice(0, digits.length - decimals)
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, "")
  return fraction === "" ? whole : `${whole}.${fraction}`
}
