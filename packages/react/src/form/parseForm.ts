/** Parses the form's values into a quote request or errors. */
import { Amount, Chain } from "@geoswap/core"
import type { ChainInfo, QuoteInput } from "@geoswap/core/promise"
import { findToken, type FormPolicy, type FormToken, type FormChoices } from "./choices.js"
import { english, type FormMessages } from "./messages.js"
import { parseFormAmount } from "./parseFormAmount.js"
import type { FormField, FormValues } from "./values.js"

/** The choices, wallets, balances and policy that the form's values are checked against. */
export interface FormContext {
  readonly choices: FormChoices
  /** The addresses of the connected wallets, by chain family. */
  readonly wallets: { readonly [K in Chain.Family]?: string | undefined }
  /** Returns the balance of a token in its smallest unit, if known. */
  readonly balances?: ((chainId: number, token: string) => bigint | undefined) | undefined
  readonly policy?: FormPolicy | undefined
  /** The error messages (default: English). */
  readonly messages?: FormMessages | undefined
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
  readonly errors: { readonly [_ in FormField | "wallet"]?: string | undefined }
  /** The amounts that the user may have meant, with a decimal point. The error in the amount contains them. */
  readonly suggestions: ReadonlyArray<string> | undefined
  /** The quote request, or `undefined` while a value is missing or invalid. */
  readonly request: QuoteInput | undefined
}

const recipientError = (messages: FormMessages, chain: ChainInfo, entered: string, recipient: string | undefined) => {
  const { family } = chain
  // In lower case, an EVM address has no checksum.
  const isTypo = family === "evm" && entered.startsWith("0x") && Chain.isAddress(family, entered.toLowerCase())
  if (recipient === undefined) return messages.noRecipient(chain)
  if (entered === Chain.nativeToken[family]) return messages.zeroAddress
  if (entered === "" || Chain.isAddress(family, entered)) return undefined
  return isTypo ? messages.checksum : messages.recipient(chain, entered)
}

/**
 * Parses the form's values. Unknown chains and tokens are not reported as errors until the list of chains is available.
 */
export const parseForm = (
  values: FormValues,
  { balances, choices, messages = english, policy: { maxSlippageBps = 5_000 } = {}, wallets }: FormContext
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
  const { amount, error, suggestions } =
    origin && inputToken ? parseFormAmount(values.amount, inputToken, Amount.max(origin.family), messages) : {}
  const exceedsBalance = amount !== undefined && balance !== undefined && amount > balance
  const isSame = inputToken && origin === destination && inputToken === outputToken
  const { slippageBps = 0 } = values
  const isSlippage = Number.isInteger(slippageBps) && slippageBps >= 0 && slippageBps <= 10_000
  const noOutputToken = destination && values.outputToken !== undefined && !outputToken

  const found = {
    originChain: known && values.originChain !== undefined && !origin && messages.chain,
    destinationChain: known && values.destinationChain !== undefined && !destination && messages.chain,
    inputToken: origin && values.inputToken !== undefined && !inputToken && messages.token(origin),
    outputToken: isSame ? messages.samePair : noOutputToken && messages.token(destination),
    amount: error ?? (exceedsBalance && inputToken && messages.balance(balance, inputToken)),
    wallet: origin && !wallet && messages.wallet(origin),
    // If both chains belong to the same family, the paying wallet also receives the output. If that wallet is missing,
    // the error about the wallet is enough.
    recipient:
      destination &&
      (entered || (origin && origin.family !== destination.family)) &&
      recipientError(messages, destination, entered, recipient),
    slippageBps: isSlippage ? slippageBps > maxSlippageBps && messages.maxSlippage(maxSlippageBps) : messages.slippage
  } satisfies Partial<Record<keyof ParsedForm["errors"], unknown>>
  const errors: ParsedForm["errors"] = Object.fromEntries(
    // An error stays an error if its message is empty.
    Object.entries(found).flatMap(([field, message]) => (typeof message === "string" ? [[field, message]] : []))
  )

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
  return {
    origin,
    destination,
    inputToken,
    outputToken,
    amount,
    wallet,
    recipient,
    balance,
    errors,
    suggestions,
    request
  }
}
