/** Describes what the wallet that is asking for a signature cannot show. */
import type { PaymentPreview } from "@geoswap/core/promise"
import { type Config, tokenOf } from "../config.js"
import { formatExactAmount } from "../format/amounts.js"

/** Formats an amount with all its digits. Amounts of unknown tokens are in the token's smallest unit. */
const format = (config: Config, chainId: number, address: string, amount: bigint): string => {
  const token = tokenOf(config, chainId, address)
  return token === undefined ? `${amount} units of ${address}` : formatExactAmount(amount, token)
}

/** Returns what a wallet cannot show of what it signs, or `undefined` if it shows all the terms. */
export const describeHidden = (payment: PaymentPreview, wallet: string, config: Config): string | undefined => {
  const { amount, chainId, shows, terms, token } = payment
  const { destinationChain, minOutput, outputToken, recipient } = terms
  const chain = config.chains.find(({ id }) => id === destinationChain)?.name ?? `chain ${destinationChain}`
  const receives = `at least ${format(config, destinationChain, outputToken, minOutput)} on ${chain} to ${recipient}`
  switch (shows) {
    case "amount":
      return `${wallet} cannot show what you receive. This page has verified that the signature commits to ${receives}.`
    case "hash":
      return `${wallet} shows only a hash. This page has verified that it stands for a payment of exactly ${format(config, chainId, token, amount)} for ${receives}.`
    case "terms":
      return undefined
  }
}
