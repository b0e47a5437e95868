/** The form's error messages in English. A table in another language can replace them. */
import type { Chain } from "@geoswap/core"
import { type ChainInfo, formatAmount } from "@geoswap/core/promise"
import type { FormToken } from "./choices.js"

/** One message for each error. */
export type FormMessages = typeof english

const walletOf = (family: Chain.Family): string => (family === "evm" ? "an EVM wallet" : "a Solana wallet")

export const english = {
  chain: "This chain is not available.",
  token: ({ name }: ChainInfo) => `This token is not available on ${name}.`,
  samePair: "Choose a different token or chain.",
  wallet: ({ family, name }: ChainInfo) => `Connect ${walletOf(family)} to pay on ${name}.`,
  noRecipient: ({ family }: ChainInfo) => `Connect ${walletOf(family)} or enter a recipient.`,
  recipient: ({ name }: ChainInfo, _entered: string) => `This is not an address on ${name}.`,
  checksum: "This address has an invalid checksum, so it contains a typo. Copy it again.",
  zeroAddress: "This is the zero address. Enter a different one.",
  slippage: "Enter a slippage from 0% to 100%, in steps of 0.01%.",
  maxSlippage: (bps: number) => `The maximum slippage is ${bps / 100}%.`,
  balance: (balance: bigint, { decimals, symbol }: FormToken) =>
    `Your balance is ${formatAmount(balance, decimals)} ${symbol}.`,
  spaces: (meant: string) => `Enter ${meant}, without spaces.`,
  comma: ([meant, orMeant]: ReadonlyArray<string>) => {
    if (meant === undefined) return "Enter a number such as 1000.5, with a decimal point and no separators."
    return `Enter ${orMeant === undefined ? `${meant},` : `${meant}, or ${orMeant}`} with a decimal point.`
  },
  positive: "Enter an amount greater than 0.",
  number: "Enter a number such as 1.5.",
  decimals: ({ decimals, symbol }: FormToken, entered: number) =>
    decimals === 0
      ? `${symbol} has no decimals. Enter a whole number.`
      : `${symbol} has ${decimals} decimals, but this amount has ${entered}.`,
  tooLarge: "This amount is too large."
}
