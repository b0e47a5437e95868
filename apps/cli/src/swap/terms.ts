/** What a person agrees to by signing: in words, and in JSON. */
import { Amount, Chain, Operation, Quote, type SwapEvent } from "@geoswap/core"
import * as Directory from "../chains/Directory.js"
import * as Output from "../output/Output.js"

/** What is known of the delegation of an EVM wallet before it signs. */
export interface Delegated {
  /** Whether an authorization has to be signed first. */
  readonly needed: boolean
  readonly contract: string | undefined
  /** Whether the contract is one that is pinned; `undefined` where none is pinned or none is named. */
  readonly pinned: boolean | undefined
}

/** What is agreed to. */
export interface Terms {
  readonly origin: Directory.Place
  readonly destination: Directory.Place
  readonly request: Quote.QuoteRequest
  readonly quote: SwapEvent.QuotePreview
  /** Whether this is about to be signed, and not only a price. */
  readonly signs: boolean
  /** What the policy allows, if it says so. */
  readonly maxLifetimeSeconds?: number | undefined
  /** Absent where there is nothing to delegate. */
  readonly delegation?: Delegated | undefined
}

/** A loss from which on a swap is only signed with a second thought, whether the service warns or not. */
const highImpactBps = -300

/** Whether a quote needs a consent of its own: it loses that much, or the service does not state how much it loses. */
export const isHighImpact = ({ priceImpactBps, warnings }: SwapEvent.QuotePreview): boolean =>
  !((priceImpactBps ?? -Infinity) > highImpactBps) ||
  (warnings ?? []).some(({ code }) => code === Quote.highPriceImpact)

/** Basis points for people: `-1.25%`. */
export const percentOf = (basisPoints: number): string => `${basisPoints / 100}%`

/** A slippage above which a swap is only signed with a confirmation that names the amount at risk. */
const highSlippageBps = 500

/** How far below the quote the output may end. */
export interface Slippage {
  readonly bps: number
  readonly high: boolean
  /** How much less than quoted the signature allows, in the output token's smallest unit. */
  readonly atRisk: bigint
  readonly minimum: bigint
}

/** The slippage that a signature allows: what was asked for, or what the service chose where nothing was. */
export const slippageOf = ({ quote, request }: Pick<Terms, "quote" | "request">): Slippage => {
  const minimum = Quote.minimumOf(quote)
  const atRisk = quote.output - minimum
  const chosen = quote.output > 0n ? Number((atRisk * 10_000n) / quote.output) : 0
  const bps = request.slippageBps ?? chosen
  // One unit is rounding, whatever part of a tiny output it is.
  return { bps, high: bps > highSlippageBps && (request.slippageBps !== undefined || atRisk > 1n), atRisk, minimum }
}

/** The amount at risk, in one sentence. */
export const riskWords = (terms: Pick<Terms, "quote" | "request" | "destination">): string => {
  const { atRisk, bps, minimum } = slippageOf(terms)
  const amount = (value: bigint) => Directory.exactAmount(value, terms.destination.token)
  return `A slippage of ${percentOf(bps)} puts ${amount(atRisk)} at risk: the swap may give as little as ${amount(minimum)}.`
}

const slippageWords = (terms: Terms, { bold, red }: Output.Style): string => {
  const { atRisk, bps, high } = slippageOf(terms)
  return high
    ? bold(
        red(
          `${percentOf(bps)}: this is high, and puts ${Directory.exactAmount(atRisk, terms.destination.token)} at risk`
        )
      )
    : percentOf(bps)
}

const usdOf = (text: string | undefined): string | undefined =>
  text === undefined ? undefined : `$${Output.foreign(text, 24)}`

const feeOf = ({ feeBps, feeDiscount }: SwapEvent.QuotePreview): string =>
  feeDiscount === undefined
    ? percentOf(feeBps)
    : `${percentOf(feeBps)}, ${feeDiscount.discountPercent}% off ${percentOf(feeDiscount.baseFeeBps)} (${Output.foreign(feeDiscount.tier, 24)})`

const impactOf = (quote: SwapEvent.QuotePreview, { bold, red }: Output.Style): string => {
  const { priceImpactBps: stated } = quote
  if (stated === undefined) return bold(red("not known: this is treated as high"))
  return isHighImpact(quote) ? bold(red(`${percentOf(stated)}: this is high`)) : percentOf(stated)
}

/** How many warnings are shown. */
const maxWarnings = 5

const warningsOf = ({ warnings = [] }: SwapEvent.QuotePreview, { yellow }: Output.Style) => {
  const more = warnings.length - maxWarnings
  return [
    ...warnings
      .slice(0, maxWarnings)
      // No wider than a terminal beside its name.
      .map(({ code, message }) => ["Warning", yellow(Output.foreign(message ?? code, 64))] as const),
    ...(more > 0 ? [["", yellow(`and ${more} more`)] as const] : [])
  ]
}

const worthOf = ({ inputUsd, outputUsd }: SwapEvent.QuotePreview): string | undefined => {
  const [paid, received] = [usdOf(inputUsd), usdOf(outputUsd)]
  return paid === undefined || received === undefined ? undefined : `${paid} for ${received}`
}

const delegationOf = ({ delegation, origin }: Terms): string | undefined => {
  if (delegation === undefined) return undefined
  const { contract, needed, pinned } = delegation
  if (!needed) return "there already: no authorization is signed"
  return [
    `first swap of this wallet on ${origin.chain.name}: it is delegated (EIP-7702) to`,
    `${contract ?? "a contract that the service does not name"}${pinned === true ? ", which is pinned" : ""}${pinned === false ? ", which is NOT pinned and will be refused" : ""}.`,
    "From then on that contract acts for the wallet there, on signatures of its key alone,",
    "until the wallet is delegated elsewhere."
  ].join("\n")
}

