/** Times that services encode in more than one way. */
import * as Schema from "effect/Schema"
import { lenient } from "./lenient.js"

const ValidDate = Schema.Date.check(
  Schema.makeFilter((date: Date) => !Number.isNaN(date.getTime()), { title: "valid date" })
)

/**
 * Times below this value are treated as Unix seconds, and all other times as Unix milliseconds. As milliseconds, the
 * value is a date in 1973. As seconds, it is a date in 5138.
 */
const millisFrom = 1e11

/**
 * A time as an ISO 8601 string, Unix seconds or Unix milliseconds. For display only: the swap programs use their own
 * clock.
 */
export const Instant = lenient(
  Schema.Union([Schema.String, Schema.Finite]),
  ValidDate,
  (wire) => new Date(typeof wire === "number" && wire < millisFrom ? wire * 1000 : wire),
  (date) => date.toISOString()
)
