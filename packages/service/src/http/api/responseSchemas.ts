/** Schemas for responses, in the exact form that the service sends. */
import { Chain, type Delegation, type Hex, type Operation, type Payment, type Quote, type Swap } from "@geoswap/core"
import type { TypedData } from "@geoswap/core/adapters"
import * as Schema from "effect/Schema"
import * as SchemaTransformation from "effect/SchemaTransformation"
import type { BuiltWithTypedData } from "../../calls/build.js"

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

/** An EVM or Solana address. */
const Address = Text.check(Schema.isPattern(/^[0-9A-Za-z]{1,128}$/u))

const Units = Schema.BigInt.check(Schema.isBetweenBigInt({ minimum: 0n, maximum: 2n ** 256n - 1n }))

/** Creates the schema for an amount. Amounts are strings, because JSON numbers are not exact. */
const amount = (description: string) =>
  Text.check(Schema.isPattern(/^(0|[1-9][0-9]{0,77})$/u))
    .annotate({ description })
    .pipe(Schema.decodeTo(Units, SchemaTransformation.transform({ decode: BigInt, encode: String })))

const Time = Schema.Date.check(
  Schema.isBetweenDate({ minimum: new Date(0), maximum: new Date("9999-12-31T23:59:59.999Z") })
)

/** Creates the schema for a time. */
const instant = (description: string) =>
  Text.annotate({ description, format: "date-time" }).pipe(
    Schema.decodeTo(
      Time,
      SchemaTransformation.transform({ decode: (text) => new Date(text), encode: (date) => date.toISOString() })
    )
  )

/** The fields that quotes and indicative quotes have in common. */
const priceFields = {
  output: amount("The exact amount to be delivered, in the output token's smallest unit."),
  minOutput: optional(amount("If the venue's final price yields less than this, the full input is refunded.")),
  feeBps: about(Schema.Finite, "The fee in basis points, after any discount. May be fractional.")
}
const detailFields = {
  origin: optional(about(Text, "evm or solana. Determines which build call to use.")),
  networkCost: optional(amount("The gas cost in the input token. It has already been deducted from the output.")),
  paymentMethods: optional(
    Schema.Array(Text).annotate({
      description:
        "EVM only: how the wallet can pay, with the service's preference first: delegation, eip3009, permit2, erc2612. Present if the request names a wallet."
    })
  ),
  paymentProblem: optional(
    Schema.Struct({ code: Text, message: optional(Text) }).annotate({
      description: "EVM only: why the wallet cannot pay. Present only if paymentMethods is empty."
    })
  ),
  feeDiscount: optional(
    Schema.Struct({ tier: Text, discountPercent: Schema.Finite, baseFeeBps: Schema.Finite }).annotate({
      description: "The discount for wallets that hold enough of the service's token."
    })
  ),
  inputUsd: optional(about(Text, "Present if the venue prices both sides. Has two decimal places.")),
  outputUsd: optional(about(Text, "Present if the venue prices both sides. Has two decimal places.")),
  priceImpactBps: optional(
    about(Schema.Finite, "A negative value is a loss. Present if the dollar values are present.")
  ),
  warnings: optional(
    Schema.Array(Schema.Struct({ code: Text, message: optional(Text) })).annotate({
      description: "Never fatal. Currently, the only code is HIGH_PRICE_IMPACT."
    })
  )
}

export const QuoteAnswer: Schema.Codec<Quote.QuoteResponse, unknown> = Schema.Struct({
  geoQuoteToken: about(Filled, "The sealed quote, valid for 30 seconds. Send it back unchanged."),
  ...priceFields,
  expiresAt: instant("ISO 8601 in UTC, with milliseconds."),
  ...detailFields
}).annotate({ identifier: "Quote" })

export const IndicativeQuoteAnswer: Schema.Codec<Quote.IndicativeQuoteResponse, unknown> = Schema.Struct({
  indicative: about(Schema.Literal(true), "Always true. The response has no token, and the price is not guaranteed."),
  ...priceFields,
  ...detailFields
}).annotate({ identifier: "IndicativeQuote" })

