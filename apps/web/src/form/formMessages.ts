/** The form's errors in the reader's language. */
import { Chain } from "@geoswap/core"
import type { SwapFormOptions } from "@geoswap/react"
import { balanceDigits, formatExactDecimal, formatPercent, formatTokenAmount } from "../format/amounts.js"
import { text } from "../language/language.js"
import { toLocalAmount } from "./localAmount.js"
import { isName } from "./lookUpName.js"

type Messages = NonNullable<SwapFormOptions["messages"]>

const invalidRecipient: Messages["recipient"] = ({ family, name }, entered) => {
  const { errors } = text.form
  const other = family === "evm" ? "solana" : "evm"
  if (Chain.isAddress(other, entered)) return errors.recipientFamily[other](name)
  if (isName(entered)) return errors.recipientName
  const digits = /^0x([\da-f]*)$/i.exec(entered)?.[1]
  return family === "evm" && digits !== undefined
    ? errors.recipientLength(digits.length)
    : errors.recipientInvalid[family](name)
}

/** Returns the messages, with numbers in the reader's locale. */
export const formMessages = (): Messages => {
  const { errors } = text.form
  return {
    ...errors,
    token: ({ name }) => errors.token(name),
    wallet: ({ family, name }) => errors.connect[family](name),
    noRecipient: ({ family }) => errors.recipientMissing[family],
    recipient: invalidRecipient,
    slippage: text.slippage.number(formatExactDecimal("0.5")),
    maxSlippage: (bps) => errors.maxSlippage(formatPercent(bps)),
    balance: (balance, token) => errors.balance(formatTokenAmount(balance, token, balanceDigits)),
    spaces: (meant) => errors.spaces(toLocalAmount(meant)),
    comma: (suggestions) => {
      const [meant, orMeant] = suggestions.map(toLocalAmount)
      if (meant === undefined) return errors.separators(toLocalAmount("1000.5"))
      return orMeant === undefined ? errors.separator(meant) : errors.ambiguous(meant, orMeant)
    },
    number: errors.number(toLocalAmount("1.5")),
    decimals: ({ decimals, symbol }, entered) =>
      decimals === 0 ? errors.noDecimals(symbol) : errors.decimals(symbol, decimals, entered)
  }
}
