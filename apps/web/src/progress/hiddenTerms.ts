/** Describes what the wallet that is asking for a signature cannot show. */
import type { PaymentPreview } from "@geoswap/core/promise"
import { chainName, type Config, tokenOf } from "../config.js"
import { formatExactAmount } from "../format/amounts.js"
import { text } from "../language/language.js"

/** Formats an amount with all its digits. Amounts of unknown tokens are in the token's smallest unit. */
const format = (config: Config, chainId: number, address: string, amount: bigint) => {
  const token = tokenOf(config, chainId, address)
  return token === undefined ? text.progress.unitsOf(`${amount}`, address) : formatExactAmount(amount, token)
}

/** Returns what a wallet cannot show of what it signs, or `undefined` if it shows all the terms. */
export const describeHidden = (payment: PaymentPreview, wallet: string, config: Config) => {
  const { amount, chainId, shows, terms, token } = payment
  const { destinationChain, minOutput, outputToken, recipient } = terms
  const { progress: words } = text
  const chain = chainName(config, destinationChain)
  const receives = words.hiddenOutput(format(config, destinationChain, outputToken, minOutput), chain, recipient)
  if (shows === "terms") return undefined
  return shows === "amount"
    ? words.cannotShow(wallet, receives)
    : words.showsHash(wallet, format(config, chainId, token, amount), receives)
}
