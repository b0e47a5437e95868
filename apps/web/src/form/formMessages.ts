/** The form's errors in the reader's language. The headless form reports them in English. */
import { Chain } from "@geoswap/core"
import type { FormToken, SwapForm } from "@geoswap/react"
import { balanceDigits, formatExactDecimal, formatPercent, formatTokenAmount } from "../format/amounts.js"
import { text } from "../language/language.js"
import { toLocalAmount } from "./localAmount.js"
import { isName } from "./lookUpName.js"

/** The part of the form that its errors depend on. */
type Form = Pick<
  SwapForm,
  "amount" | "balance" | "destination" | "errors" | "inputToken" | "origin" | "outputToken" | "recipient" | "values"
>

const isSpaced = (input: string): boolean => /^[\d.]+(\s+[\d.]+)+$/.test(input)

/** Returns the amounts that the user may have meant, with a decimal point. The message about the amount contains them. */
export const suggestedAmounts = (entered: string): ReadonlyArray<string> => {
  const input = entered.trim()
  if (isSpaced(input)) return [input.replaceAll(/\s/g, "")]
  const [, whole, rest] = /^(\d+),(\d+)$/.exec(input) ?? []
  if (whole === undefined || rest === undefined) return []
  return rest.length === 3 ? [`${whole}${rest}`, `${whole}.${rest}`] : [`${whole}.${rest}`]
}

/** What is wrong with an amount, by the same rules as in the headless form. */
const amountError = (entered: string, token: FormToken): string => {
  const { errors } = text.form
  const input = entered.trim()
  const [first, second] = suggestedAmounts(input).map(toLocalAmount)
  if (first !== undefined && second !== undefined) return errors.ambiguous(first, second)
  if (first !== undefined) return (isSpaced(input) ? errors.spaces : errors.separator)(first)
  if (/^[\d.,]*,[\d.,]*$/.test(input)) return errors.separators(toLocalAmount("1000.5"))
  if (input.startsWith("-")) return errors.positive
  const fraction = /^\d*\.?(\d*)$/.exec(input)?.[1]?.replace(/0+$/, "")
  if (fraction === undefined) return errors.number(toLocalAmount("1.5"))
  if (fraction.length <= token.decimals) return errors.tooLarge
  return token.decimals === 0
    ? errors.noDecimals(token.symbol)
    : errors.decimals(token.symbol, token.decimals, fraction.length)
}

const recipientError = ({ destination, recipient, values }: Form): string | undefined => {
  const { errors } = text.form
  if (destination === undefined) return undefined
  const { family: kind, name } = destination
  if (recipient === undefined) return errors.recipientMissing[kind]
  if (recipient === Chain.nativeToken[kind]) return errors.recipientZero
  const entered = values.recipient.trim()
  const digits = /^0x([\da-f]*)$/i.exec(entered)?.[1]
  if (kind === "evm" && entered.startsWith("0x") && Chain.isAddress(kind, entered.toLowerCase())) {
    return errors.recipientChecksum
  }
  const other = kind === "evm" ? "solana" : "evm"
  if (Chain.isAddress(other, entered)) return errors.recipientFamily[other](name)
  if (isName(entered)) return errors.recipientName
  return kind === "evm" && digits !== undefined
    ? errors.recipientLength(digits.length)
    : errors.recipientInvalid[kind](name)
}

/** Returns the form's errors in the reader's language. The fields with an error are those of the headless form. */
export const formErrors = (form: Form): Form["errors"] => {
  const { amount, balance, destination, inputToken, origin, outputToken, values } = form
  const { errors: words } = text.form
  const texts: Readonly<Record<keyof Form["errors"], () => string | undefined>> = {
    originChain: () => words.chain,
    destinationChain: () => words.chain,
    inputToken: () => origin && words.token(origin.name),
    outputToken: () => (outputToken === undefined ? destination && words.token(destination.name) : words.samePair),
    amount: () => {
      if (inputToken === undefined) return undefined
      return amount !== undefined && balance !== undefined && amount > balance
        ? words.balance(formatTokenAmount(balance, inputToken, balanceDigits))
        : amountError(values.amount, inputToken)
    },
    wallet: () => origin && words.connect[origin.family](origin.name),
    recipient: () => recipientError(form),
    slippageBps: () => {
      const { slippageBps = 0 } = values
      return slippageBps > 0 && slippageBps <= 10_000
        ? words.maxSlippage(formatPercent(5_000))
        : text.slippage.number(formatExactDecimal("0.5"))
    }
  }
  return Object.fromEntries(
    Object.entries(form.errors).map(([field, message]) => [field, texts[field as keyof Form["errors"]]() ?? message])
  )
}
