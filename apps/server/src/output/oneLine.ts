/** Makes text safe to print on one line in a terminal. */

/** Puts text on one line, without control characters. */
export const oneLine = (text: string) => text.replaceAll(/\p{Cc}+/gu, " ")
