/**
 * Quotes for swaps: the request for a quote, and the quote itself, which is valid for 30 seconds. An indicative quote is
 * a price that needs no wallet and cannot be executed.
 */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Amount from "./Amount.js"
import * as Chain from "./Chain.js"
import { compact } from "./codecs/compact.js"
import { Instant } from "./codecs/instant.js"
import { lenient, Numeric, optionalString } from "./codecs/lenient.js"
import { openStruct } from "./codecs/openStruct.js"
import { type Costs, costsOf } from "./quote/costs.js"
import { InvalidInput } from "./SwapError.js"

export { type Cost, type Costs, highCostWarning, isHighCost } from "./quote/costs.js"
export { exchangeRate, type ExchangeRate } from "./quote/rate.js"
export { slippageRisk, type SlippageRisk } from "./quote/risk.js"

/** The body of `POST /swap/quote`. */
export const QuoteRequest = /* @__PURE__ */ Schema.Struct({
  originChain: Chain.ChainId,
  destinationChain: Chain.ChainId,
  inputToken: Schema.NonEmptyString,
  outputToken: Schema.NonEmptyString,
  /** The amount to pay, in the input token's smallest unit. */
  amount: Amount.Amount,
  /** The wallet that pays, on the origin chain. */
  walletAddress: Schema.NonEmptyString,
  /** The recipient on the destination chain (default: the wallet, if it has an address on that chain). */
  recipient: /* @__PURE__ */ Schema.optionalKey(Schema.NonEmptyString),
  /** How far the minimum output may be below the quoted output, in basis points. `Quote.request` always sets it. */
  slippageBps: /* @__PURE__ */ Schema.optionalKey(Numeric)
})
export type QuoteRequest = typeof QuoteRequest.Type

/** The body of `POST /swap/quote` for an indicative quote. The wallet and the recipient are optional. */
export const IndicativeQuoteRequest = /* @__PURE__ */ QuoteRequest.mapFields(({ walletAddress, ...fields }) => ({
  ...fields,
  walletAddress: Schema.optionalKey(walletAddress),
  indicative: Schema.Literal(true)
}))
export type IndicativeQuoteRequest = typeof IndicativeQuoteRequest.Type

/** A quote request from the caller. The amount may be a decimal string. */
export interface QuoteInput {
  readonly originChain: number
  readonly destinationChain: number
  readonly inputToken: string
  readonly outputToken: string
  /** The amount to pay, in the input token's smallest unit: for a token with 6 decimals, 10 tokens are 10000000. */
  readonly amount: bigint | string
  readonly walletAddress: string
  readonly recipient?: string | undefined
  /** How far the minimum output may be below the quoted output, in basis points (default: 50). */
  readonly slippageBps?: number | undefined
}

/** A request for an indicative quote from the caller. */
export type IndicativeQuoteInput = Omit<QuoteInput, "walletAddress"> & {
  /** The wallet that would pay. With a wallet, the price includes what depends on the wallet, such as its discount. */
  readonly walletAddress?: string | undefined
}

const TextOrNumber = Schema.Union([Schema.String, Schema.Finite])
const Usd = lenient(TextOrNumber, Schema.String, (wire) => (typeof wire === "number" ? wire.toFixed(2) : wire))
const Tier = lenient(TextOrNumber, Schema.String, String)

/** A fee discount for wallets that hold enough of the service's token. */
export const FeeDiscount = openStruct({ tier: Tier, discountPercent: Numeric, baseFeeBps: Numeric })
export type FeeDiscount = typeof FeeDiscount.Type

const WarningObject = openStruct({ code: Schema.String, message: optionalString })

/** A warning about a quote. Warnings are never fatal. */
export const Warning = lenient(Schema.Union([Schema.String, WarningObject]), Schema.toType(WarningObject), (wire) =>
  typeof wire === "string" ? { code: wire } : wire
)
export type Warning = typeof Warning.Type

