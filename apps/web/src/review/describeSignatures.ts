/** Describes what the user will sign, and what the wallet can show of it. */
import { minOutputOf, type PaymentMethod, type Quote } from "@geoswap/core/promise"
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

const delegationOf = ({ delegate, origin, wallet }: Terms) => {
  if (delegate === undefined) return []
  const { signatures: words } = text
  const { address = words.notNamed, pinned } = delegate
  return [
    {
      title: words.delegation,
      text: words.delegationText(address, pinned ? words.expected : words.notExpected, wallet, origin)
    }
  ]
}

/** Describes every signature that the swap needs, in order. */
export const describeSignatures = (terms: Terms): ReadonlyArray<Signature> => {
  const { amount, destination, family, input, method, origin, output, prompts, quote, recipient, vault, wallet } = terms
  const {
    progress: { signedAs },
    signatures: words
  } = text
  const minimum = formatExactAmount(minOutputOf(quote), output)
  const commitment = words.commitment(formatExactAmount(amount, input), origin, minimum, destination, recipient)
  if (family === "solana") return [{ title: words.transaction, text: `${commitment} ${words.serviceFee}` }]
  const toVault = `${commitment} ${words.onlyVault(vault)}`
  const permit2Payment = { title: signedAs.permit2, text: toVault, shown: words.showsTerms(wallet) }
  const signatures: Readonly<Record<PaymentMethod, ReadonlyArray<Signature>>> = {
    delegation: [
      ...delegationOf(terms),
      {
        title: words.operation,
        text: `${commitment} ${words.nothingElse}`,
        shown: words.showsTerms(wallet)
      }
    ],
    // The terms are hidden in the nonce.
    eip3009: [{ title: signedAs.eip3009, text: toVault, shown: words.showsAmount(wallet) }],
    permit2: [permit2Payment],
    erc2612: [
      {
        title: words.permit,
        text: words.permitText(permit2, formatExactAmount(amount, input)),
        shown: words.showsPermit(wallet)
      },
      permit2Payment
    ]
  }
  return signatures[method].map((signature) => (prompts ? signature : { ...signature, shown: undefined }))
}

/** Explains that the wallet may ask to switch networks, which it does before it signs typed data. */
export const describeSwitch = ({ family, origin, prompts, wallet }: Terms) =>
  family === "evm" && prompts ? text.signatures.switching(wallet, origin) : undefined
