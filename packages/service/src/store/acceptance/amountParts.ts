/**
 * Amounts of up to 256 bits in SQLite, whose largest integer has 64 bits. An amount is split into parts of nine decimal
 * digits, and each part is summed separately. A part's sum overflows only after nine billion rows.
 */

const digits = 9
/** Enough for 81 digits. The largest amount has 78. */
const count = 9

/** The columns of a stored sum, from the least significant part to the most significant one. */
export const partColumns: ReadonlyArray<string> = Array.from({ length: count }, (_, index) => `part_${index}`)

const zeros = "0".repeat(digits * count)

/** An SQL expression for one part of an amount in decimal text. */
export const partOf = (amount: string, index: number): string =>
  `CAST(substr('${zeros}' || ${amount}, ${-digits * (index + 1)}, ${digits}) AS INTEGER)`

/** An SQL expression for an amount with leading zeros, so that the order of the text is the order of the amounts. */
export const padded = (amount: string): string => `substr('${zeros}' || ${amount}, ${-zeros.length})`

const joined = (parts: ReadonlyArray<string>): string => parts.join(" || ',' || ")

/** An SQL expression for a sum that was stored in parts, as text for `amountOfParts`. */
export const storedParts: string = joined(partColumns)

/** An SQL expression that sums a column of amounts, as text for `amountOfParts`. */
export const sumOfParts = (amount: string): string =>
  joined(partColumns.map((_, index) => `SUM(${partOf(amount, index)})`))

/** The parts of an amount, from the least significant one. Those of a negative amount are negative. */
export const partsOfAmount = (amount: bigint): ReadonlyArray<number> =>
  partColumns.map((_, index) => Number((amount / 10n ** BigInt(digits * index)) % 10n ** BigInt(digits)))

/** Combines the parts of a sum. A sum over no rows is NULL. */
export const amountOfParts = (parts: string | null | undefined): bigint =>
  (parts ?? "0").split(",").reduce((sum, part, index) => sum + BigInt(part) * 10n ** BigInt(digits * index), 0n)
