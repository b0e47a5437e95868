/** The rows of the `swaps` table. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { SqlError } from "effect/sql/SqlError"
import {
  type Accepted,
  type EvmOperation,
  SignedOperation,
  type State,
  states,
  type SwapRecord
} from "../../domain/SwapRecord.js"

/**
 * The columns that a statement on the `swaps` table must return so that the `swaps` function can decode its rows. They
 * include columns from other tables.
 */
export const columns = `*,
  (SELECT quoted_at FROM swap_details WHERE swap_id = swaps.id) AS quoted_at,
  (SELECT origin_block FROM swap_details WHERE swap_id = swaps.id) AS origin_block,
  (SELECT refund_amount FROM swap_details WHERE swap_id = swaps.id) AS refund_amount,
  (SELECT visitor FROM swap_details WHERE swap_id = swaps.id) AS visitor,
  (SELECT hash FROM reverted_collects WHERE swap_id = swaps.id) AS reverted_tx_hash,
  (SELECT MIN(at) FROM swap_events WHERE swap_id = swaps.id AND state = 'origin_final') AS collected_at,
  (SELECT amount FROM swap_payments WHERE swap_id = swaps.id) AS paid_amount,
  (SELECT COUNT(*) FROM claims WHERE swap_id = swaps.id AND phase = 'delivery' AND kind = 'output') AS reserved`

/** The error for a row that this module did not write. */
class InvalidRow extends Error {
  override readonly message = "A row in the swaps table is invalid."
}

const textOf = (value: unknown): string => {
  if (typeof value !== "string") throw new InvalidRow()
  return value
}

const numberOf = (value: unknown): number => {
  const number =
    typeof value === "number"
      ? value
      : typeof value === "bigint" || (typeof value === "string" && /^-?\d+$/.test(value))
        ? Number(value)
        : Number.NaN
  if (!Number.isSafeInteger(number)) throw new InvalidRow()
  return number
}

const amountOf = (value: unknown): bigint => {
  const text = textOf(value)
  if (!/^\d+$/.test(text)) throw new InvalidRow()
  return BigInt(text)
}

const finiteOf = (value: unknown): number => {
  const number = typeof value === "string" && value !== "" ? Number(value) : value
  if (typeof number !== "number" || !Number.isFinite(number)) throw new InvalidRow()
  return number
}

const stateOf = (value: unknown): State => {
  const state = states.find((one) => one === value)
  if (state === undefined) throw new InvalidRow()
  return state
}

const decodeOperation = Schema.decodeUnknownSync(SignedOperation)

/** The fields that most operations do not have. Only operations that have one of them are encoded by the schema. */
const isUnusual = (operation: Readonly<Partial<Record<keyof EvmOperation, unknown>>>): boolean =>
  (["authorization", "method", "permitSignature", "target"] as const).some((name) => operation[name] !== undefined)

/** Decodes an operation. The schema is used only if the operation has unusual fields. */
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

/** A swap's row with the columns in `columns`, which has not been decoded yet. */
export type SwapRow = Readonly<Record<string, unknown>>

const swapOf = (row: SwapRow): SwapRecord => {
  const { delivery_tx_hash, failure_code, origin_block, origin_tx_hash, refund_tx_hash } = row
  const { collected_at, paid_amount, quoted_at, refund_amount, reverted_tx_hash, trace, visitor } = row
  return {
    id: textOf(row["id"]),
    accountId: textOf(row["account_id"]),
    ...(visitor !== null && { visitor: textOf(visitor) }),
    orderId: textOf(row["order_id"]),
    operationHash: textOf(row["operation_hash"]),
    originChain: numberOf(row["origin_chain"]),
    destinationChain: numberOf(row["destination_chain"]),
    inputToken: textOf(row["input_token"]),
    outputToken: textOf(row["output_token"]),
    wallet: textOf(row["wallet"]),
    recipient: textOf(row["recipient"]),
    amount: amountOf(row["amount"]),
    output: amountOf(row["output"]),
    minOutput: amountOf(row["min_output"]),
    terms: textOf(row["terms"]),
    feeBps: finiteOf(row["fee_bps"]),
    networkCost: amountOf(row["network_cost"]),
    opensAccount: numberOf(row["opens_account"]) !== 0,
    operation: operationOf(row["operation"]),
    quotedAt: numberOf(quoted_at),
    ...(trace !== null && { trace: textOf(trace) }),
    createdAt: numberOf(row["created_at"]),
    state: stateOf(row["state"]),
    version: numberOf(row["version"]),
    updatedAt: numberOf(row["updated_at"]),
    reserved: numberOf(row["reserved"]) !== 0,
    ...(refund_amount !== null && { refundAmount: amountOf(refund_amount) }),
    ...(origin_tx_hash !== null && { originTxHash: textOf(origin_tx_hash) }),
    ...(origin_block !== null && { originBlock: BigInt(numberOf(origin_block)) }),
    ...(reverted_tx_hash !== null && { revertedTxHash: textOf(reverted_tx_hash) }),
    ...(delivery_tx_hash !== null && { deliveryTxHash: textOf(delivery_tx_hash) }),
    ...(refund_tx_hash !== null && { refundTxHash: textOf(refund_tx_hash) }),
    ...(failure_code !== null && { failureCode: textOf(failure_code) }),
    ...(collected_at !== null && { collectedAt: numberOf(collected_at) }),
    ...(paid_amount !== null && { paidAmount: amountOf(paid_amount) })
  }
}

