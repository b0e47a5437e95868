/** The codec of a swap's row, which the hand-written encoder and decoder must agree with. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as SchemaTransformation from "effect/SchemaTransformation"
import { SignedOperation, State, type SwapRecord } from "../../src/domain/SwapRecord.js"
import * as Rows from "../../src/store/sql/rows.js"

const Block = Rows.Integer.pipe(
  Schema.decodeTo(
    Schema.BigInt,
    SchemaTransformation.transform<bigint, number | bigint>({ decode: BigInt, encode: Number })
  )
)

export const Swap = Schema.Struct({
  id: Schema.String,
  accountId: Schema.String,
  visitor: Rows.maybe(Schema.String),
  orderId: Schema.String,
  operationHash: Schema.String,
  originChain: Rows.Whole,
  destinationChain: Rows.Whole,
  inputToken: Schema.String,
  outputToken: Schema.String,
  wallet: Schema.String,
  recipient: Schema.String,
  amount: Schema.BigIntFromString,
  output: Schema.BigIntFromString,
  minOutput: Schema.BigIntFromString,
  terms: Schema.String,
  feeBps: Schema.Union([Schema.Finite, Schema.FiniteFromString]),
  networkCost: Schema.BigIntFromString,
  opensAccount: Rows.Flag,
  operation: Schema.fromJsonString(SignedOperation),
  quotedAt: Rows.Whole,
  trace: Rows.maybe(Schema.String),
  createdAt: Rows.Whole,
  state: State,
  version: Rows.Whole,
  updatedAt: Rows.Whole,
  reserved: Rows.Flag,
  refundAmount: Rows.maybe(Schema.BigIntFromString),
  originTxHash: Rows.maybe(Schema.String),
  originBlock: Rows.maybe(Block),
  revertedTxHash: Rows.maybe(Schema.String),
  deliveryTxHash: Rows.maybe(Schema.String),
  refundTxHash: Rows.maybe(Schema.String),
  failureCode: Rows.maybe(Schema.String),
  collectedAt: Rows.maybe(Rows.Whole),
  paidAmount: Rows.maybe(Schema.BigIntFromString)
}).pipe(
  Schema.encodeKeys({
    accountId: "account_id",
    orderId: "order_id",
    operationHash: "operation_hash",
    originChain: "origin_chain",
    destinationChain: "destination_chain",
    inputToken: "input_token",
    outputToken: "output_token",
    minOutput: "min_output",
    feeBps: "fee_bps",
    networkCost: "network_cost",
    opensAccount: "opens_account",
    quotedAt: "quoted_at",
    createdAt: "created_at",
    updatedAt: "updated_at",
    refundAmount: "refund_amount",
    originTxHash: "origin_tx_hash",
    originBlock: "origin_block",
    revertedTxHash: "reverted_tx_hash",
    deliveryTxHash: "delivery_tx_hash",
    refundTxHash: "refund_tx_hash",
    failureCode: "failure_code",
    collectedAt: "collected_at",
    paidAmount: "paid_amount"
  })
)

/** Encodes a swap as a row in the form that `SwapRows.columns` returns. */
export const encodeSwap = (swap: SwapRecord) => Effect.orDie(Schema.encodeEffect(Swap)(swap))