/**
 * The maximum number of warnings in a quote. Any further warnings are dropped, because a UI shows all of a quote's
 * warnings.
 */
const mostWarnings = 20
const Warnings = lenient(
  Schema.Array(Schema.Unknown),
  Schema.Array(Warning),
  (wire) => wire.slice(0, mostWarnings) as never
)

/** The `slippageBps` of a request that does not set it. */
export const defaultSlippageBps = 50

/** The fields that quotes and indicative quotes have in common. */
const priceFields = {
  /** The amount that the recipient receives, in the output token's smallest unit. */
  output: Amount.Wrapped,
  /** The minimum amount that the recipient receives. If this minimum cannot be met, the input is refunded. */
  minOutput: Schema.optionalKey(Amount.Wrapped),
  /** The fee in basis points, after any discount. */
  feeBps: Numeric,
  feeDiscount: Schema.optionalKey(FeeDiscount),
  inputUsd: Schema.optionalKey(Usd),
  outputUsd: Schema.optionalKey(Usd),
  /**
   * The all-in change of value from the input to the output in basis points: negative if the output is worth less than
   * the input.
   */
  priceImpactBps: Schema.optionalKey(Numeric),
  warnings: Schema.optionalKey(Warnings),
  /** The chain family of the origin chain: `evm` or `solana`. */
  origin: optionalString,
  /** The gas cost in the input token's smallest unit, already deducted from the output. */
  networkCost: Schema.optionalKey(Amount.Wrapped),
  /**
   * EVM only: how the wallet can pay, with the service's preference first. `delegation` is listed if the wallet is
   * delegated to the service's contract, or if it can be. Unknown methods are kept.
   */
  paymentMethods: Schema.optionalKey(Schema.Array(Schema.String)),
  /** EVM only: why the wallet cannot pay. Present only if `paymentMethods` is empty. */
  paymentProblem: Schema.optionalKey(Warning)
}
const displayFields = ["feeDiscount", "networkCost", "paymentMethods", "paymentProblem"] as const

/** The response to `POST /swap/quote`. */
export const QuoteResponse = openStruct(
  { geoQuoteToken: Schema.NonEmptyString, ...priceFields, expiresAt: Instant },
  {},
  displayFields
)
export type QuoteResponse = typeof QuoteResponse.Type

const IndicativePrice = openStruct({ ...priceFields, indicative: Schema.Literal(true) }, {}, displayFields)

/**
 * The response to `POST /swap/quote` for an indicative quote: a price without a token. Nothing is reserved, and the
 * price does not hold for any length of time. A service that does not know indicative quotes returns a quote; its token
 * and its expiry are dropped, so that the quote cannot be built.
 */
export const IndicativeQuoteResponse = lenient(
  Schema.Record(Schema.String, Schema.Unknown),
  IndicativePrice,
  (wire) => {
    const { geoQuoteToken: _, expiresAt: __, ...price } = wire
    return { ...price, indicative: true } as never
  },
  (price) => price as never
)
export type IndicativeQuoteResponse = typeof IndicativeQuoteResponse.Type

/** A response with what the swap costs, instead of the protocol's signed number. */
type WithCosts<R> = Omit<R, "priceImpactBps"> & { readonly costs: Costs }

/** A quote. */
export type Quote = WithCosts<QuoteResponse>

/** An indicative quote. */
export type IndicativeQuote = WithCosts<IndicativeQuoteResponse>

/** Computes the costs in a response to a request. A field of the response that is called `costs` is replaced. */
export const withCosts = <R extends QuoteResponse | IndicativeQuoteResponse>(
  { amount }: Pick<QuoteRequest, "amount">,
  response: R
): WithCosts<R> => {
  const { priceImpactBps: _, ...quote } = response
  return { ...quote, costs: costsOf(response, amount) }
}

/** The lifetime of a quote, measured from the time when it is received. */
export const lifetimeMillis = 30_000