const encodeOperation = Schema.encodeSync(Schema.fromJsonString(SignedOperation))

/** Encodes an operation. As in `operationOf`, the schema is used only if the operation has unusual fields. */
const operationText = (operation: SignedOperation): string => {
  if (operation._tag !== "evm" || isUnusual(operation)) return encodeOperation(operation)
  const { _tag, deadline, delegate, nonce, signature, vault } = operation
  return JSON.stringify({ _tag, delegate, nonce, deadline: numberOf(deadline), signature, vault })
}

/** Encodes a swap that is about to be accepted. Throws if the swap has a value that cannot be stored. */
export const newSwapRow = (swap: Accepted) => ({
  id: swap.id,
  account_id: swap.accountId,
  order_id: swap.orderId,
  operation_hash: swap.operationHash,
  origin_chain: numberOf(swap.originChain),
  destination_chain: numberOf(swap.destinationChain),
  input_token: swap.inputToken,
  output_token: swap.outputToken,
  wallet: swap.wallet,
  recipient: swap.recipient,
  amount: swap.amount.toString(),
  output: swap.output.toString(),
  min_output: swap.minOutput.toString(),
  terms: swap.terms,
  fee_bps: finiteOf(swap.feeBps),
  network_cost: swap.networkCost.toString(),
  opens_account: swap.opensAccount ? 1 : 0,
  operation: operationText(swap.operation),
  quoted_at: numberOf(swap.quotedAt),
  visitor: swap.visitor ?? null,
  trace: swap.trace ?? null,
  created_at: numberOf(swap.createdAt),
  state: "accepted",
  version: 0,
  updated_at: 0
})

export type NewSwapRow = ReturnType<typeof newSwapRow>

/** The row of a swap that has just been accepted, with the columns in `columns`. */
export const insertedRow = (row: NewSwapRow): SwapRow => ({
  ...row,
  reserved: 1,
  origin_tx_hash: null,
  origin_block: null,
  reverted_tx_hash: null,
  delivery_tx_hash: null,
  refund_tx_hash: null,
  failure_code: null,
  refund_amount: null,
  collected_at: null,
  paid_amount: null
})

/**
 * Decodes swaps without a codec, because swaps are read far more often than anything else. This takes a tenth of the
 * time that a codec takes.
 */
const decodeSwaps = (rows: ReadonlyArray<unknown>): Effect.Effect<ReadonlyArray<SwapRecord>> => {
  try {
    return Effect.succeed(rows.map((row) => swapOf(row as SwapRow)))
  } catch {
    return Effect.die(new InvalidRow())
  }
}

/** Decodes the swaps that a statement returns. */
export const swaps = (
  statement: Effect.Effect<ReadonlyArray<unknown>, SqlError>
): Effect.Effect<ReadonlyArray<SwapRecord>, SqlError> => Effect.flatMap(statement, decodeSwaps)

/** Decodes one swap. */
export const decodeSwap = (row: SwapRow): Effect.Effect<SwapRecord> =>
  Effect.suspend(() => {
    try {
      return Effect.succeed(swapOf(row))
    } catch {
      return Effect.die(new InvalidRow())
    }
  })
