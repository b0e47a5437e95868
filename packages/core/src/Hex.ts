/** Hexadecimal strings in the protocol. */
import * as Schema from "effect/Schema"
import { lenient } from "./codecs/lenient.js"

/** A string that starts with `0x`. */
export type Hex = `0x${string}`

const bytes = (length: number) =>
  lenient(
    Schema.String.check(Schema.isPattern(new RegExp(`^(0x)?[0-9a-fA-F]{${length * 2}}$`))),
    Schema.String.check(Schema.isPattern(new RegExp(`^0x[0-9a-f]{${length * 2}}$`))).pipe(
      Schema.refine((text): text is Hex => text.startsWith("0x"))
    ),
    (text) => `0x${text.replace(/^0x/, "").toLowerCase()}`
  )

/** A 20-byte address in lowercase hex. */
export const Address = bytes(20)

/** 32 bytes in lowercase hex. */
export const Bytes32 = bytes(32)

/** Whether a string is `0x` followed by exactly `length` bytes in hex. */
export const isHex = (text: unknown, length: number): text is Hex =>
  typeof text === "string" && text.length === 2 + length * 2 && /^0x[0-9a-fA-F]*$/.test(text)
