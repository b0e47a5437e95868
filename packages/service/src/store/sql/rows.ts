/** Codecs for each table's rows. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as SchemaTransformation from "effect/SchemaTransformation"
import type { SqlError } from "effect/sql/SqlError"
import { type Attempt as StoredAttempt, type Event as StoredEvent, State } from "../../domain/SwapRecord.js"
import type { Account as StoredAccount, ApiKey as StoredApiKey } from "../Store.js"

// Drivers return BIGINT as a number, a bigint, or a string.
export const Integer = Schema.Union([Schema.Int, Schema.BigInt, Schema.BigIntFromString])

/** A safe integer. */
export const Whole = Integer.pipe(
  Schema.decodeTo(
    Schema.Int,
    SchemaTransformation.transform<number, number | bigint>({ decode: Number, encode: (value) => value })
  )
)

export const Flag = Integer.pipe(
  Schema.decodeTo(
    Schema.Boolean,
    SchemaTransformation.transform<boolean, number | bigint>({
      decode: (value) => Number(value) !== 0,
      encode: (value) => (value ? 1 : 0)
    })
  )
)

/** A value that may be missing. A missing value is stored as NULL. */
export const maybe = <S extends Schema.Codec<unknown, unknown>>(schema: S) =>
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
  maxCost: maybe(Schema.BigIntFromString),
  cancels: Flag,
  createdAt: Whole
}).pipe(
  Schema.encodeKeys({
    lastValidBlockHeight: "last_valid_block_height",
    maxFeePerGas: "max_fee_per_gas",
    maxPriorityFeePerGas: "max_priority_fee_per_gas",
    maxCost: "max_cost",
    createdAt: "created_at"
  })
)

/** The pending swaps in one state. */
export const Underway = Schema.Struct({
  state: State,
  count: Whole,
  oldestCreatedAt: Whole,
  oldestUpdatedAt: Whole
}).pipe(Schema.encodeKeys({ oldestCreatedAt: "oldest_created_at", oldestUpdatedAt: "oldest_updated_at" }))

export const Id = Schema.Struct({ id: Schema.String })
export const Count = Schema.Struct({ count: Whole })
export const NextNonce = Schema.Struct({ next_nonce: Whole })
export const NextIndex = Schema.Struct({ next_index: Integer })

/** Decodes the rows that a statement returns. An invalid row is a defect, because only this module writes rows. */
export const all = <A>(schema: Schema.Codec<A, unknown>) => {
  const decode = Schema.decodeUnknownEffect(Schema.Array(schema))
  return (statement: Effect.Effect<ReadonlyArray<unknown>, SqlError>): Effect.Effect<ReadonlyArray<A>, SqlError> =>
    Effect.flatMap(statement, (rows) => Effect.orDie(decode(rows)))
}

/** Encodes an attempt as a row. */
export const encodeAttempt = (attempt: StoredAttempt) => Effect.orDie(Schema.encodeEffect(Attempt)(attempt))

export type AttemptRow = Effect.Success<ReturnType<typeof encodeAttempt>>