/** The minimum output that you agree to by accepting this quote. */
export const minOutputOf = (quote: Pick<Quote, "output" | "minOutput">): bigint => quote.minOutput ?? quote.output

/**
 * Whether the minimum is a smaller share of the output in the offered quote than in the previous quote. If the price
 * improves, the minimum must rise with it.
 */
export const weakensMinimum = (
  previous: Pick<Quote, "output" | "minOutput">,
  offered: Pick<Quote, "output" | "minOutput">
): boolean => (minOutputOf(offered) + 1n) * previous.output < minOutputOf(previous) * offered.output

/** Describes what an address field expects. An invalid checksum is probably a typo and has its own message. */
const expectedAddress = (family: Chain.Family, text: unknown): string =>
  family === "evm" && typeof text === "string" && Chain.isAddress(family, text.toLowerCase())
    ? "an address with a valid EIP-55 checksum: check it for a typo"
    : `a valid ${family === "evm" ? "EVM" : "Solana"} address`

/** The fields of a request before they are validated. Only an indicative quote may omit the wallet. */
type Unchecked = Omit<IndicativeQuoteRequest, "amount" | "indicative"> & {
  readonly amount: bigint | undefined
  readonly indicative?: true
}

/** Returns the first invalid field in a request, and a description of what the field expects. */
const findInvalid = (
  request: Unchecked,
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
    const isOptional = request.indicative && (field === "walletAddress" || field === "recipient")
    if (isOptional && request[field] === undefined) continue
    if (field === "recipient" && recipient === undefined) {
      if (origin === destination) continue
      return [field, `${expectedAddress(family, recipient)}, because the wallet has no address on this chain`]
    }
    if (!Chain.isAddress(family, request[field])) return [field, expectedAddress(family, request[field])]
  }
  if (recipient === Chain.nativeToken[destination]) return ["recipient", "an address other than the zero address"]
  if (inputToken === Chain.nativeToken[origin]) return ["inputToken", "a token other than the native token"]
  if (originChain === destinationChain && Chain.sameAddress(origin, inputToken, outputToken)) {
    return ["outputToken", "a different token, or a token on another chain"]
  }
  if (!amount || amount > Amount.max(origin)) {
    return ["amount", "a positive integer in the token's smallest unit, within the chain's range"]
  }
  return Number.isInteger(slippageBps) && slippageBps >= 0 && slippageBps <= 10_000
    ? undefined
    : ["slippageBps", "an integer from 0 to 10000"]
}

const validate = <R extends IndicativeQuoteRequest | QuoteRequest>(
  input: IndicativeQuoteInput,
  form: Pick<Unchecked, "indicative">
): Effect.Effect<R, InvalidInput> =>
  Effect.flatMap(Chain.Families, (familyOf) => {
    const { originChain, destinationChain, inputToken, outputToken, walletAddress, recipient } = { ...input }
    const slippageBps = input?.slippageBps ?? defaultSlippageBps
    const fields = { originChain, destinationChain, inputToken, outputToken, walletAddress, recipient, slippageBps }
    const checked = compact({ ...fields, amount: Amount.fromInput(input?.amount) })
    const invalid = findInvalid({ amount: undefined, ...checked, ...form }, familyOf)
    return invalid
      ? Effect.fail(new InvalidInput({ field: invalid[0], message: `${invalid[0]}: expected ${invalid[1]}.` }))
      : Effect.succeed({ ...checked, ...form } as unknown as R)
  })

/**
 * Validates a request before anything is sent.
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
export const request = (input: QuoteInput): Effect.Effect<QuoteRequest, InvalidInput> => validate(input, {})

/** Validates a request for an indicative quote before anything is sent. */
export const indicativeRequest = (input: IndicativeQuoteInput): Effect.Effect<IndicativeQuoteRequest, InvalidInput> =>
  validate(input, { indicative: true })