export const DelegationAnswer: Schema.Codec<Delegation.Delegation, unknown> = Schema.Struct({
  chainId: optional(Whole),
  walletAddress: optional(Text),
  delegated: about(Schema.Boolean, "Whether the wallet can swap without an authorization. Always true on Solana."),
  originReady: optional(Schema.Boolean),
  delegatedTo: optional(address("The contract that the wallet is delegated to, if any.")),
  delegationTarget: optional(address("The first field to sign: the contract to delegate to.")),
  accountNonce: optional(
    about(
      Whole,
      "The second field to sign: the wallet's nonce on that chain. Also present for a wallet that is delegated to the service's contract, to sign the removal of the delegation."
    )
  )
}).annotate({ identifier: "Delegation" })

export const DelegationChangeAnswer: Schema.Codec<Delegation.Change, unknown> = Schema.Struct({
  changeId: about(
    Text.check(Schema.isPattern(/^[0-9A-Za-z_][0-9A-Za-z_-]{0,127}$/u)),
    "The id for delegation-status requests."
  ),
  status: about(
    Schema.Literals(["pending", "applied", "failed"]),
    "applied: a finalized block shows the requested delegation. failed: the authorization had no effect."
  ),
  chainId: optional(Whole),
  walletAddress: optional(Text),
  txHash: optional(about(Text, "The transaction that carried the authorization, once it is final.")),
  failureCode: optional(
    about(
      Text,
      "Why the change failed. INVALID_AUTHORIZATION: the account's nonce changed. NOT_INCLUDED: the transaction was not included in a block."
    )
  )
}).annotate({ identifier: "DelegationChange" })

const GeoOp = Schema.Struct({
  chainId: Whole,
  wallet: address("The wallet that pays."),
  delegate: address("The contract that the wallet is delegated to."),
  token: address("The input token."),
  amount: amount("The amount in the input token's smallest unit."),
  vault: address("The contract that receives the input."),
  orderId: bytes32("The unique id of the order."),
  terms: bytes32("The hash of the destination chain, the output token, the recipient and the minimum output."),
  nonce: amount("The operation's index."),
  deadline: about(Whole, "The deadline, in Unix seconds.")
}).annotate({ identifier: "GeoOp", description: "The fields that geoOpHash covers, so the hash can be recomputed." })

const payment = {
  chainId: Whole,
  wallet: address("The wallet that pays."),
  token: address("The input token."),
  amount: amount("The amount in the input token's smallest unit."),
  vault: address("The contract that receives the input."),
  orderId: bytes32("The unique id of the order."),
  terms: bytes32("The EIP-712 hash of the destination chain, the output token, the recipient and the minimum output."),
  deadline: about(Whole, "The deadline, in Unix seconds.")
}
const domain = Schema.Struct({ name: Text, version: Text }).annotate({
  description: "The name and the version in the token's EIP-712 domain."
})
const nonce = amount("The nonce in Permit2.")

const PaymentAnswer: Schema.Codec<Payment.Payment, unknown> = Schema.Union([
  Schema.Struct({ method: Schema.Literal("eip3009"), ...payment, domain }),
  Schema.Struct({ method: Schema.Literal("permit2"), ...payment, nonce }),
  Schema.Struct({
    method: Schema.Literal("erc2612"),
    ...payment,
    nonce,
    domain,
    permitNonce: amount("The wallet's next nonce in the token's permits.")
  })
]).annotate({
  identifier: "Payment",
  description: "The fields that geoOpHash and the typed data of a payment without a delegation cover."
})

/** Creates the schema for typed data, whose values are of any type. */
const typedData = (description: string): Schema.Codec<TypedData, unknown> =>
  Schema.Struct({
    types: Schema.Record(Text, Schema.Unknown),
    primaryType: Text,
    domain: Schema.Record(Text, Schema.Unknown),
    message: Schema.Record(Text, Schema.Unknown)
  }).annotate({ description }) as unknown as Schema.Codec<TypedData, unknown>

