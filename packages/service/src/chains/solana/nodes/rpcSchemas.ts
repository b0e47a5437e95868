/** Schemas for node responses, with only the fields that the service uses. */
import { isBlockhash } from "@solana/kit"
import * as Schema from "effect/Schema"

const { BigInt, Boolean, Int, NullOr, String, Struct, Unknown } = Schema
const inContext = <S extends Schema.Top>(value: S) => Struct({ context: Struct({ slot: BigInt }), value })
const Base64 = Schema.Tuple([String, Schema.Literal("base64")])

/** The result of `getLatestBlockhash`. */
export const Lifetime = inContext(
  Struct({ blockhash: String.check(Schema.makeFilter((text) => isBlockhash(text))), lastValidBlockHeight: BigInt })
)

/** The result of `getEpochInfo`: a slot together with its height. No other method returns both. */
export const Epoch = Struct({ absoluteSlot: BigInt, blockHeight: BigInt })

/** The result of `isBlockhashValid`. */
export const Validity = inContext(Boolean)

/** The result of `getMultipleAccounts` in base64. */
export const Accounts = inContext(Schema.Array(NullOr(Struct({ data: Base64, lamports: BigInt, owner: String }))))

/** The result of `simulateTransaction`. */
export const Simulation = inContext(Struct({ err: Unknown, unitsConsumed: Schema.optionalKey(NullOr(BigInt)) }))

/** The result of `getRecentPrioritizationFees`: a price in micro-lamports per compute unit for each slot. */
export const PrioritizationFees = Schema.Array(Struct({ prioritizationFee: BigInt }))

/** The result of `getMinimumBalanceForRentExemption`, in lamports. */
export const Rent = BigInt

/** The result of `getSignatureStatuses`. Each status is decoded separately, because it may belong to another swap. */
export const Statuses = inContext(Schema.Array(Unknown))

/** The status of a transaction. `null` if the node does not have the transaction. */
export const Status = NullOr(
  Struct({
    slot: BigInt,
    err: Unknown,
    confirmationStatus: NullOr(Schema.Literals(["processed", "confirmed", "finalized"]))
  })
)
export type Status = typeof Status.Type

const TokenBalance = Struct({
  accountIndex: Int,
  mint: String,
  uiTokenAmount: Struct({ amount: String.check(Schema.isPattern(/^[0-9]{1,20}$/)) })
})

/** Nodes omit this field if there are no token balances. */
const TokenBalances = Schema.optionalKey(NullOr(Schema.Array(TokenBalance)))

/** The effects of a transaction. */
export const Meta = Struct({
  err: Unknown,
  preBalances: Schema.Array(BigInt),
  postBalances: Schema.Array(BigInt),
  preTokenBalances: TokenBalances,
  postTokenBalances: TokenBalances
})
export type Meta = typeof Meta.Type

/** The result of `getTransaction` in base64. `null` if the node does not have the transaction. */
export const Landed = NullOr(Struct({ slot: BigInt, transaction: Base64, meta: Meta }))

/** The result of `getSlot` or `getFirstAvailableBlock`. */
export const Slot = BigInt

/** The result of `getBlocksWithLimit`. */
export const Slots = Schema.Array(Slot)

/** The result of `getBlockTime`. `null` if the time is unknown. */
export const BlockTime = NullOr(BigInt)

/** The result of `getGenesisHash` or `sendTransaction`. */
export const Text = String
