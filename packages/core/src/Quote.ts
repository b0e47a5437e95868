/** Pricing a swap: what is asked and what the service offers for 30 seconds. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Amount from "./Amount.js"
import * as Chain from "./Chain.js"
import { compact } from "./codecs/compact.js"
import { lenient, Numeric, optionalString } from "./codecs/lenient.js"
import { openStruct } from "./codecs/openStruct.js"
import { InvalidInput } from "./SwapError.js"

/** The body of `POST /swap/quote`. */
export const QuoteRequest = /* @__PURE__ */ Schema.Struct({
  originChain: Chain.ChainId,
  destinationChain: Chain.ChainId,
  inputToken: Schema.NonEmptyString,
  outputToken: Schema.NonEmptyString,
  /** Smallest units of the input token. */
  amount: Amount.Amount,
  /** The wallet that pays, on the origin chain. */
  walletAddress: Schema.NonEmptyString,
  /** Who receives, on the destination chain. The wallet itself where absent. */
  recipient: /* @__PURE__ */ Schema.optionalKey(Schema.NonEmptyString),
  slippageBps: /* @__PURE__ */ Schema.optionalKey(Numeric)
})
export type QuoteRequest = typeof QuoteRequest.Type

/** A request as a caller writes it: the amount may be a decimal text. */
export interface QuoteInput {
  readonly originChain: number
  readonly destinationChain: number
  readonly inputToken: string
  readonly outputToken: string
  /** Smallest units of the input token: for a token with 6 decimals, 10 tokens are 10000000. */
  readonly amount: bigint | string
  readonly walletAddress: string
  readonly recipient?: string | undefined
  /** How far below the quoted output the minimum may lie; where absent the service chooses, within 500. */
  readonly slippageBps?: number | undefined
}

const Instant = Schema.Date.check(
  Schema.makeFilter((date: Date) => !Number.isNaN(date.getTime()), { title: "valid date" })
)
/** 1973 in milliseconds, and 5138 in seconds: a number below it is seconds. */
const millisFrom = 1e11
const TextOrNumber = Schema.Union([Schema.String, Schema.Finite])

/** ISO 8601, or Unix seconds or milliseconds. For display: the programs go by their own clock. */
const ExpiresAt = lenient(
  TextOrNumber,
  Instant,
  (wire) => new Date(typeof wire === "number" && wire < millisFrom ? wire * 1000 : wire),
  (date) => date.toISOString()
)

const Usd = lenient(TextOrNumber, Schema.String, (wire) => (typeof wire === "number" ? wire.toFixed(2) : wire))
const Tier = lenient(TextOrNumber, Schema.String, String)

/** A discount on the fee, for wallets that hold enough of the service's token. */
export const FeeDiscount = openStruct({ tier: Tier, discountPercent: Numeric, baseFeeBps: Numeric })
export type FeeDiscount = typeof FeeDiscount.Type

const WarningObject = openStruct({ code: Schema.String, message: optionalString })

/** Something to know about a quote; never fatal. */
export const Warning = lenient(Schema.Union([Schema.String, WarningObject]), Schema.toType(WarningObject), (wire) =>
  typeof wire === "string" ? { code: wire } : wire
)
export type Warning = typeof Warning.Type

/** More than these are left out: whoever shows a quote shows all of its warnings. */
const mostWarnings = 20
const Warnings = lenient(
  Schema.Array(Schema.Unknown),
  Schema.Array(Warning),
  (wire) => wire.slice(0, mostWarnings) as never
)

/** How far the minimum may lie below the output where a request sets no `slippageBps`. */
export const defaultSlippageBps = 500

/** The one warning the document names. */
export const highPriceImpact = "HIGH_PRICE_IMPACT"

/** §2.2: the answer of `POST /swap/quote`. */
export const Quote = openStruct(
  {
    geoQuoteToken: Schema.NonEmptyString,
    /** What the recipient gets, in smallest units of the output token. */
    output: Amount.Wrapped,
    /** The least the recipient gets; below it, the input is refunded. */
    minOutput: Schema.optionalKey(Amount.Wrapped),
    /** The fee in basis points, after any discount. */
    feeBps: Numeric,
    expiresAt: ExpiresAt,
    feeDiscount: Schema.optionalKey(FeeDiscount),
    inputUsd: Schema.optionalKey(Usd),
    outputUsd: Schema.optionalKey(Usd),
    /** Signed: negative means that the output is worth less than the input. */
    priceImpactBps: Schema.optionalKey(Numeric),
    warnings: Schema.optionalKey(Warnings),
    /** `evm` or `solana`. */
    origin: optionalString,
    /** Gas, in smallest units of the input token and already taken out of the output. */
    networkCost: Schema.optionalKey(Amount.Wrapped)
  },
  {},
  ["feeDiscount", "networkCost"]
)
export type Quote = typeof Quote.Type

