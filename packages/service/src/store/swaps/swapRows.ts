/** The rows of the `swaps` table. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { SqlError } from "effect/sql/SqlError"
import { addressKey } from "../../domain/addressKey.js"
import {
  type Accepted,
  type EvmOperation,
  SignedOperation,
  type State,
  states,
  type SwapRecord
} from "../../domain/SwapRecord.js"
import type { Columns, ColumnType } from "../sql/dialect.js"

/** The error for a row that this module did not write. */
class InvalidRow extends Error {
  override readonly message = "A row in the swaps table is invalid."
}

const textOf = (value: unknown): string => {
  if (typeof value !== "string") throw new InvalidRow()
  return value
}

const numberOf = (value: unknown): number => {
  const isText = typeof value === "bigint" || (typeof value === "string" && /^-?\d+$/.test(value))
  const number = isText ? Number(value) : value
  if (typeof number !== "number" || !Number.isSafeInteger(number)) throw new InvalidRow()
  return number
}

const finiteOf = (value: unknown): number => {
  const number = typeof value === "string" && value !== "" ? Number(value) : value
  if (typeof number !== "number" || !Number.isFinite(number)) throw new InvalidRow()
  return number
}

const amountOf = (value: unknown): bigint => {
  const text = textOf(value)
  if (!/^\d+$/.test(text)) throw new InvalidRow()
  return BigInt(text)
}

const stateOf = (value: unknown): State => {
  const state = states.find((one) => one === value)
  if (state === undefined) throw new InvalidRow()
  return state
}

const encodeOperation = Schema.encodeSync(Schema.fromJsonString(SignedOperation))
const decodeOperation = Schema.decodeUnknownSync(SignedOperation)

/** The fields that most operations do not have. Only operations that have one of them need the schema. */
const isUnusual = (operation: Readonly<Partial<Record<keyof EvmOperation, unknown>>>): boolean =>
  (["authorization", "method", "permitSignature", "target"] as const).some((name) => operation[name] !== undefined)

const operationOf = (value: unknown): SignedOperation => {
  const given = JSON.parse(textOf(value)) as Readonly<Record<string, unknown>>
  const { _tag, deadline, vault } = given
  if (_tag !== "evm" || isUnusual(given) || typeof deadline !== "number") return decodeOperation(given)
  return {
    _tag,
    delegate: textOf(given["delegate"]),
    nonce: textOf(given["nonce"]),
    deadline: numberOf(deadline),
    signature: textOf(given["signature"]),
    ...(vault !== undefined && { vault: textOf(vault) })
  }
}

const operationText = (operation: SignedOperation): string => {
  if (operation._tag !== "evm" || isUnusual(operation)) return encodeOperation(operation)
  const { _tag, deadline, delegate, nonce, signature, vault } = operation
  return JSON.stringify({ _tag, delegate, nonce, deadline: numberOf(deadline), signature, vault })
}

/** How a field is stored in a column. */
interface Field<A> {
  readonly column: string
  readonly type: ColumnType
  readonly decode: (value: unknown) => A
  readonly encode: (value: A) => string | number
}

const text = (column: string): Field<string> => ({ column, type: "TEXT", decode: textOf, encode: textOf })
const whole = (column: string): Field<number> => ({ column, type: "BIGINT", decode: numberOf, encode: numberOf })
const amount = (column: string): Field<bigint> => ({ column, type: "TEXT", decode: amountOf, encode: String })
const block = (column: string): Field<bigint> => ({
  column,
  type: "BIGINT",
  decode: (value) => BigInt(numberOf(value)),
  encode: Number
})
const flag = (column: string): Field<boolean> => ({
  column,
  type: "BIGINT",
  decode: (value) => numberOf(value) !== 0,
  encode: Number
})

type Fields<A> = { readonly [Name in keyof A]-?: Field<Exclude<A[Name], undefined>> }

/** The fields that are fixed when a swap is accepted. */
const accepted: Fields<Accepted> = {
  id: text("id"),
  accountId: text("account_id"),
  visitor: text("visitor"),
  orderId: text("order_id"),
  operationHash: text("operation_hash"),
  originChain: whole("origin_chain"),
  destinationChain: whole("destination_chain"),
  inputToken: text("input_token"),
  outputToken: text("output_token"),
  wallet: text("wallet"),
  recipient: text("recipient"),
  amount: amount("amount"),
  output: amount("output"),
  minOutput: amount("min_output"),
  terms: text("terms"),
  feeBps: { column: "fee_bps", type: "DOUBLE PRECISION", decode: finiteOf, encode: finiteOf },
  networkCost: amount("network_cost"),
  opensAccount: flag("opens_account"),
  operation: { column: "operation", type: "TEXT", decode: operationOf, encode: operationText },
  quotedAt: whole("quoted_at"),
  trace: text("trace"),
  createdAt: whole("created_at")
}

