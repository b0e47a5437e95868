/** Which symbols a token may be pinned under: none that looks like another one. */

/** What a symbol may be made of. */
export const symbolWords = "a symbol of 1 to 20 ASCII letters, digits, and . _ + $ -, with a letter in it"

/** Whether a token may be pinned under this symbol at all: plain characters, and no white space. */
export const isSymbol = (text: string): boolean =>
  /^[A-Za-z0-9._+$-]{1,20}$/.test(text) && /[A-Za-z]/.test(text) && text.toLowerCase() !== "native"

/** What a reader sees of a symbol at a glance: no case, no punctuation, and one character for those that look alike. */
const skeletonOf = (symbol: string): string =>
  symbol
    .toLowerCase()
    .replaceAll(/[._+$-]/g, "")
    .replaceAll("rn", "m")
    .replaceAll("vv", "w")
    .replaceAll("0", "o")
    .replaceAll(/[1i|]/g, "l")
    .replaceAll("5", "s")

/** Whether one symbol could be read as the other. */
export const looksLike = (one: string, other: string): boolean => skeletonOf(one) === skeletonOf(other)
