/** Describes what the user will sign, and what the wallet can show of it. */
import { minimumOf, type PaymentMethod, type Quote } from "@geoswap/core/promise"
import type { Family } from "../config.js"
import { formatExactAmount } from "../format/amounts.js"

interface Coin {
  readonly symbol: string
  readonly decimals: number
}

/** The terms of the swap. */
export interface Terms {
  readonly family: Family
  readonly wallet: string
  /** Whether the wallet prompts the user in its own window. */
  readonly prompts: boolean
  readonly origin: string
  readonly destination: string
  readonly input: Coin
  readonly output: Coin
  readonly amount: bigint
  readonly recipient: string
  /** The pinned contract that receives the payment. */
  readonly vault: string
  readonly quote: Pick<Quote, "output" | "minOutput">
  /** EVM only: how the wallet pays. */
  readonly method: PaymentMethod
  /** Whether the wallet shows an operation of its delegated account as typed data. */
  readonly typedOperation: boolean
  /** The contract to delegate to, if the swap needs a delegation. */
  readonly delegate?: { readonly address: string | undefined; readonly pinned: boolean } | undefined
}

/** A description of one signature. */
export interface Signature {
  readonly title: string
  readonly text: string
  /** What the wallet shows, if it prompts the user. */
  readonly shown?: string | undefined
}

/** Uniswap's Permit2 contract. */
const permit2 = "0x000000000022D473030F116dDEE9F6B43aC78BA3"

const delegationOf = ({ delegate, origin, wallet }: Terms): ReadonlyArray<Signature> => {
  if (delegate === undefined) return []
  const { address = "(not named by the service)", pinned } = delegate
  return [
    {
      title: "A delegation",
      text: `You sign this once. It lets the contract ${address} (${pinned ? "pinned by this page" : "NOT pinned: it will be refused"}) act for ${wallet} on ${origin}, but only with your signatures. This is how a wallet without gas can pay.`
    }
  ]
}

/** What a signature commits to. */
const commitmentOf = ({ amount, destination, input, origin, output, quote, recipient }: Terms): string =>
  `pays exactly ${formatExactAmount(amount, input)} on ${origin} for at least ${formatExactAmount(minimumOf(quote), output)} on ${destination} to ${recipient}`

const operationOf = (terms: Terms): Signature => ({
  title: "An operation",
  text: `It ${commitmentOf(terms)}. It allows nothing else.`,
  shown: terms.typedOperation
    ? `${terms.wallet} shows these terms, with amounts in the tokens' smallest units. Compare them before you sign.`
    : `${terms.wallet} shows only a hash of 32 bytes, so read the terms here.`
})

/** With EIP-3009, the terms are hidden in the nonce. */
const authorizationOf = (terms: Terms): Signature => ({
  title: "A payment authorization (EIP-3009)",
  text: `It ${commitmentOf(terms)}. It allows only the contract ${terms.vault} (pinned by this page) to collect this amount, once.`,
  shown: `${terms.wallet} shows the amount and that contract. It cannot show the recipient or what you receive, because they are hashed into the nonce, so read them here.`
})

const permit2PaymentOf = (terms: Terms): Signature => ({
  title: "A payment through Permit2",
  text: `It ${commitmentOf(terms)}. It allows only the contract ${terms.vault} (pinned by this page) to collect this amount, once.`,
  shown: `${terms.wallet} shows these terms, with amounts in the tokens' smallest units. Compare them before you sign.`
})

const permitOf = ({ amount, input, wallet }: Terms): Signature => ({
  title: "A permit (ERC-2612)",
  text: `It lets Permit2, the contract ${permit2}, transfer exactly ${formatExactAmount(amount, input)}. It pays nothing without the second signature, and the payment uses it up.`,
  shown: `${wallet} shows Permit2 as the spender and the amount in the token's smallest unit.`
})

const evmSignatures = (terms: Terms): ReadonlyArray<Signature> => {
  switch (terms.method) {
    case "delegation":
      return [...delegationOf(terms), operationOf(terms)]
    case "eip3009":
      return [authorizationOf(terms)]
    case "permit2":
      return [permit2PaymentOf(terms)]
    case "erc2612":
      return [permitOf(terms), permit2PaymentOf(terms)]
  }
}

/** Describes every signature that the swap needs, in order. */
export const describeSignatures = (terms: Terms): ReadonlyArray<Signature> => {
  if (terms.family === "solana") {
    const text = `It ${commitmentOf(terms)}. The service pays the network fee. The transaction contains nothing else.`
    return [{ title: "A transaction", text }]
  }
  return evmSignatures(terms).map((signature) => (terms.prompts ? signature : { ...signature, shown: undefined }))
}

/** Explains that the wallet may ask to switch networks, which it does before it signs typed data. */
export const describeSwitch = ({
  family,
  method,
  origin,
  prompts,
  typedOperation,
  wallet
}: Terms): string | undefined =>
  family === "evm" && prompts && (method !== "delegation" || typedOperation)
    ? `If ${wallet} is on another network, it first asks to switch to ${origin}. Switching signs nothing and costs nothing.`
    : undefined
