/** Amounts as users type them in their locale, and as the headless form expects them: with a decimal point. */
import { decimalSeparator } from "../format/amounts.js"

/**
 * Returns an entered amount as the headless form expects it. With a decimal comma, `1,5` becomes `1.5`, and `1.500` could
 * mean either of two amounts: it becomes `1,500`, which the form refuses.
 */
export const toPlainAmount = (entered: string) => {
  if (decimalSeparator() !== ",") return entered
  if (/^\s*\d*,\d*\s*$/.test(entered)) return entered.replace(",", ".")
  return /^\s*[1-9]\d{0,2}\.\d{3}\s*$/.test(entered) ? entered.replace(".", ",") : entered
}

/** Returns an amount with a decimal point as users type it in their locale. */
export const toLocalAmount = (amount: string) => amount.replace(".", decimalSeparator())
