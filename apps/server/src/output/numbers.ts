/** Formats numbers for people in the locale of the environment. The digits are always 0 to 9. */

type Environment = Readonly<Record<string, string | undefined>>

/** Returns the locale for numbers that the environment names (default: `en-US`). */
export const localeOf = (environment: Environment) => {
  const named = environment["LC_ALL"] || environment["LC_NUMERIC"] || environment["LANG"] || ""
  const tag = named.replace(/[.@].*$/, "").replaceAll("_", "-")
  if (tag === "" || tag === "C" || tag === "POSIX") return "en-US"
  try {
    return Intl.getCanonicalLocales(tag)[0] ?? "en-US"
  } catch {
    return "en-US"
  }
}

/** Formats a decimal number exactly: `12345.678` as `12,345.678`. */
export const formatDecimal = (text: string, environment: Environment = process.env) => {
  const [whole = "0", fraction] = text.replace(/^-/, "").split(".")
  const format = new Intl.NumberFormat(localeOf(environment), { numberingSystem: "latn" })
  const separator = format.formatToParts(0.5).find(({ type }) => type === "decimal")?.value ?? "."
  return [text.startsWith("-") ? "-" : "", format.format(BigInt(whole)), fraction && `${separator}${fraction}`].join("")
}
