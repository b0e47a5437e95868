/** Enters the amount in dollars. The swap is still made with the amount of the token, which is shown next to it. */
import { formatAmount } from "@geoswap/core/promise"
import { useRef, useState } from "react"
import { shortenDecimal } from "../format/amounts.js"
import { toLocalAmount, toPlainAmount } from "./localAmount.js"
import type { PageForm } from "./usePageForm.js"

/** The amount field, in tokens or in dollars. */
export type DollarInput = ReturnType<typeof useDollarInput>

/** Below this value, the two decimals of a price in dollars are too coarse to compute with. */
const leastUsd = 1

/** Returns the dollars for one token, from a price. */
const rateOf = ({ amount, inputToken, price }: PageForm) => {
  const usd = Number(price?.inputUsd)
  if (!amount || inputToken === undefined || !(usd >= leastUsd)) return undefined
  return usd / Number(formatAmount(amount, inputToken.decimals))
}

/** Returns an amount in dollars as a decimal number of tokens, without an exponent. */
const tokensFor = (usd: number, rate: number, decimals: number) =>
  shortenDecimal((usd / rate).toFixed(Math.min(decimals, 18)))

/** Manages the field. The price of a token is remembered while the user types. */
export const useDollarInput = (form: PageForm) => {
  const { inputToken, origin, set, values } = form
  const [isOn, setOn] = useState(false)
  const [entered, setEntered] = useState({ typed: "", amount: "" })
  const rates = useRef(new Map<string, number>())
  const key = `${origin?.id}:${inputToken?.address}`
  const current = rateOf(form)
  if (current !== undefined) rates.current.set(key, current)
  const rate = rates.current.get(key)
  const enter = (typed: string) => {
    const usd = Number(toPlainAmount(typed).trim())
    const isAmount = rate !== undefined && inputToken !== undefined && typed.trim() !== "" && Number.isFinite(usd)
    // What is not a number is reported as such.
    const amount = isAmount && usd >= 0 ? tokensFor(usd, rate, inputToken.decimals) : toPlainAmount(typed)
    setEntered({ typed, amount })
    set("amount", amount)
  }
  const tokens = Number(values.amount)
  const value = rate === undefined || !(tokens >= 0) || !Number.isFinite(tokens) ? undefined : tokens * rate
  const derived = value === undefined || values.amount === "" ? "" : value.toFixed(2)
  return {
    isOn: isOn && rate !== undefined,
    /** Switches between tokens and dollars. `undefined` while the token has no price. */
    toggle: rate === undefined ? undefined : () => setOn(!isOn),
    /** The value of the amount in dollars, if the token has a price. */
    value,
    /** The dollars to show in the field. */
    shown: entered.amount === values.amount ? entered.typed : toLocalAmount(derived),
    /** Sets the amount from dollars as the user typed them. */
    enter
  }
}
