/** Parses the form's values into a quote request or errors. */
import { Amount, Chain } from "@geoswap/core"
import { type ChainInfo, formatAmount, type QuoteInput } from "@geoswap/core/promise"
import { parseFormAmount } from "./parseFormAmount.js"
import { findToken, type FormPolicy, type FormToken, type FormChoices } from "./choices.js"
import type { FormField, FormValues } from "./values.js"

/** The choices, wallets, balances and policy that the form's values are checked against. */
export interface FormContext {
  readonly choices: FormChoices
  /** The addresses of the connected wallets, by chain family. */
  readonly wallets: { readonly [K in Chain.Family]?: string | undefined }
  readonly balances?: ((chainId: number, token: string) => bigint | undefined) | undefined
  readonly policy?: FormPolicy | undefined
}

/** The form's parsed values. */
export interface ParsedForm {
  readonly origin: ChainInfo | undefined
  readonly destination: ChainInfo | undefined
  readonly inputToken: FormToken | undefined
  readonly outputToken: FormToken | undefined
  /** The amount, in the input token's smallest unit. */
  readonly amount: bigint | undefined
  /** The address that pays. */
  readonly wallet: string | undefined
  /** The address that receives the output: the entered address, or the address of the connected wallet. */
  readonly recipient: string | undefined
  /** The balance of the input token in its smallest unit, if known. */
  readonly balance: bigint | undefined
  /** The errors to show, by field. */
  readonly errors: Readonly<Partial<Record<FormField | "wallet", string>>>
  /** The quote request, or `undefined` while a value is missing or invalid. */
  readonly request: QuoteInput | undefined
}

const walletOf = { evm: "an EVM wallet", solana: "a Solana wallet" } as const

/** Whether an address is valid except for its EIP-55 checksum. */
const hasInvalidChecksum = (family: Chain.Family, entered: string): boolean =>
  family === "evm" && entered.startsWith("0x") && Chain.isAddress(family, entered.toLowerCase())

const recipientError = (destination: ChainInfo, entered: string, recipient: string | undefined): string | undefined => {
  if (recipient === undefined) return `Connect ${walletOf[destination.family]} or enter a recipient.`
  if (entered === "") return undefined
  if (!Chain.isAddress(destination.family, recipient)) {
    return hasInvalidChecksum(destination.family, entered)
      ? "This address has an invalid checksum, so it contains a typo. Copy it again."
      : `This is not an address on ${destination.name}.`
  }
  return recipient === Chain.nativeToken[destination.family]
    ? "This is the zero address. Enter a different one."
    : undefined
}

const slippageError = (bps: number | undefined, max: number): string | undefined => {
  if (bps === undefined) return undefined
  if (!Number.isInteger(bps) || bps < 0 || bps > 10_000) {
    return "Enter a slippage from 0% to 100%, in steps of 0.01%."
  }
  return bps > max ? `The maximum slippage is ${max / 100}%.` : undefined
}

const compact = (errors: Readonly<Record<string, string | undefined>>): ParsedForm["errors"] =>
  Object.fromEntries(Object.entries(errors).filter(([, error]) => error !== undefined))

/**
 * Parses the form's values. Unknown chains and tokens are not reported as errors until the list of chains is available.
 */
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

  const wallet = origin && wallets[origin.family]
  const entered = values.recipient.trim()
  const recipient = entered || (destination && wallets[destination.family])
  const balance = origin && inputToken && balances?.(origin.id, inputToken.address)
  const { amount, error: amountError } =
    origin && inputToken ? parseFormAmount(values.amount, inputToken, Amount.max(origin.family)) : {}
  const exceedsBalance = amount !== undefined && balance !== undefined && amount > balance

  const missing = (chain: ChainInfo | undefined, chosen: unknown, token: FormToken | undefined) =>
    chain && chosen !== undefined && !token ? `This token is not available on ${chain.name}.` : undefined
  const isSame = origin && origin === destination && inputToken && inputToken === outputToken

  const errors = compact({
    originChain: known && values.originChain !== undefined && !origin ? "This chain is not available." : undefined,
    destinationChain:
      known && values.destinationChain !== undefined && !destination ? "This chain is not available." : undefined,
    inputToken: missing(origin, values.inputToken, inputToken),
    outputToken: isSame ? "Choose a different token or chain." : missing(destination, values.outputToken, outputToken),
    amount:
      amountError ??
      (exceedsBalance && inputToken
        ? `Your balance is ${formatAmount(balance, inputToken.decimals)} ${inputToken.symbol}.`
        : undefined),
    wallet: origin && !wallet ? `Connect ${walletOf[origin.family]} to pay on ${origin.name}.` : undefined,
    // If both chains belong to the same family, the paying wallet also receives the output. If that wallet is missing,
    // the error about the wallet is enough.
    recipient:
      destination && (entered !== "" || (origin && origin.family !== destination.family))
        ? recipientError(destination, entered, recipient)
        : undefined,
    slippageBps: slippageError(values.slippageBps, maxSlippageBps)
  })

  const isComplete = origin && destination && inputToken && outputToken && amount && wallet && recipient
  const request: QuoteInput | undefined =
    isComplete && Object.keys(errors).length === 0
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