/** The fields that a change may write, except for the version. */
const changing: Fields<Omit<SwapRecord, keyof Accepted | "version" | "reserved">> = {
  state: { column: "state", type: "TEXT", decode: stateOf, encode: textOf },
  updatedAt: whole("updated_at"),
  originTxHash: text("origin_tx_hash"),
  originBlock: block("origin_block"),
  collectedAt: whole("collected_at"),
  revertedTxHash: text("reverted_tx_hash"),
  deliveryTxHash: text("delivery_tx_hash"),
  refundTxHash: text("refund_tx_hash"),
  refundAmount: amount("refund_amount"),
  paidAmount: amount("paid_amount"),
  failureCode: text("failure_code")
}

type Name = keyof SwapRecord

const optional: ReadonlySet<Name> = new Set([
  "visitor",
  "trace",
  "originTxHash",
  "originBlock",
  "collectedAt",
  "revertedTxHash",
  "deliveryTxHash",
  "refundTxHash",
  "refundAmount",
  "paidAmount",
  "failureCode"
] satisfies ReadonlyArray<Name>)

const fields: Fields<SwapRecord> = {
  ...accepted,
  ...changing,
  version: whole("version"),
  reserved: flag("reserved")
}

/** A value of any field. Its field encodes and decodes it. */
type AnyField = Field<unknown>
const listOf = (some: object) => Object.entries(some) as ReadonlyArray<readonly [Name, AnyField]>
const all = listOf(fields)

/** A swap's row with the columns in `columns`, which has not been decoded yet. */
export type SwapRow = Readonly<Record<string, unknown>>

/** The columns that a statement on the `swaps` table must return so that its rows can be decoded. */
export const columns = `*,
  (SELECT COUNT(*) FROM claims WHERE swap_id = swaps.id AND phase = 'delivery' AND kind = 'output') AS reserved`

const swapOf = (row: SwapRow): SwapRecord => {
  const swap: Record<string, unknown> = {}
  for (const [name, { column, decode }] of all) {
    const value = row[column]
    if (value !== null || !optional.has(name)) swap[name] = decode(value)
  }
  return swap as unknown as SwapRecord
}

const encode = (some: ReadonlyArray<readonly [Name, AnyField]>, swap: Partial<SwapRecord>) =>
  Object.fromEntries(
    some.map(([name, { column, encode }]) => [column, swap[name] === undefined ? null : encode(swap[name])])
  )

const ofAccepted = listOf(accepted)
const ofChanges = listOf(changing)

/** The columns of a new row that are not fields of the swap, or that get their first value. */
const initial = {
  wallet_key: "TEXT",
  operation_nonce: "TEXT",
  state: "TEXT",
  version: "BIGINT",
  updated_at: "BIGINT"
} as const

/** The columns of a new row. */
export const newColumns: Columns = {
  ...Object.fromEntries(ofAccepted.map(([, { column, type }]) => [column, type])),
  ...initial
}

/** Encodes a swap that is about to be accepted. Throws if the swap has a value that cannot be stored. */
export const newRow = (swap: Accepted): SwapRow => ({
  ...encode(ofAccepted, swap),
  wallet_key: addressKey(swap.wallet),
  operation_nonce: swap.operation._tag === "evm" ? swap.operation.nonce : null,
  state: "accepted",
  version: 0
})

/** The swap of a row that was inserted at the given time. */
export const inserted = (swap: Accepted, updatedAt: number): SwapRecord => ({
  ...swap,
  state: "accepted",
  version: 0,
  updatedAt,
  reserved: true
})

/** The columns that a change writes, with their values. */
export const changedColumns = (swap: SwapRecord): SwapRow => encode(ofChanges, swap)

/** Runs a decoder. An invalid row is a defect. */
const decodeAll = (rows: ReadonlyArray<unknown>): Effect.Effect<ReadonlyArray<SwapRecord>> => {
  try {
    return Effect.succeed(rows.map((row) => swapOf(row as SwapRow)))
  } catch {
    return Effect.die(new InvalidRow())
  }
}

/**
 * Decodes the swaps that a statement returns, without a codec, because swaps are read far more often than anything else.
 */
export const swaps = (
  statement: Effect.Effect<ReadonlyArray<unknown>, SqlError>
): Effect.Effect<ReadonlyArray<SwapRecord>, SqlError> => Effect.flatMap(statement, decodeAll)
