/** Rules for the symbols of pinned tokens: a symbol must be plain ASCII, and no two symbols may look alike. */

/** The description of a valid symbol, for error messages. */
export const symbolFormat =
  "a symbol of 1 to 20 characters: ASCII letters, digits and . _ + $ -, with at least one letter"

/** Whether a symbol is valid. */
export const isSymbol = (text: string) =>
  /^[A-Za-z0-9._+$-]{1,20}$/.test(text) && /[A-Za-z]/.test(text) && text.toLowerCase() !== "native"

/**
 * Reduces a symbol to a form that is the same for all symbols that look alike: ignores case, removes punctuation, and
 * replaces similar characters with the same character.
 */
const skeletonOf = (symbol: string) =>
  symbol
    .toLowerCase()
    .replaceAll(/[._+$-]/g, "")
    .replaceAll("rn", "m")
    .replaceAll("vv", "w")
    .replaceAll("0", "o")
    .replaceAll(/[1i|]/g, "l")
    .replaceAll("5", "s")

/** Whether two symbols could be mistaken for each other. */
export const isConfusable = (one: string, other: string) => skeletonOf(one) === skeletonOf(other)
