/** Schemas of the answers of nodes, with only the fields that are used. */
import { isBlockhash } from "@solana/kit"
import * as Schema from "effect/Schema"

const { BigInt, Boolean, Int, NullOr, String, Struct, Unknown } = Schema
const inContext = <S extends Schema.Top>(value: S) => Struct({ context: Struct({ slot: BigInt }), value })
const Base64 = Schema.Tuple([String, Schema.Literal("base64")])

/** Of `getLatestBlockhash`. */
export const Lifetime = inContext(
  Struct({ blockhash: String.check(Schema.makeFilter((text) => isBlockhash(text))), lastValidBlockHeight: BigInt })
)

/** Of `getEpochInfo`: a slot together with its height. No other method returns both. */
export const Epoch = Struct({ absoluteSlot: BigInt, blockHeight: BigInt })

/** Of `isBlockhashValid`. */
export const Validity = inContext(Boolean)

/** Of `getMultipleAccounts` in base64. */
export const Accounts = inContext(Schema.Array(NullOr(Struct({ data: Base64, lamports: BigInt, owner: String }))))

/** Of `simulateTransaction`. */
export const Simulation = inContext(Struct({ err: Unknown }))

/** Of `getSignatureStatuses`. */
export const Statuses = inContext(
  Schema.Array(
    NullOr(
      Struct({
        slot: BigInt,
        err: Unknown,
        confirmationStatus: NullOr(Schema.Literals(["processed", "confirmed", "finalized"]))
      })
    )
  )
)

const TokenBalance = Struct({
  accountIndex: Int,
  mint: String,
  uiTokenAmount: Struct({ amount: String.check(Schema.isPattern(/^[0-9]{1,20}$/)) })
})

/** Nodes omit them if there are none. */
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

/** Of `getTransaction` in base64. Null if the node does not have it. */
export const Landed = NullOr(Struct({ slot: BigInt, transaction: Base64, meta: Meta }))

/** Of `getFirstAvailableBlock`. */
export const Slot = BigInt

/** Of `getBlocksWithLimit`. */
export const Slots = Schema.Array(Slot)

/** Of `getBlockTime`. Null if the time is unknown. */
export const BlockTime = NullOr(BigInt)

/** Of `getGenesisHash` and `sendTransaction`. */
export const Text = String
