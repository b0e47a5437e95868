/** How rows are encoded and decoded. Field by field, because a codec takes longer than reading most rows. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { SqlError } from "effect/sql/SqlError"
import { type Attempt, type Event, states } from "../../domain/SwapRecord.js"
import type { Columns, ColumnType } from "./dialect.js"

/** The error for a row that this service did not write. Its message contains no values. */
class InvalidRow extends Error {
  override readonly message = "A row in the database is invalid."
}

/** How a field is stored in a column. Decoders and encoders throw if a value is invalid. */
export interface Field<A> {
  readonly type: ColumnType
  /** The name of the column (default: the name of the field in snake case). */
  readonly column?: string
  readonly decode: (value: unknown) => A
  readonly encode: (value: A) => string | number | null
}

const textOf = (value: unknown): string => {
  if (typeof value !== "string") throw new InvalidRow()
  return value
}

/** Drivers return a BIGINT as a number, a bigint or a string. */
const integerOf = (value: unknown): number | bigint => {
  if (Number.isSafeInteger(value) || typeof value === "bigint") return value as number | bigint
  if (/^-?\d+$/.test(textOf(value))) return BigInt(textOf(value))
  throw new InvalidRow()
}

const wholeOf = (value: unknown): number => {
  const number = Number(integerOf(value))
  if (!Number.isSafeInteger(number)) throw new InvalidRow()
  return number
}

const realOf = (value: unknown): number => {
  const number = typeof value === "string" && value !== "" ? Number(value) : value
  if (typeof number !== "number" || !Number.isFinite(number)) throw new InvalidRow()
  return number
}

const amountOf = (value: unknown): bigint => {
  if (!/^\d+$/.test(textOf(value))) throw new InvalidRow()
  return BigInt(textOf(value))
}

export const text: Field<string> = { type: "TEXT", decode: textOf, encode: textOf }
/** An integer that is safe as a number. */
export const whole: Field<number> = { type: "BIGINT", decode: wholeOf, encode: wholeOf }
export const integer: Field<bigint> = { type: "BIGINT", decode: (value) => BigInt(integerOf(value)), encode: String }
export const real: Field<number> = { type: "DOUBLE PRECISION", decode: realOf, encode: realOf }
/** A decimal number without a sign, of any length. */
export const amount: Field<bigint> = { type: "TEXT", decode: amountOf, encode: String }
/** A sum of amounts, as `Dialect.sum` returns it. */
export const sum: Field<bigint> = {
  ...amount,
  decode: (value) =>
    value === null
      ? 0n
      : textOf(value)
          .split("+")
          .reduce((total, one) => total + BigInt(one), 0n)
}
export const flag: Field<boolean> = { type: "BIGINT", decode: (value) => wholeOf(value) !== 0, encode: Number }

export const oneOf = <A extends string>(values: ReadonlyArray<A>): Field<A> => ({
  type: "TEXT",
  decode: (value) => {
    const found = values.find((one) => one === value)
    if (found === undefined) throw new InvalidRow()
    return found
  },
  encode: textOf
})

/** A value with a schema, as JSON. */
export const json = <A>(schema: Schema.Codec<A, unknown>): Field<A> => {
  const codec = Schema.fromJsonString(schema)
  return { type: "TEXT", decode: Schema.decodeUnknownSync(codec), encode: Schema.encodeSync(codec) }
}

/** A field that may be missing. A missing value is stored as NULL. */
export const optional = <A>(field: Field<A>): Field<A | undefined> => ({
  ...field,
  decode: (value) => (value === null ? undefined : field.decode(value)),
  encode: (value) => (value === undefined ? null : field.encode(value))
})

export type Fields<A> = { readonly [Name in keyof A]-?: Field<A[Name]> }

/** A row that has not been decoded. */
export type Row = Readonly<Record<string, unknown>>

/** Describes the rows of a table, or of a query with some of its columns. */
export const table = <A extends object>(fields: Fields<A>) => {
  const listed = Object.entries(fields as unknown as Fields<Row>).map(([name, field]) => ({
    name,
    column: name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    ...field
  }))
  const decode = (row: unknown): A => {
    const decoded: Record<string, unknown> = {}
    for (const { column, decode, name } of listed) {
      const value = decode((row as Row)[column])
      if (value !== undefined) decoded[name] = value
    }
    return decoded as A
  }
  return {
    fields,
    columns: Object.fromEntries(listed.map(({ column, type }) => [column, type])) satisfies Columns,
    encode: (value: A) =>
      Object.fromEntries(listed.map(({ column, encode, name }) => [column, encode(value[name as keyof A])])),
    /** Decodes the rows that a statement returns. An invalid row is a defect. */
    read: (statement: Effect.Effect<ReadonlyArray<unknown>, SqlError>): Effect.Effect<ReadonlyArray<A>, SqlError> =>
      Effect.flatMap(statement, (rows) => {
        try {
          return Effect.succeed(rows.map(decode))
        } catch {
          return Effect.die(new InvalidRow())
        }
      })
  }
}

export const attempts = table<Attempt>({
  raw: text,
  hash: text,
  nonce: optional(whole),
  lastValidBlockHeight: optional(amount),
  maxFeePerGas: optional(amount),
  maxPriorityFeePerGas: optional(amount),
  maxCost: optional(amount),
  cancels: flag,
  createdAt: whole
})

export type AttemptRow = ReturnType<typeof attempts.encode>

export const events = table<Event>({ at: whole, state: oneOf(states), version: whole, detail: text })

export const ids = table({ id: text })
