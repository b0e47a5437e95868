/** Formats times relative to now. */

const units = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
  ["second", 1]
] as const

/** Whether a time is less than 30 days ago. */
export const isRecent = (time: number, now: number) => now - time < 30 * 86_400_000

/** Formats a past time: `3 minutes ago`. Times that are not recent are formatted as a date. */
export const formatAgo = (time: number, now: number) => {
  const seconds = Math.floor((now - time) / 1000)
  if (Number.isNaN(seconds)) return "at an unknown time"
  if (seconds < 5) return "just now"
  if (!isRecent(time, now)) return `on ${new Date(time).toISOString().slice(0, 10)}`
  const [unit, length] = units.find(([, least]) => seconds >= least) ?? units[3]
  const count = Math.floor(seconds / length)
  return `${count} ${unit}${count === 1 ? "" : "s"} ago`
}
