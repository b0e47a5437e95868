/** The answers of the service, in the one form that it sends: what the models of core accept in several. */
import { Chain, type Delegation, type Hex, type Operation, type Quote, type Swap } from "@geoswap/core"
import * as Schema from "effect/Schema"
import * as SchemaTransformation from "effect/SchemaTransformation"

const Text = Schema.String
const Filled = Schema.NonEmptyString
const Whole = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }))
const optional = Schema.optionalKey
const about = <S extends Schema.Top>(schema: S, description: string) => schema.annotate({ description })

const hex = (pattern: RegExp, description: string) =>
  Text.check(Schema.isPattern(pattern))
    .annotate({ description })
    .pipe(Schema.refine((text): text is Hex.Hex => text.startsWith("0x")))
const address = (description: string) => hex(/^0x[0-9a-f]{40}$/u, description)
const bytes32 = (description: string) => hex(/^0x[0-9a-f]{64}$/u, description)

const Units = Schema.BigInt.check(Schema.isBetweenBigInt({ minimum: 0n, maximum: 2n ** 256n - 1n }))

/** Amounts go out as text, since JSON's numbers are not exact. */
const amount = (description: string) =>
  Text.check(Schema.isPattern(/^(0|[1-9][0-9]{0,77})$/u))
    .annotate({ description })
    .pipe(Schema.decodeTo(Units, SchemaTransformation.transform({ decode: BigInt, encode: String })))

const Instant = Text.annotate({ description: "ISO 8601 in UTC, with milliseconds.", format: "date-time" }).pipe(
  Schema.decodeTo(
    Schema.Date,
    SchemaTransformation.transform({ decode: (text) => new Date(text), encode: (date) => date.toISOString() })
  )
)

export const QuoteAnswer: Schema.Codec<Quote.Quote, unknown> = Schema.Struct({
  geoQuoteToken: about(Filled, "The sealed quote, good for 30 seconds. Send it back as it is."),
  output: amount("What is delivered, exactly, in smallest units of the output token."),
  minOutput: optional(amount("If the venue prices the swap below this in the end, the full input is refunded.")),
  feeBps: about(Schema.Finite, "The fee in basis points, after any discount; may be fractional."),
  expiresAt: Instant,
  origin: optional(about(Text, "evm or solana: which build call comes next.")),
  networkCost: optional(amount("Gas, in the input token, already taken out of the output.")),
  feeDiscount: optional(
    Schema.Struct({ tier: Text, discountPercent: Schema.Finite, baseFeeBps: Schema.Finite }).annotate({
      description: "For wallets that hold enough of the service's token."
    })
  ),
  inputUsd: optional(about(Text, "Where the venue prices both sides; two decimals.")),
  outputUsd: optional(about(Text, "Where the venue prices both sides; two decimals.")),
  priceImpactBps: optional(about(Schema.Finite, "Signed; negative is a loss. Comes with the dollar values.")),
  warnings: optional(
    Schema.Array(Schema.Struct({ code: Text, message: optional(Text) })).annotate({
      description: "Never fatal. HIGH_PRICE_IMPACT is the one that there is."
    })
  )
}).annotate({ identifier: "Quote" })

export const DelegationAnswer: Schema.Codec<Delegation.Delegation, unknown> = Schema.Struct({
  chainId: optional(Whole),
  walletAddress: optional(Text),
  delegated: about(Schema.Boolean, "Whether swaps from here need no authorization; always true on Solana."),
  originReady: optional(Schema.Boolean),
  delegatedTo: optional(address("Whom the wallet is delegated to, if anyone.")),
  delegationTarget: optional(address("The first field to sign over: the contract to delegate to.")),
  accountNonce: optional(about(Whole, "The second: the wallet's nonce on that chain."))
}).annotate({ identifier: "Delegation" })

const GeoOp = Schema.Struct({
  chainId: Whole,
  wallet: address("The wallet that pays."),
  delegate: address("The contract that it is delegated to."),
  token: address("The input token."),
  amount: amount("Smallest units of the input token."),
  vault: address("Where the input goes."),
  orderId: bytes32("The one use of this quote."),
  terms: bytes32("The hash of destination chain, output token, recipient and minimum output."),
  nonce: amount("The index of the operation."),
  deadline: about(Whole, "Unix seconds.")
}).annotate({ identifier: "GeoOp", description: "The fields behind geoOpHash, so that it can be recomputed." })

export const BuildAnswer: Schema.Codec<Operation.BuiltOperation, unknown> = Schema.Struct({
  geoOpHash: bytes32("The 32 bytes to sign with personal_sign, raw and not as hex text."),
  geoOpToken: about(Filled, "The sealed operation. Send it back as it is."),
  geoOp: optional(GeoOp)
}).annotate({ identifier: "BuiltOperation" })

export const SolanaBuildAnswer: Schema.Codec<Operation.BuiltTransaction, unknown> = Schema.Struct({
  unsignedTransaction: about(
    Text.check(Schema.isPattern(/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}[A-Za-z0-9+/=]=)?$/u), Schema.isMinLength(4)),
    "Base64 of a v0 transaction, which the wallet signs as it is."
  ),
  geoOpToken: about(Filled, "The sealed operation. Send it back as it is.")
}).annotate({ identifier: "BuiltTransaction" })

export const SwapAnswer: Schema.Codec<Swap.Swap, unknown> = Schema.Struct({
  swapId: about(Text.check(Schema.isPattern(/^[0-9A-Za-z_-]{1,200}$/u)), "What the status is asked by."),
  status: about(
    Schema.Literals(["pending", "settled", "failed", "refunded"]),
    "settled: the recipient has exactly the output. failed: nothing moved, and nothing can. refunded: the input is back, in full unless refundAmount is present."
  ),
  originTxHash: optional(
    about(Text, "The transaction on the origin chain, once known; of a failed swap, the one that reverted.")
  ),
  deliveryTxHash: optional(about(Text, "The transaction on the destination chain, once known.")),
  refundTxHash: optional(about(Text, "The transaction that gave the input back.")),
  refundAmount: optional(
    amount("How much of the input is refunded, if not all of it: the recipient could not receive.")
  ),
  failureCode: optional(about(Text, "Why the swap failed or was refunded."))
}).annotate({ identifier: "Swap" })

const Token = Schema.Struct({
  symbol: Text,
  address: Filled,
  decimals: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 255 }))
}).annotate({ identifier: "Token" })

const ChainAnswer: Schema.Codec<Chain.Chain, unknown> = Schema.Struct({
  id: Chain.ChainId,
  name: Text,
  kind: Schema.Literals(["evm", "solana"]),
  tokens: Schema.Array(Token)
}).annotate({ identifier: "Chain" })

export const ChainsAnswer = Schema.Struct({ chains: Schema.Array(ChainAnswer) }).annotate({ identifier: "Chains" })

export const HealthAnswer = Schema.Struct({ status: Schema.Literal("ok") }).annotate({ identifier: "Health" })

export const ReadyAnswer = Schema.Struct({
  status: Schema.Literals(["ok", "degraded"]),
  problems: optional(
    Schema.Array(Schema.String).annotate({ description: "What works only in part, one sentence each." })
  )
}).annotate({ identifier: "Readiness" })
