/** Parses a call's parameters, with the same errors as a real node. */
import { type Address, isAddress } from "@solana/kit"
import type { Block } from "./blocks.js"
import type { Commitment, Ledger } from "./ledger.js"
import { invalidParams } from "../rpcError.js"
import { minContextSlot } from "./solanaError.js"

/** One call's parameters. */
type Params = ReadonlyArray<unknown>

/** Handles a call, or throws an `RpcError`. */
export type Method = (params: Params) => unknown

/** An options object. As in a real node, unknown options are ignored. */
export type Config = Readonly<Record<string, unknown>>

const kindOf = (value: unknown): string =>
  value === null
    ? "null"
    : Array.isArray(value)
      ? "sequence"
      : typeof value === "object"
        ? "map"
        : typeof value === "number" || typeof value === "bigint"
          ? `integer \`${value}\``
          : typeof value === "string"
            ? `string "${value}"`
            : typeof value

/** A real node's error for a parameter of the wrong type. */
const wrongType = (value: unknown, expected: string) =>
  invalidParams(`Invalid params: invalid type: ${kindOf(value)}, expected ${expected}.`)

export const config = (value: unknown): Config => {
  if (value === undefined || value === null) return {}
  if (typeof value !== "object" || Array.isArray(value)) throw wrongType(value, "struct")
  return value as Config
}

export const text = (value: unknown): string => {
  if (value === undefined) throw invalidParams("`params` should have at least 1 argument(s)")
  if (typeof value !== "string") throw wrongType(value, "a string")
  return value
}

export const integer = (value: unknown): number => {
  if (value === undefined) throw invalidParams("`params` should have at least 1 argument(s)")
  if (typeof value !== "number" || !Number.isInteger(value) || value < 0) throw wrongType(value, "u64")
  return value
}

export const texts = (value: unknown): ReadonlyArray<string> => {
  if (value === undefined) throw invalidParams("`params` should have at least 1 argument(s)")
  if (!Array.isArray(value)) throw wrongType(value, "a sequence")
  return value.map(text)
}

export const flag = (value: unknown): boolean => {
  if (value === undefined || value === null) return false
  if (typeof value !== "boolean") throw wrongType(value, "a boolean")
  return value
}

/** Parses a base58 address. Throws a real node's error if the address is invalid. */
export const pubkey = (value: unknown): Address => {
  const given = text(value)
  if (isAddress(given)) return given
  throw invalidParams(`Invalid param: ${/[^1-9A-HJ-NP-Za-km-z]/.test(given) ? "Invalid" : "WrongSize"}`)
}

/** Parses a parameter that must be one of several strings. */
export const oneOf = <const A extends string>(value: unknown, allowed: ReadonlyArray<A>, fallback: A): A => {
  if (value === undefined || value === null) return fallback
  const found = allowed.find((one) => one === value)
  if (found !== undefined) return found
  if (typeof value !== "string") throw wrongType(value, "string or map")
  const names = allowed.map((one) => `\`${one}\``).join(", ")
  throw invalidParams(`Invalid params: unknown variant \`${value}\`, expected one of ${names}.`)
}

const commitments = ["processed", "confirmed", "finalized"] as const

export const commitmentOf = (value: unknown, fallback: Commitment = "finalized"): Commitment =>
  oneOf(value, commitments, fallback)

/** Parses the commitment level for methods that read only blocks. Those methods do not support `processed`. */
export const atLeastConfirmed = (value: unknown): Commitment => {
  const commitment = commitmentOf(value)
  if (commitment === "processed") throw invalidParams("Method does not support commitment below `confirmed`")
  return commitment
}

/** The block that a call reads. Throws if the block is behind `minContextSlot`. */
export const blockOf = (ledger: Ledger, { commitment, minContextSlot: least }: Config): Block => {
  const block = ledger.blockAt(commitmentOf(commitment))
  if (least !== undefined && least !== null && block.slot < integer(least)) throw minContextSlot(block.slot)
  return block
}
