/** Describes what the user will sign, and what the wallet can show of it. */
import { minimumOf, type PaymentMethod, type Quote } from "@geoswap/core/promise"
import type { Family } from "../config.js"
import { type Coin, formatExactAmount } from "../format/amounts.js"
import { text } from "../language/language.js"

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
  const { signatures: words } = text()
  const { address = words.notNamed, pinned } = delegate
  return [
    {
      title: words.delegation,
      text: words.delegationText(address, pinned ? words.expected : words.notExpected, wallet, origin)
    }
  ]
}

/** What a signature commits to. */
const commitmentOf = ({ amount, destination, input, origin, output, quote, recipient }: Terms): string =>
  text().signatures.commitment(
    formatExactAmount(amount, input),
    origin,
    formatExactAmount(minimumOf(quote), output),
    destination,
    recipient
  )

const operationOf = (terms: Terms): Signature => {
  const { signatures: words } = text()
  return {
    title: words.operation,
    text: `${commitmentOf(terms)} ${words.nothingElse}`,
    shown: (terms.typedOperation ? words.showsTerms : words.showsHash)(terms.wallet)
  }
}

/** With EIP-3009, the terms are hidden in the nonce. */
const authorizationOf = (terms: Terms): Signature => ({
  title: text().signatures.authorization,
  text: `${commitmentOf(terms)} ${text().signatures.onlyVault(terms.vault)}`,
  shown: text().signatures.showsAmount(terms.wallet)
})

const permit2PaymentOf = (terms: Terms): Signature => ({
  title: text().signatures.permit2,
  text: `${commitmentOf(terms)} ${text().signatures.onlyVault(terms.vault)}`,
  shown: text().signatures.showsTerms(terms.wallet)
})

const permitOf = ({ amount, input, wallet }: Terms): Signature => ({
  title: text().signatures.permit,
  text: text().signatures.permitText(permit2, formatExactAmount(amount, input)),
  shown: text().signatures.showsPermit(wallet)
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
    const { serviceFee, transaction } = text().signatures
    return [{ title: transaction, text: `${commitmentOf(terms)} ${serviceFee}` }]
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
    ? text().signatures.switching(wallet, origin)
    : undefined