/** The document's lifetime of a quote, counted from its receipt. */
export const lifetimeMillis = 30_000

/** The least that accepting this quote agrees to. */
export const minimumOf = (quote: Pick<Quote, "output" | "minOutput">): bigint => quote.minOutput ?? quote.output

/**
 * Whether an offered quote has a minimum further below its output than the previous quote, so that it protects less. With a
 * better price the minimum must rise, too.
 */
export const weakensMinimum = (
  previous: Pick<Quote, "output" | "minOutput">,
  offered: Pick<Quote, "output" | "minOutput">
): boolean => (minimumOf(offered) + 1n) * previous.output < minimumOf(previous) * offered.output

/** What a field should be that is no address: a typo in the checksum is worth its own words. */
const addressOf = (family: Chain.Family, text: unknown): string =>
  family === "evm" && typeof text === "string" && Chain.isAddress(family, text.toLowerCase())
    ? "an address whose upper and lower case fit its checksum (EIP-55): check it for a typo"
    : `an address on a chain of kind ${family}`

/** The first field of a request that makes no sense, and why. */
const faultOf = (
  request: Omit<QuoteRequest, "amount"> & { readonly amount: bigint | undefined },
  familyOf: (chainId: number) => Chain.Family
): readonly [field: keyof QuoteRequest, why: string] | undefined => {
  const { originChain, destinationChain, inputToken, outputToken, amount, recipient, slippageBps = 0 } = request
  const origin = familyOf(originChain)
  const destination = familyOf(destinationChain)
  for (const field of ["originChain", "destinationChain"] as const) {
    if (!Chain.isChainId(request[field])) return [field, "a positive integer"]
  }
  for (const [field, family] of [
    ["walletAddress", origin],
    ["inputToken", origin],
    ["outputToken", destination],
    ["recipient", destination]
  ] as const) {
    const optional = field === "recipient" && recipient === undefined && origin === destination
    if (!optional && !Chain.isAddress(family, request[field])) return [field, addressOf(family, request[field])]
  }
  if (recipient === Chain.nativeToken[destination]) return ["recipient", "an address that somebody holds"]
  if (inputToken === Chain.nativeToken[origin]) return ["inputToken", "a token, not the native one"]
  if (originChain === destinationChain && Chain.sameAddress(origin, inputToken, outputToken)) {
    return ["outputToken", "another token, or on another chain"]
  }
  if (!amount || amount > Amount.max(origin)) {
    return ["amount", "a whole number of smallest units above 0 that the chain can hold"]
  }
  return Number.isInteger(slippageBps) && slippageBps >= 0 && slippageBps <= 10_000
    ? undefined
    : ["slippageBps", "an integer from 0 to 10000"]
}

/**
 * Checks a request before anything is sent.
 *
 * @example
 * ```ts
 * const request = Quote.request({
 *   originChain: 8453,
 *   destinationChain: 42161,
 *   inputToken: "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913",
 *   outputToken: "0x82af49447d8a07e3bd95bd0d56f35241523fbab1",
 *   amount: "10000000",
 *   walletAddress: "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266"
 * })
 * ```
 */
export const request = (input: QuoteInput): Effect.Effect<QuoteRequest, InvalidInput> =>
  Effect.flatMap(Chain.Families, (familyOf) => {
    const { originChain, destinationChain, inputToken, outputToken, walletAddress, recipient, slippageBps } = {
      ...input
    }
    const fields = { originChain, destinationChain, inputToken, outputToken, walletAddress, recipient, slippageBps }
    const checked = compact({ ...fields, amount: Amount.fromInput(input?.amount) })
    const fault = faultOf({ amount: undefined, ...checked }, familyOf)
    return fault
      ? Effect.fail(new InvalidInput({ field: fault[0], message: `${fault[0]}: should be ${fault[1]}.` }))
      : Effect.succeed(checked as QuoteRequest)
  })
