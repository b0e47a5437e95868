/** Parses and formats times. */
import { formatDecimal } from "./numbers.js"

const units = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const

const form = /^(\d{4}-\d\d-\d\d)(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?(?:Z|[+-]\d\d:\d\d))?$/

/**
 * Parses a date, a time with a zone, or an age such as `24h` into Unix milliseconds. Returns `undefined` if the text is
 * invalid.
 */
export const parseTime = (text: string, now: number) => {
  const [, count, unit] = /^(\d{1,6})([smhdw])$/.exec(text) ?? []
  if (count !== undefined && unit !== undefined) return now - Number(count) * units[unit as keyof typeof units]
  const [, day = ""] = form.exec(text) ?? []
  const midnight = Date.parse(`${day}T00:00Z`)
  // `Date.parse` would interpret February 30 as March 2.
  if (Number.isNaN(midnight) || !new Date(midnight).toISOString().startsWith(day)) return undefined
  const time = Date.parse(text)
  return Number.isNaN(time) ? undefined : time
}

/** Formats a duration in its largest unit: `4s`, `12m`, `3h`, `9d`. */
export const formatAge = (millis: number) => {
  const past = Math.max(0, millis)
  for (const unit of ["d", "h", "m"] as const) {
    if (past >= units[unit]) return `${Math.floor(past / units[unit])}${unit}`
  }
  return `${Math.floor(past / 1_000)}s`
}

/** Formats the time between two steps, with more precision for shorter times: `+0.412s`, `+12.3s`, `+5m 4s`. */
export const formatElapsed = (millis: number) => {
  if (millis < 10_000) return `+${formatDecimal((millis / 1_000).toFixed(3))}s`
  if (millis < units.m) return `+${formatDecimal((millis / 1_000).toFixed(1))}s`
  if (millis < units.h) return `+${Math.floor(millis / units.m)}m ${Math.floor((millis % units.m) / 1_000)}s`
  return `+${Math.floor(millis / units.h)}h ${Math.floor((millis % units.h) / units.m)}m`
}

/** Formats a time in UTC with milliseconds. */
export const formatTime = (millis: number) => new Date(millis).toISOString()