export const BuildAnswer: Schema.Codec<BuiltWithTypedData, unknown> = Schema.Struct({
  geoOpHash: bytes32(
    "The 32 bytes to sign with personal_sign, as raw bytes and not as hex text. With a payment, the digest of typedData, which is signed instead."
  ),
  geoOpToken: about(Filled, "The sealed operation. Send it back unchanged."),
  geoOp: optional(GeoOp),
  payment: optional(PaymentAnswer),
  typedData: optional(
    typedData("Present if the build call named a paymentMethod. In the form of eth_signTypedData_v4.")
  ),
  permitTypedData: optional(typedData("Only with erc2612: the permit that approves Permit2, to sign as well."))
}).annotate({ identifier: "BuiltOperation" })

export const SolanaBuildAnswer: Schema.Codec<Operation.BuiltTransaction, unknown> = Schema.Struct({
  unsignedTransaction: about(
    Text.check(Schema.isPattern(/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}[A-Za-z0-9+/=]=)?$/u), Schema.isMinLength(4)),
    "A v0 transaction in base64. The wallet signs it unchanged."
  ),
  geoOpToken: about(Filled, "The sealed operation. Send it back unchanged.")
}).annotate({ identifier: "BuiltTransaction" })

const tokenAmount = (description: string) =>
  Schema.Struct({
    chainId: Chain.ChainId,
    token: about(Address, "The token's address."),
    amount: amount("The amount in the token's smallest unit.")
  }).annotate({ description })

export const SwapAnswer: Schema.Codec<Swap.Swap, unknown> = Schema.Struct({
  swapId: about(Text.check(Schema.isPattern(/^[0-9A-Za-z_][0-9A-Za-z_-]{0,127}$/u)), "The id for status requests."),
  status: about(
    Schema.Literals(["pending", "settled", "failed", "refunded"]),
    "settled: the recipient received exactly the output. failed: no funds moved, and none can. refunded: the input was returned, in full unless refundAmount is present."
  ),
  originTxHash: optional(
    about(Text, "The transaction on the origin chain, once known. For a failed swap, the transaction that reverted.")
  ),
  deliveryTxHash: optional(
    about(Text, "The transaction on the destination chain, once known. For a refunded swap, a delivery that reverted.")
  ),
  refundTxHash: optional(about(Text, "The transaction that refunded the input.")),
  refundAmount: optional(
    amount(
      "The refunded part of the input. Present only if the input was refunded partially because the recipient could not receive the output."
    )
  ),
  failureCode: optional(about(Text, "Why the swap failed or was refunded.")),
  input: optional(tokenAmount("What the wallet pays.")),
  quotedOutput: optional(tokenAmount("What the recipient is to receive, according to the quote.")),
  output: optional(tokenAmount("What the recipient received. Present only if the swap has settled.")),
  refund: optional(tokenAmount("What was returned to the wallet. Present only if the swap was refunded.")),
  feeBps: optional(
    about(
      Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 10_000 })),
      "The quote's fee in basis points, already deducted from quotedOutput."
    )
  ),
  networkCost: optional(amount("The quote's gas cost in the input token, already deducted from quotedOutput.")),
  recipient: optional(about(Address, "The address that receives the output.")),
  acceptedAt: optional(instant("When the service accepted the swap. ISO 8601 in UTC, with milliseconds.")),
  collectedAt: optional(instant("When the input had arrived in a final block, once it has.")),
  finishedAt: optional(instant("When the swap settled, failed or was refunded."))
}).annotate({ identifier: "Swap" })

const Token = Schema.Struct({
  symbol: Text,
  address: Filled,
  decimals: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 255 }))
}).annotate({ identifier: "Token" })

const ChainAnswer: Schema.Codec<Chain.Chain, unknown> = Schema.Struct({
  id: Chain.ChainId,
  name: Text,
  family: Schema.Literals(["evm", "solana"]),
  tokens: Schema.Array(Token)
})
  .pipe(Schema.encodeKeys({ family: "kind" }))
  .annotate({ identifier: "Chain" })

export const ChainsAnswer = Schema.Struct({ chains: Schema.Array(ChainAnswer) }).annotate({ identifier: "Chains" })

export const HealthAnswer = Schema.Struct({ status: Schema.Literal("ok") }).annotate({ identifier: "Health" })

export const ReadyAnswer = Schema.Struct({
  status: Schema.Literals(["ok", "degraded"]),
  problems: optional(
    Schema.Array(Schema.String).annotate({ description: "What is degraded, with one sentence per problem." })
  )
}).annotate({ identifier: "Readiness" })
