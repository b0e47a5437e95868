/** What an HTTP venue answers, and whether it can be trusted. */
import { Amount } from "@geoswap/core"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as SchemaTransformation from "effect/SchemaTransformation"
import type * as Config from "../config/Config.js"
import * as Venue from "./Venue.js"

/** US dollars, as a number or a decimal text. */
const Usd = Schema.Union([Schema.Finite, Schema.String.check(Schema.isPattern(/^\d{1,78}(\.\d{1,40})?$/))]).pipe(
  Schema.decodeTo(
    Schema.Finite.check(Schema.isGreaterThanOrEqualTo(0)),
    SchemaTransformation.transform<number, number | string>({ decode: Number, encode: (value) => value })
  )
)

const iso = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/

/** ISO 8601 with its zone, or Unix milliseconds. */
const At = Schema.Union([Schema.Finite, Schema.String.check(Schema.isPattern(iso))]).pipe(
  Schema.decodeTo(
    Schema.Finite,
    SchemaTransformation.transform<number, number | string>({
      decode: (at) => (typeof at === "number" ? at : Date.parse(at)),
      encode: (at) => at
    })
  )
)

const Answer = Schema.Struct({
  output: Amount.Amount,
  inputUsd: Schema.optionalKey(Schema.NullOr(Usd)),
  outputUsd: Schema.optionalKey(Schema.NullOr(Usd)),
  at: At
})

const NoPriceAnswer = Schema.Struct({ error: Schema.Struct({ code: Schema.Literal("NO_PRICE") }) })
const isNoPrice = Schema.is(NoPriceAnswer)
const decode = Schema.decodeUnknownResult(Answer)

/** A clock may be that much ahead of ours. */
const aheadMillis = 5_000
/** Dollars that are rounded to cents differ by up to this and mean the same. */
const cent = 0.01

type Failure = Venue.NoPrice | Venue.VenueUnavailable

/** The venue does not answer as it should. */
export const unavailable = (message: string, timeout = false): Venue.VenueUnavailable =>
  new Venue.VenueUnavailable({ message, timeout })

/** The venue does not answer this request as it should. Callers choose amounts, so that it says nothing about others. */
const invalidForRequest = (message: string): Venue.VenueUnavailable =>
  new Venue.VenueUnavailable({ message, timeout: false, ofRequest: true })

/** Statuses by which a venue refuses a request: 401, 403, 408 and 429 are about us, and not about it. */
const refusals: ReadonlySet<number> = new Set([400, 409, 413, 414, 416, 422])

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Why a price cannot be believed. */
const priceProblem = (
  { at, inputUsd, outputUsd }: typeof Answer.Type,
  { maxAgeMillis, maxDeviationBps }: Config.HttpVenue,
  now: number
): Venue.VenueUnavailable | undefined => {
  if (now - at > maxAgeMillis) {
    return unavailable(`The venue's price is ${now - at} ms old, and may be ${maxAgeMillis} ms at most.`)
  }
  if (at - now > aheadMillis) {
    return unavailable(`The venue's price is ${at - now} ms in the future: one of the clocks is wrong.`)
  }
  if (typeof inputUsd !== "number" || typeof outputUsd !== "number") return undefined
  const apart = Math.abs(outputUsd - inputUsd)
  return apart > (inputUsd * maxDeviationBps) / 10_000 + cent
    ? invalidForRequest(
        `The venue gives ${outputUsd} dollars for ${inputUsd}, which is more than ${maxDeviationBps} basis points apart.`
      )
    : undefined
}

/** The price in an answer. */
export const parsePrice = (
  status: number,
  text: string,
  config: Config.HttpVenue,
  now: number
): Result.Result<Venue.Price, Failure> => {
  const json = parseJson(text)
  if (status === 404 || isNoPrice(json)) {
    return Result.fail(new Venue.NoPrice({ message: "The venue has no price for this pair." }))
  }
  if (status !== 200) {
    const failure = refusals.has(status) ? invalidForRequest : unavailable
    return Result.fail(failure(`The venue answered with status ${status}.`))
  }
  if (json === undefined) return Result.fail(unavailable("The venue's answer is not JSON."))
  const decoded = decode(json)
  if (Result.isFailure(decoded)) {
    return Result.fail(
      unavailable("The venue's answer is not as docs/venue.md describes: output, at or dollars are wrong.")
    )
  }
  const answer = decoded.success
  const problem = priceProblem(answer, config, now)
  if (problem !== undefined) return Result.fail(problem)
  const { inputUsd, output, outputUsd } = answer
  return Result.succeed(
    typeof inputUsd === "number" && typeof outputUsd === "number"
      ? { output, usd: { input: inputUsd, output: outputUsd } }
      : { output }
  )
}
