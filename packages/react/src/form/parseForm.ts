/** What the values of the form come to: a request, or what is wrong with them. */
import { Amount, Chain } from "@geoswap/core"
import { type ChainInfo, formatAmount, type QuoteInput } from "@geoswap/core/promise"
import { parseFormAmount } from "./parseFormAmount.js"
import { findToken, type FormPolicy, type FormToken, type FormChoices } from "./choices.js"
import type { FormField, FormValues } from "./values.js"

/** The addresses of the connected wallets, by family. */
export type FormWallets = { readonly [K in Chain.Family]?: string | undefined }

/** What a person should see now, by field. */
export type FormErrors = Readonly<Partial<Record<FormField | "wallet", string>>>

/** What the form is read against. */
export interface FormContext {
  readonly choices: FormChoices
  readonly wallets: FormWallets
  readonly balances?: ((chainId: number, token: string) => bigint | undefined) | undefined
  readonly policy?: FormPolicy | undefined
}

/** What the values of the form come to. */
export interface ParsedForm {
  readonly origin: ChainInfo | undefined
  readonly destination: ChainInfo | undefined
  readonly inputToken: FormToken | undefined
  readonly outputToken: FormToken | undefined
  /** In smallest units. */
  readonly amount: bigint | undefined
  /** Who pays. */
  readonly wallet: string | undefined
  /** Who receives: as it is written, or the connected wallet. */
  readonly recipient: string | undefined
  /** Of the input token, in smallest units, where it is known. */
  readonly balance: bigint | undefined
  readonly errors: FormErrors
  /** `undefined` while something is missing or wrong. */
  readonly request: QuoteInput | undefined
}

const walletOf = { evm: "an EVM wallet", solana: "a Solana wallet" } as const

/** Whether the same digits in one case are an address: then only the checksum in the capital letters is wrong. */
const isMistyped = (family: Chain.Family, written: string): boolean =>
  family === "evm" && written.startsWith("0x") && Chain.isAddress(family, written.toLowerCase())

const recipientError = (destination: ChainInfo, written: string, recipient: string | undefined): string | undefined => {
  if (recipient === undefined) return `Connect ${walletOf[destination.kind]} or type who receives.`
  if (written === "") return undefined
  if (!Chain.isAddress(destination.kind, recipient)) {
    return isMistyped(destination.kind, written)
      ? "This address has a typo: its capital letters do not match its checksum. Copy it again."
      : `This is no address on ${destination.name}.`
  }
  return recipient === Chain.nativeToken[destination.kind] ? "Nobody holds this address." : undefined
}

const slippageError = (bps: number | undefined, most: number): string | undefined => {
  if (bps === undefined) return undefined
  if (!Number.isInteger(bps) || bps < 0 || bps > 10_000) {
    return "Slippage is a whole number of basis points from 0 to 10000; 50 is half a percent."
  }
  return bps > most ? `Slippage is at most ${most / 100}%.` : undefined
}

const compact = (errors: Readonly<Record<string, string | undefined>>): FormErrors =>
  Object.fromEntries(Object.entries(errors).filter(([, error]) => error !== undefined))

/** Reads the values of the form. Before the chains are known, nothing is wrong. */
export const parseForm = (
  values: FormValues,
  { balances, choices, policy: { maxSlippageBps = 5_000 } = {}, wallets }: FormContext
): ParsedForm => {
  const { chains, inputTokens, outputTokens } = choices
  const known = chains.length > 0
  const origin = chains.find(({ id }) => id === values.originChain)
  const destination = chains.find(({ id }) => id === values.destinationChain)
  const inputToken = origin && findToken(origin, inputTokens(origin.id), values.inputToken)
  const outputToken = destination && findToken(destination, outputTokens(destination.id), values.outputToken)

  const wallet = origin && wallets[origin.kind]
  const written = values.recipient.trim()
  const recipient = written || (destination && wallets[destination.kind])
  const balance = origin && inputToken && balances?.(origin.id, inputToken.address)
  const { amount, error: amountError } =
    origin && inputToken ? parseFormAmount(values.amount, inputToken, Amount.max(origin.kind)) : {}
  const isTooMuch = amount !== undefined && balance !== undefined && amount > balance

  const missing = (chain: ChainInfo | undefined, chosen: unknown, token: FormToken | undefined) =>
    chain && chosen !== undefined && !token ? `This token is not offered on ${chain.name}.` : undefined
  const isSame = origin && origin === destination && inputToken && inputToken === outputToken

  const errors = compact({
    originChain: known && values.originChain !== undefined && !origin ? "This chain is not offered." : undefined,
    destinationChain:
      known && values.destinationChain !== undefined && !destination ? "This chain is not offered." : undefined,
    inputToken: missing(origin, values.inputToken, inputToken),
    outputToken: isSame
      ? "Choose another token, or another chain."
      : missing(destination, values.outputToken, outputToken),
    amount:
      amountError ??
      (isTooMuch && inputToken
        ? `The balance is ${formatAmount(balance, inputToken.decimals)} ${inputToken.symbol}.`
        : undefined),
    wallet: origin && !wallet ? `Connect ${walletOf[origin.kind]} to pay on ${origin.name}.` : undefined,
    // Within one family the wallet receives, and is asked for already.
    recipient:
      destination && (written !== "" || (origin && origin.kind !== destination.kind))
        ? recipientError(destination, written, recipient)
        : undefined,
    slippageBps: slippageError(values.slippageBps, maxSlippageBps)
  })

  const isWhole = origin && destination && inputToken && outputToken && amount && wallet && recipient
  const request: QuoteInput | undefined =
    isWhole && Object.keys(errors).length === 0
      ? {
          originChain: origin.id,
          destinationChain: destination.id,
          inputToken: inputToken.address,
          outputToken: outputToken.address,
          amount,
          walletAddress: wallet,
          ...(recipient !== wallet && { recipient }),
          ...(values.slippageBps !== undefined && { slippageBps: values.slippageBps })
        }
      : undefined
  return { origin, destination, inputToken, outputToken, amount, wallet, recipient, balance, errors, request }
}
