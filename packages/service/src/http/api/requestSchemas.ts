/** Schemas for request bodies, paths and queries. Types are strict, and unknown fields are ignored. */
import { Chain, type Hex, Payment } from "@geoswap/core"
import * as Schema from "effect/Schema"
import * as SchemaTransformation from "effect/SchemaTransformation"
import { fieldDescriptions } from "./fieldDescriptions.js"

const from = <From extends Schema.Top, To extends Schema.Top>(
  wire: From,
  value: To,
  decode: (wire: From["Type"]) => To["Encoded"],
  encode: (value: To["Encoded"]) => From["Type"]
) => wire.pipe(Schema.decodeTo(value, SchemaTransformation.transform<To["Encoded"], From["Type"]>({ decode, encode })))

const whole = (minimum: number, maximum: number = Number.MAX_SAFE_INTEGER) =>
  Schema.Int.check(Schema.isBetween({ minimum, maximum }))
const text = (pattern: RegExp) => Schema.String.check(Schema.isPattern(pattern))
const bounded = (field: string, maximum: number) =>
  Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(maximum)).annotate({ description: describe(field) })

/** A sealed token of any length. A token that is too long cannot be opened, and is rejected with status 401. */
const sealed = (field: string) => Schema.String.check(Schema.isMinLength(1)).annotate({ description: describe(field) })

/** A field's description as a sentence. */
const describe = (field: string): string => {
  const description = fieldDescriptions[field] ?? field
  return `${description.charAt(0).toUpperCase()}${description.slice(1)}.`
}
const described = <S extends Schema.Top>(field: string, schema: S) => schema.annotate({ description: describe(field) })

/** A positive amount. */
const Amount = from(
  Schema.Union([text(/^[1-9][0-9]{0,77}$/u), whole(1)]).annotate({ description: describe("amount") }),
  Schema.BigInt.check(Schema.isBetweenBigInt({ minimum: 1n, maximum: 2n ** 256n - 1n })),
  BigInt,
  String
)

/** An integer. JSON-RPC quantities are also accepted, because wallets may send them. */
const quantity = (field: string) =>
  from(
    Schema.Union([whole(0), text(/^(0|[1-9][0-9]{0,15}|0x[0-9a-fA-F]{1,16})$/u)]).annotate({
      description: describe(field)
    }),
    whole(0),
    Number,
    (value) => value
  )

/** Bytes in hex, padded with the leading zeros that a quantity omits. */
const hex = (field: string, pattern: RegExp, digits: number) =>
  from(
    text(pattern).annotate({ description: describe(field) }),
    Schema.String.pipe(Schema.refine((value): value is Hex.Hex => value.startsWith("0x"))),
    (value) => `0x${value.slice(2).toLowerCase().padStart(digits, "0")}`,
    (value) => value
  )

/** An EVM address, decoded to lower case. Mixed case requires a valid checksum. */
const contract = (field: string) =>
  from(
    text(/^0x[0-9a-fA-F]{40}$/u)
      .check(Schema.makeFilter((value: string) => Chain.isAddress("evm", value)))
      .annotate({ description: describe(field) }),
    Schema.String.pipe(Schema.refine((value): value is Hex.Hex => value.startsWith("0x"))),
    (value) => value.toLowerCase(),
    (value) => value
  )

const word = /^0x[0-9a-fA-F]{1,64}$/u

export const QuoteRequest = Schema.Struct({
  originChain: described("originChain", whole(1)),
  destinationChain: described("destinationChain", whole(1)),
  inputToken: bounded("inputToken", 128),
  outputToken: bounded("outputToken", 128),
  amount: Amount,
  walletAddress: bounded("walletAddress", 128),
  recipient: Schema.optionalKey(bounded("recipient", 128)),
  slippageBps: Schema.optionalKey(described("slippageBps", whole(0, 10_000))),
  indicative: Schema.optionalKey(described("indicative", Schema.Literal(false)))
}).annotate({ identifier: "QuoteRequest" })

/** Like `QuoteRequest`, but the wallet is optional, and `indicative` is `true`. */
export const IndicativeQuoteRequest = Schema.Struct({
  ...QuoteRequest.fields,
  walletAddress: Schema.optionalKey(bounded("walletAddress", 128)),
  indicative: described("indicative", Schema.Literal(true))
}).annotate({ identifier: "IndicativeQuoteRequest" })

const Authorization = Schema.Struct({
  chainId: quantity("chainId"),
  address: contract("address"),
  nonce: quantity("nonce"),
  yParity: from(
    Schema.Literals([0, 1, "0", "1", "0x0", "0x1", "0x00", "0x01"]).annotate({ description: describe("yParity") }),
    Schema.Literals([0, 1]),
    (value) => (Number(value) === 0 ? 0 : 1),
    (value) => value
  ),
  r: hex("r", word, 64),
  s: hex("s", word, 64)
}).annotate({ identifier: "Authorization" })

export const BuildRequest = Schema.Struct({
  geoQuoteToken: sealed("geoQuoteToken"),
  authorization: Schema.optionalKey(Authorization),
  previousGeoOpToken: Schema.optionalKey(sealed("previousGeoOpToken")),
  paymentMethod: Schema.optionalKey(described("paymentMethod", Schema.Literals(["delegation", ...Payment.methods])))
}).annotate({ identifier: "BuildRequest" })

export const ChangeDelegationRequest = Schema.Struct({
  walletAddress: bounded("walletAddress", 128),
  authorization: Authorization
}).annotate({ identifier: "ChangeDelegationRequest" })

/** Like `BuildRequest`, but ignores any authorization. */
export const SolanaBuildRequest = Schema.Struct({
  geoQuoteToken: sealed("geoQuoteToken"),
  authorization: Schema.optionalKey(Schema.Unknown.annotate({ description: "Accepted and ignored." }))
}).annotate({ identifier: "SolanaBuildRequest" })

export const SubmitRequest = Schema.Struct({
  geoOpToken: sealed("geoOpToken"),
  signature: described("signature", text(/^0x[0-9a-fA-F]{130}$/u)),
  permitSignature: Schema.optionalKey(described("permitSignature", text(/^0x[0-9a-fA-F]{130}$/u)))
}).annotate({ identifier: "SubmitRequest" })

export const SolanaSubmitRequest = Schema.Struct({
  geoOpToken: sealed("geoOpToken"),
  signedTransaction: described(
    "signedTransaction",
    text(/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}[A-Za-z0-9+/=]=)?$/u).check(
      Schema.isMinLength(1),
      Schema.isMaxLength(4_096)
    )
  )
}).annotate({ identifier: "SolanaSubmitRequest" })

/** The fields of a delegation request, which can be sent in the query or in the path. */
export const delegation = {
  chainId: from(
    text(/^[1-9][0-9]{0,15}$/u).annotate({ description: "The id of the origin chain, a positive decimal integer." }),
    whole(1),
    Number,
    String
  ),
  walletAddress: bounded("walletAddress", 128)
}

export const delegationStatus = { changeId: described("changeId", Schema.String) }

export const status = { swapId: described("swapId", Schema.String) }
