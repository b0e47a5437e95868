/** Formats node errors as messages that are safe to log. */

/** Makes an untrusted string printable: short, and on one line. */
export const printable = (text: string, most = 200) =>
  text.slice(0, most).replaceAll(/[^\x20-\x7e…]/g, "?") + (text.length > most ? "…" : "")

/** Describes why a transaction fails. */
export const describeError = (error: unknown) =>
  printable(
    typeof error === "string"
      ? error
      : (JSON.stringify(error, (_, value: unknown) => (typeof value === "bigint" ? Number(value) : value)) ?? "unknown")
  )
