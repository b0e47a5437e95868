/**
 * Encodes quotes by hand, because the schema takes four times as long. Only what a quote usually contains is encoded
 * here. For everything else, including invalid quotes, the function returns `undefined`, and the schema decides.
 */
import { Amount, type Quote } from "@geoswap/core"

const largest = Amount.max("evm")
const isAmount = (value: bigint): boolean => value >= 0n && value <= largest
const isText = (value: string | undefined): boolean => value === undefined || typeof value === "string"

/** 9999-12-31T23:59:59.999Z. */
const lastMillis = 253_402_300_799_999

export const quoteBody = (quote: Quote.QuoteResponse): string | undefined => {
  const { expiresAt, feeBps, feeDiscount, geoQuoteToken, minOutput, networkCost, origin, output, warnings } = quote
  const { inputUsd, outputUsd, paymentMethods, paymentProblem, priceImpactBps } = quote
  if (paymentProblem !== undefined || feeDiscount !== undefined || warnings?.length !== 0) return undefined
  if (typeof output !== "bigint" || typeof minOutput !== "bigint" || typeof networkCost !== "bigint") return undefined
  if (!isAmount(output) || !isAmount(minOutput) || !isAmount(networkCost)) return undefined
  if (typeof geoQuoteToken !== "string" || geoQuoteToken === "" || !(expiresAt instanceof Date)) return undefined
  if (!(expiresAt.getTime() >= 0 && expiresAt.getTime() <= lastMillis) || !Number.isFinite(feeBps)) return undefined
  if (priceImpactBps !== undefined && !Number.isFinite(priceImpactBps)) return undefined
  if (!isText(origin) || !isText(inputUsd) || !isText(outputUsd)) return undefined
  return JSON.stringify({
    geoQuoteToken,
    output: `${output}`,
    minOutput: `${minOutput}`,
    feeBps,
    expiresAt: expiresAt.toISOString(),
    origin,
    networkCost: `${networkCost}`,
    paymentMethods,
    inputUsd,
    outputUsd,
    priceImpactBps,
    warnings
  })
}
