/** Why a wallet cannot pay, shown in the form before a quote is requested. */
import type { Delegation } from "@geoswap/core/promise"
import type { PaymentChoice } from "@geoswap/react"
import type { Config } from "../config.js"
import { shortenAddress } from "../format/amounts.js"
import type { Wallet } from "../wallets/Wallet.js"
import { text } from "../language/language.js"

/** The payment that is impossible. */
interface BlockedPayment {
  readonly wallet: Pick<Wallet, "name">
  readonly origin: string
  readonly token: string
  /** How the wallet could pay, and the problem. */
  readonly payment: Pick<PaymentChoice, "offered" | "problem">
  readonly delegation: Pick<Delegation, "delegated" | "delegatedTo" | "delegationTarget"> | undefined
}

/** Says that the wallet belongs to another provider. The service does not replace such a delegation. */
const providerOf = ({ delegation }: BlockedPayment) => {
  if (delegation === undefined || delegation.delegated || delegation.delegationTarget !== undefined) return ""
  const { delegatedTo } = delegation
  const { otherProvider, thisProvider } = text.blocker
  return delegatedTo === undefined ? otherProvider : thisProvider(shortenAddress(delegatedTo))
}

/** Returns why a wallet cannot pay and what the user can do about it, or `undefined` if it can. */
export const paymentBlocker = (blocked: BlockedPayment, config: Config) => {
  const { origin, token, wallet } = blocked
  const { problem } = blocked.payment
  if (problem === undefined) return undefined
  const { blocker: words } = text
  const title = words.title(wallet.name, token, origin)
  const provider = providerOf(blocked)
  if (problem.reason !== "signer") return { title, text: `${provider}${words.service(problem.message)}` }
  const why = provider === "" ? words.noWay(token) : provider
  return { title, text: `${why}${config.devnet === undefined ? words.advice : words.adviceOnDevnet}` }
}