/** A value of several lines, each below the first. */
const pairs = (name: string, value: string | undefined): ReadonlyArray<readonly [string, string | undefined]> =>
  value === undefined ? [] : value.split("\n").map((line, at) => [at === 0 ? name : "", line] as const)

const tokenWords = ({ token }: Directory.Place, { yellow }: Output.Style): string => {
  if (token.native) return "the chain's own coin"
  return token.pinned
    ? `token ${token.address}`
    : yellow("not pinned: its symbol and its decimals are not known here, so the amount is in smallest units")
}

/**
 * The terms in words, for a person to read before anything is signed. What the signature binds comes last, so that nothing
 * the service says stands between it and the question.
 */
export const words = (terms: Terms, style: Output.Style): string => {
  const { destination, origin, quote, request } = terms
  const { recipient = request.walletAddress } = request
  const own = Chain.sameAddress(destination.chain.kind, recipient, request.walletAddress)
  const amount = (value: bigint, { token }: Directory.Place) => Directory.exactAmount(value, token)
  return Output.block(
    [
      ["Receive", style.bold(`${amount(quote.output, destination)} on ${Directory.chainWords(destination.chain)}`)],
      ["Fee", feeOf(quote)],
      [
        "Network",
        quote.networkCost === undefined
          ? undefined
          : `${amount(quote.networkCost, origin)}, already taken out of what is received`
      ],
      ["Slippage", slippageWords(terms, style)],
      ["Refund", "the whole input; less the network cost if the recipient cannot receive the output but others can"],
      ["Impact", impactOf(quote, style)],
      ["Worth", worthOf(quote)],
      ...warningsOf(quote, style),
      [
        "Deadline",
        terms.signs
          ? `at most ${terms.maxLifetimeSeconds ?? Operation.maxLifetimeSeconds} seconds from the signature; checked before it`
          : undefined
      ],
      ...pairs("Delegation", delegationOf(terms)),
      ["Pay", style.bold(`${amount(request.amount, origin)} on ${Directory.chainWords(origin.chain)}`)],
      ["", tokenWords(origin, style)],
      ["From", request.walletAddress],
      ["At least", `${amount(Quote.minimumOf(quote), destination)}; otherwise the input comes back`],
      ["", tokenWords(destination, style)],
      ["To", own ? `${recipient} (the same wallet)` : style.yellow(`${recipient} (another wallet)`)]
    ],
    style.dim
  )
}

/** What would be signed, one sentence each. */
export const signatures = ({ delegation, destination, origin, quote, request }: Terms): ReadonlyArray<string> => {
  const what = `pays exactly ${Directory.exactAmount(request.amount, origin.token)} on ${Directory.chainWords(origin.chain)} for at least ${Directory.exactAmount(Quote.minimumOf(quote), destination.token)} on ${Directory.chainWords(destination.chain)} to ${request.recipient ?? request.walletAddress}`
  return origin.chain.kind === "evm"
    ? [
        ...(delegation?.needed === true
          ? [
              `An EIP-7702 authorization that delegates ${request.walletAddress} on ${Directory.chainWords(origin.chain)} to ${delegation.contract ?? "an unknown contract"}.`
            ]
          : []),
        `An operation that ${what}.`
      ]
    : [`A transaction that ${what}.`]
}

/** An amount in whole tokens; absent if the token is not pinned. */
const humanOf = (raw: bigint, token: Directory.Token): string | undefined =>
  token.pinned ? Amount.format(raw, token.decimals) : undefined

const side = ({ chain, token }: Directory.Place, raw: bigint) => ({
  chainId: chain.id,
  chain: chain.name,
  token: token.address,
  pinned: token.pinned,
  ...(token.pinned && { symbol: token.symbol, decimals: token.decimals }),
  amount: humanOf(raw, token),
  raw
})

/** The slippage in JSON. */
export const slippageJson = (terms: Pick<Terms, "quote" | "request" | "destination">) => {
  const { atRisk, bps, high, minimum } = slippageOf(terms)
  const { token } = terms.destination
  return {
    bps,
    high,
    token: token.address,
    ...(token.pinned && { symbol: token.symbol }),
    atRisk: humanOf(atRisk, token),
    atRiskRaw: atRisk,
    minimum: humanOf(minimum, token),
    minimumRaw: minimum
  }
}

/** The quote in JSON. */
export const json = (terms: Terms) => {
  const { destination, origin, quote, request } = terms
  const minimum = Quote.minimumOf(quote)
  return {
    wallet: request.walletAddress,
    recipient: request.recipient ?? request.walletAddress,
    from: side(origin, request.amount),
    to: {
      ...side(destination, quote.output),
      minimum: humanOf(minimum, destination.token),
      minimumRaw: minimum
    },
    feeBps: quote.feeBps,
    feeDiscount: quote.feeDiscount && {
      tier: quote.feeDiscount.tier,
      discountPercent: quote.feeDiscount.discountPercent,
      baseFeeBps: quote.feeDiscount.baseFeeBps
    },
    networkCost:
      quote.networkCost === undefined
        ? undefined
        : { amount: humanOf(quote.networkCost, origin.token), raw: quote.networkCost },
    priceImpactBps: quote.priceImpactBps,
    highImpact: isHighImpact(quote),
    inputUsd: quote.inputUsd,
    outputUsd: quote.outputUsd,
    warnings: (quote.warnings ?? []).map(({ code, message }) => ({ code, message })),
    slippageBps: request.slippageBps,
    slippage: slippageJson(terms),
    expiresAt: quote.expiresAt.toISOString()
  }
}
