/** Rules for the fees and the quotes. */
import { fixed } from "./decimal.js"
import { quote } from "./formatValue.js"
import { type Fields, listOf, repeats, textOf } from "./rawFields.js"

const minOutputOf = ({ minimum }: Fields): bigint | undefined =>
  typeof minimum === "string" && /^[0-9]{1,21}(\.[0-9]{1,20})?$/.test(minimum) ? fixed(minimum) : undefined

/** Checks that the tiers differ and are in order. */
export const tiers = (fees: Fields): ReadonlyArray<string> => {
  const list = listOf(fees["tiers"])
  return [
    ...repeats(
      list.map(({ tier }) => textOf(tier)),
      (index, first) => `fees.tiers[${index}].tier: must differ from tiers[${first}].tier.`
    ),
    ...list.flatMap((tier, index) => {
      const before = list[index - 1]
      if (before === undefined) return []
      const [low, high] = [minOutputOf(before), minOutputOf(tier)]
      const [less, more] = [before["discountPercent"], tier["discountPercent"]]
      return [
        ...(low !== undefined && high !== undefined && high <= low
          ? [
              `fees.tiers[${index}].minimum: must be above tiers[${index - 1}].minimum. Order the tiers from low to high.`
            ]
          : []),
        ...(typeof less === "number" && typeof more === "number" && more < less
          ? [
              `fees.tiers[${index}].discountPercent: is below tiers[${index - 1}].discountPercent, even though its minimum is higher.`
            ]
          : [])
      ]
    })
  ]
}

/** Checks that a chain lists the service's token. */
export const feesToken = (fees: Fields, chains: ReadonlyArray<Fields>): ReadonlyArray<string> => {
  if (fees["token"] === undefined) {
    return listOf(fees["tiers"]).length === 0 ? [] : ["fees.token: is missing, but fees.tiers requires it."]
  }
  const token = textOf(fees["token"])
  const known = chains.some((chain) => listOf(chain["tokens"]).some(({ symbol }) => symbol === token))
  return token === undefined || chains.length === 0 || known
    ? []
    : [`fees.token: no chain lists a token with the symbol ${quote(token)}.`]
}

/**
 * Checks the maximum drift. If it exceeded the fee, a quote would be a free financial option: the
 * caller would gain whenever the price falls.
 */
export const drift = (quotes: Fields, { baseFeeBps }: Fields): ReadonlyArray<string> => {
  const { maxDriftBps } = quotes
  return typeof maxDriftBps === "number" && typeof baseFeeBps === "number" && maxDriftBps > baseFeeBps
    ? [
        `quotes.maxDriftBps: is ${maxDriftBps}, which is above fees.baseFeeBps (${baseFeeBps}), so callers could profit from prices that move after the quote. Set it to at most the fee, or remove the field (default: half the fee).`
      ]
    : []
}
