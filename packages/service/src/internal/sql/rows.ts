/** Rows as drivers give them, and what they are: one codec per table, so that what is written is what is read. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as SchemaTransformation from "effect/SchemaTransformation"
import type { SqlError } from "effect/sql/SqlError"
import type { Account as StoredAccount, ApiKey as StoredApiKey } from "../../Store.js"
import {
  type Attempt as StoredAttempt,
  type Event as StoredEvent,
  SignedOperation,
  State,
  type SwapRecord
} from "../../SwapRecord.js"

// Drivers disagree about BIGINT: a number, a bigint, or text.
const Integer = Schema.Union([Schema.Int, Schema.BigInt, Schema.BigIntFromString])

/** A whole number that is exact. */
const Whole = Integer.pipe(
  Schema.decodeTo(
    Schema.Int,
    SchemaTransformation.transform<number, number | bigint>({ decode: Number, encode: (value) => value })
  )
)

const Flag = Integer.pipe(
  Schema.decodeTo(
    Schema.Boolean,
    SchemaTransformation.transform<boolean, number | bigint>({
      decode: (value) => Number(value) !== 0,
      encode: (value) => (value ? 1 : 0)
    })
  )
)

/** Absent is NULL. */
const maybe = <S extends Schema.Codec<unknown, unknown>>(schema: S) =>
  Schema.NullOr(schema).pipe(
    Schema.decodeTo(
      Schema.optionalKey(Schema.toType(schema)),
      SchemaTransformation.transformOptional<S["Type"], S["Type"] | null>({
        decode: Option.filter((value) => value !== null),
        encode: Option.orElseSome(() => null)
      })
    )
  )

export const Account: Schema.Codec<StoredAccount, unknown> = Schema.Struct({
  id: Schema.String,
  name: Schema.String,
  createdAt: Whole
}).pipe(Schema.encodeKeys({ createdAt: "created_at" }))

export const ApiKey: Schema.Codec<StoredApiKey, unknown> = Schema.Struct({
  id: Schema.String,
  accountId: Schema.String,
  accountName: Schema.String,
  hash: Schema.String,
  label: Schema.String,
  createdAt: Whole,
  revokedAt: maybe(Whole)
}).pipe(
  Schema.encodeKeys({
    accountId: "account_id",
    accountName: "account_name",
    createdAt: "created_at",
    revokedAt: "revoked_at"
  })
)

export const Swap = Schema.Struct({
  id: Schema.String,
  accountId: Schema.String,
  orderId: Schema.String,
  operationHash: Schema.String,
  originChain: Whole,
  destinationChain: Whole,
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
  opensAccount: Flag,
  operation: Schema.fromJsonString(SignedOperation),
  trace: maybe(Schema.String),
  createdAt: Whole,
  state: State,
  version: Whole,
  updatedAt: Whole,
  originTxHash: maybe(Schema.String),
  deliveryTxHash: maybe(Schema.String),
  refundTxHash: maybe(Schema.String),
  failureCode: maybe(Schema.String)
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
    createdAt: "created_at",
    updatedAt: "updated_at",
    originTxHash: "origin_tx_hash",
    deliveryTxHash: "delivery_tx_hash",
    refundTxHash: "refund_tx_hash",
    failureCode: "failure_code"
  })
)

export const Event: Schema.Codec<StoredEvent, unknown> = Schema.Struct({
  at: Whole,
  state: State,
  version: Whole,
  detail: Schema.String
})

export const Attempt = Schema.Struct({
  raw: Schema.String,
  hash: Schema.String,
  nonce: maybe(Whole),
  lastValidBlockHeight: maybe(Schema.BigIntFromString),
  maxFeePerGas: maybe(Schema.BigIntFromString),
  maxPriorityFeePerGas: maybe(Schema.BigIntFromString),
  cancels: Flag,
  createdAt: Whole
}).pipe(
  Schema.encodeKeys({
    lastValidBlockHeight: "last_valid_block_height",
    maxFeePerGas: "max_fee_per_gas",
    maxPriorityFeePerGas: "max_priority_fee_per_gas",
    createdAt: "created_at"
  })
)

/** Where an intent's transaction is to be: the nonce of a signer, on a chain. */
export const Place = Schema.Struct({ chain_id: Whole, signer: Schema.String, nonce: maybe(Whole) })

/** The swaps under way in one state. */
export const Underway = Schema.Struct({
  state: State,
  count: Whole,
  oldestCreatedAt: Whole,
  oldestUpdatedAt: Whole
}).pipe(Schema.encodeKeys({ oldestCreatedAt: "oldest_created_at", oldestUpdatedAt: "oldest_updated_at" }))

export const Reservation = Schema.Struct({
  chainId: Whole,
  token: Schema.String,
  amount: Schema.BigIntFromString
}).pipe(Schema.encodeKeys({ chainId: "chain_id" }))

export const Id = Schema.Struct({ id: Schema.String })
export const Count = Schema.Struct({ count: Whole })
export const NextNonce = Schema.Struct({ next_nonce: Whole })
export const NextIndex = Schema.Struct({ next_index: Integer })

/** The rows of a statement. One that does not fit its table is a defect: nothing but this module writes them. */
export const all = <A>(schema: Schema.Codec<A, unknown>) => {
  const decode = Schema.decodeUnknownEffect(Schema.Array(schema))
  return (statement: Effect.Effect<ReadonlyArray<unknown>, SqlError>): Effect.Effect<ReadonlyArray<A>, SqlError> =>
    Effect.flatMap(statement, (rows) => Effect.orDie(decode(rows)))
}

/** A value as a row of its table. */
export const encodeSwap = (swap: SwapRecord) => Effect.orDie(Schema.encodeEffect(Swap)(swap))
export const encodeAttempt = (attempt: StoredAttempt) => Effect.orDie(Schema.encodeEffect(Attempt)(attempt))
