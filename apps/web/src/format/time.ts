/** Formats times. */
import { perLocale } from "./locale.js"

/** Formats a duration: `8 s`, `2 min 5 s`. */
export const formatDuration = (millis: number): string => {
  const seconds = Math.max(0, Math.floor(millis / 1000))
  const minutes = Math.floor(seconds / 60)
  if (minutes === 0) return `${seconds} s`
  return minutes < 60 ? `${minutes} min ${seconds % 60} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

/** Formats how long ago something happened: `5 min ago`. */
export const formatAgo = (millis: number): string => {
  const minutes = Math.floor(millis / 60_000)
  if (minutes < 1) return "just now"
  if (minutes < 60) return `${minutes} min ago`
  const hours = Math.floor(minutes / 60)
  return hours < 48 ? `${hours} h ago` : `${Math.floor(hours / 24)} days ago`
}

const dates = perLocale((locale) => new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short" }))

/** Formats a date and time in the reader's locale. */
export const formatDateTime = (at: number): string => dates().format(at)
