/** Parses and validates responses from an HTTP venue. */
import { Amount } from "@geoswap/core"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as SchemaTransformation from "effect/SchemaTransformation"
import type * as Config from "../config/Config.js"
import * as Venue from "./Venue.js"

/** An amount in US dollars, as a number or a decimal string. */
const Usd = Schema.Union([Schema.Finite, Schema.String.check(Schema.isPattern(/^\d{1,78}(\.\d{1,40})?$/))]).pipe(
  Schema.decodeTo(
    Schema.Finite.check(Schema.isGreaterThanOrEqualTo(0)),
    SchemaTransformation.transform<number, number | string>({ decode: Number, encode: (value) => value })
  )
)

const iso = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/

/** The time of a price: ISO 8601 with a time zone, or Unix milliseconds. */
const At = Schema.Union([Schema.Finite, Schema.String.check(Schema.isPattern(iso))]).pipe(
  Schema.decodeTo(
    Schema.Finite,
    SchemaTransformation.transform({
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

/** How far the venue's clock may be ahead of ours. */
const aheadMillis = 5_000
/** The tolerance for dollar values that are rounded to cents. */
const cent = 0.01

type Failure = Venue.NoPrice | Venue.VenueUnavailable

/** Creates the error for an unavailable venue. */
export const unavailable = (message: string, timeout = false) => new Venue.VenueUnavailable({ message, timeout })

/**
 * Creates an error that affects only this request. Callers choose the amounts, so the error says nothing about other
 * requests.
 */
const invalidForRequest = (message: string) => new Venue.VenueUnavailable({ message, timeout: false, ofRequest: true })

/**
 * The statuses with which a venue rejects a specific request. 401, 403, 408 and 429 concern the service, not the
 * request.
 */
const refusals: ReadonlySet<number> = new Set([400, 409, 413, 414, 416, 422])

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Describes why a price is not acceptable. */
const priceProblem = (
  { at, inputUsd, outputUsd }: typeof Answer.Type,
  { maxAgeMillis, maxDeviationBps }: Config.HttpVenue,
  now: number
) => {
  if (now - at > maxAgeMillis) {
    return unavailable(`The venue's price is ${now - at} ms old, but the maximum age is ${maxAgeMillis} ms.`)
  }
  if (at - now > aheadMillis) {
    return unavailable(
      `The venue's price has a timestamp that is ${at - now} ms in the future. One of the clocks is wrong.`
    )
  }
  if (typeof inputUsd !== "number" || typeof outputUsd !== "number") return undefined
  const apart = Math.abs(outputUsd - inputUsd)
  return apart > (inputUsd * maxDeviationBps) / 10_000 + cent
    ? invalidForRequest(
        `The venue's output is worth ${outputUsd} dollars for an input of ${inputUsd} dollars. The difference exceeds ${maxDeviationBps} basis points.`
      )
    : undefined
}

/** Parses the price from a response. */
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
    return Result.fail(failure(`The venue returned status ${status}.`))
  }
  if (json === undefined) return Result.fail(unavailable("The venue's response is not JSON."))
  const decoded = decode(json)
  if (Result.isFailure(decoded)) {
    return Result.fail(
      unavailable("The venue's response does not match docs/venue.md: `output`, `at` or a dollar value is invalid.")
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
