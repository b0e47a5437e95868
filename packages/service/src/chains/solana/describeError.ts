/** What nodes say, in words that are safe to log. */

/** A text of somebody else: short, and on one line. */
export const printable = (text: string, most = 200): string =>
  text.slice(0, most).replaceAll(/[^\x20-\x7e…]/g, "?") + (text.length > most ? "…" : "")

/** Why a transaction fails, as the chain puts it. */
export const describeError = (error: unknown): string =>
  printable(
    typeof error === "string"
      ? error
      : (JSON.stringify(error, (_, value: unknown) => (typeof value === "bigint" ? Number(value) : value)) ?? "unknown")
  )
