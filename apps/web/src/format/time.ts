/** Formats times. */
import { perLocale } from "./locale.js"
import { text } from "../language/language.js"

/** Formats a duration: `8 s`, `2 min 5 s`. */
export const formatDuration = (millis: number) => {
  const { time } = text
  const seconds = Math.max(0, Math.floor(millis / 1000))
  const minutes = Math.floor(seconds / 60)
  if (minutes === 0) return time.seconds(seconds)
  return minutes < 60 ? time.minutes(minutes, seconds % 60) : time.hours(Math.floor(minutes / 60), minutes % 60)
}

/** Formats an expected duration: `about 30 s`. Rounded up, so that most swaps are faster. */
export const formatAbout = (seconds: number) =>
  text.time.about(
    seconds <= 60
      ? text.time.seconds(Math.max(1, Math.ceil(seconds / 5)) * 5)
      : text.time.wholeMinutes(Math.ceil(seconds / 60))
  )

/** Formats how long ago something happened: `5 min ago`. */
export const formatAgo = (millis: number) => {
  const { time } = text
  const minutes = Math.floor(millis / 60_000)
  if (minutes < 1) return time.justNow
  if (minutes < 60) return time.minutesAgo(minutes)
  const hours = Math.floor(minutes / 60)
  return hours < 48 ? time.hoursAgo(hours) : time.daysAgo(Math.floor(hours / 24))
}

const dates = perLocale((locale) => new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short" }))

/** Formats a date and time in the reader's locale. */
export const formatDateTime = (at: number) => dates().format(at)
