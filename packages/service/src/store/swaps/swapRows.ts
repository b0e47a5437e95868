/** The rows of the `swaps` table. */
import { addressKey } from "../../domain/addressKey.js"
import { type Accepted, SignedOperation, states, type SwapRecord } from "../../domain/SwapRecord.js"
import type { Columns } from "../sql/dialect.js"
import * as Rows from "../sql/rows.js"

const { amount, flag, integer, oneOf, optional, real, text, whole } = Rows

/** The fields that are fixed when a swap is accepted. */
const accepted = Rows.table<Accepted>({
  id: text,
  accountId: text,
  visitor: optional(text),
  orderId: text,
  operationHash: text,
  originChain: whole,
  destinationChain: whole,
  inputToken: text,
  outputToken: text,
  wallet: text,
  recipient: text,
  amount,
  output: amount,
  minOutput: amount,
  terms: text,
  feeBps: real,
  networkCost: amount,
  opensAccount: flag,
  operation: Rows.json(SignedOperation),
  quotedAt: whole,
  trace: optional(text),
  createdAt: whole
})

/** The fields that a change may write, except for the version. */
const changing = Rows.table<Omit<SwapRecord, keyof Accepted | "version" | "reserved" | "atRiskCents">>({
  state: oneOf(states),
  updatedAt: whole,
  originTxHash: optional(text),
  originBlock: optional(integer),
  collectedAt: optional(whole),
  revertedTxHash: optional(text),
  deliveryTxHash: optional(text),
  refundTxHash: optional(text),
  refundAmount: optional(amount),
  paidAmount: optional(amount),
  failureCode: optional(text)
})

/** Decodes the swaps that a statement returns. The statement returns `columns`. */
export const { read: swaps } = Rows.table<SwapRecord>({
  ...accepted.fields,
  ...changing.fields,
  atRiskCents: optional(whole),
  version: whole,
  reserved: flag
})

/** The columns that a statement on the `swaps` table must return so that its rows can be decoded. */
export const columns = `*,
  (SELECT COUNT(*) FROM claims WHERE swap_id = swaps.id AND phase = 'delivery' AND kind = 'output') AS reserved`

/** The columns of a new row. */
export const newColumns: Columns = {
  ...accepted.columns,
  wallet_key: "TEXT",
  operation_nonce: "TEXT",
  at_risk_cents: "BIGINT",
  state: "TEXT",
  version: "BIGINT",
  updated_at: "BIGINT"
}

/** Encodes a swap that is about to be accepted. Throws if the swap has a value that cannot be stored. */
export const newRow = (swap: Accepted): Rows.Row => ({
  ...accepted.encode(swap),
  wallet_key: addressKey(swap.wallet),
  operation_nonce: swap.operation._tag === "evm" ? swap.operation.nonce : null,
  at_risk_cents: null,
  state: "accepted",
  version: 0
})

/** The swap of a row that was inserted at the given time. */
export const inserted = (swap: Accepted, updatedAt: number, atRiskCents?: number): SwapRecord => ({
  ...swap,
  ...(atRiskCents !== undefined && { atRiskCents }),
  state: "accepted",
  version: 0,
  updatedAt,
  reserved: true
})

/** The columns that a change writes, with their values. */
export const changedColumns: (swap: SwapRecord) => Rows.Row = changing.encode
